"""The README runs, and what it lists is all there is."""

import re
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

import scumble
from scumble import Specification
from scumble.schema import mechanism_names

ROOT = Path(scumble.__file__).parents[2]
README = (ROOT / "README.md").read_text()


def _blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_the_examples_run_one_after_the_other(capsys):
    first, second = _blocks("python")
    names = {}

    exec(compile(first, "README.md", "exec"), names)
    assert re.match(r"mean age 5\d\.\d, half are younger than [45]\d\.\d", capsys.readouterr().out)
    assert plt.get_fignums()
    plt.close("all")

    exec(compile(second, "README.md", "exec"), names)
    right, rule = capsys.readouterr().out.splitlines()
    assert re.match(r"(9\d|100) % of people", right)
    assert re.match(r"if .* then [AB] \(support .*, confidence .*\)", rule)


def test_the_examples_are_short():
    for code in _blocks("python"):
        assert sum(bool(line.strip()) for line in code.splitlines()) <= 12
    assert len(README.splitlines()) <= 150


def test_the_specification_is_valid(tmp_path):
    (text,) = _blocks("toml")
    (tmp_path / "people.toml").write_text(text)

    spec = Specification.from_toml(tmp_path / "people.toml")

    assert list(spec) == ["salary", "smoker"]


def test_every_mechanism_is_listed():
    rows = "\n".join(line for line in README.splitlines() if line.startswith("| `"))
    known = [name for name in mechanism_names() if not name.startswith("test-")]

    assert [name for name in known if f"`{name}`" not in rows] == []


def test_every_file_that_is_linked_exists():
    for page in [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_every_make_target_of_the_readme_exists():
    makefile = (ROOT / "Makefile").read_text()

    for target in re.findall(r"\$ make (\w+)", README):
        assert f"\n{target}:" in makefile


EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.stem)
def test_an_example_is_short(example):
    assert len(example.read_text().splitlines()) <= 60


# The demonstration, which takes longest, is run by tests/e2e.
@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.stem != "demo"], ids=lambda p: p.stem)
def test_an_example_runs(example, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", str(example)],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
