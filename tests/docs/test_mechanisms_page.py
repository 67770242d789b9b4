"""The page on mechanisms: its table is complete."""

from dataclasses import fields
from pathlib import Path

import scumble
from scumble import mechanisms
from scumble.schema import Mechanism

PAGE = (Path(scumble.__file__).parents[2] / "docs" / "mechanisms.md").read_text()


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
