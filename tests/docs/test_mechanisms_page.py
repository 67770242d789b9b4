"""The page on mechanisms: its code runs, its table is complete."""

import re
from dataclasses import fields
from pathlib import Path

import scumble
from scumble import Specification, mechanisms
from scumble.schema import Mechanism

PAGE = (Path(scumble.__file__).parents[2] / "docs" / "mechanisms.md").read_text()


def _blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def test_the_code_runs():
    names = {}
    for code in _blocks("python"):
        exec(compile(code, "docs/mechanisms.md", "exec"), names)

    assert names["joint"].shares.shape == (4,)


def test_the_specification_is_valid(tmp_path):
    (text,) = _blocks("toml")
    (tmp_path / "a.toml").write_text(text)

    spec = Specification.from_toml(tmp_path / "a.toml")

    assert list(spec) == ["height in cm", "commission", "born", "name"]


def test_every_parameter_of_every_mechanism_is_listed():
    rows = {
        row.split("|")[2].strip(" `"): row for row in PAGE.splitlines() if row.startswith("| `")
    }
    for name in mechanisms.__all__:
        item = getattr(mechanisms, name)
        if not isinstance(item, type) or item.name in ("identity", "withheld", "shared-coin"):
            continue
        assert issubclass(item, Mechanism)
        for field in fields(item):
            assert f"`{field.name}`" in rows[name], f"{name}: {field.name}"
