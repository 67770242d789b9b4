"""What the files on a command line mean."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from scumble.schema import Specification


def source_of(name: str) -> str | BinaryIO:
    """Return a file to read: a name, or the standard input for "-"."""
    return sys.stdin.buffer if name == "-" else name


def output_of(name: str) -> str | BinaryIO:
    """Return a file to write: a name, or the standard output for "-"."""
    return sys.stdout.buffer if name == "-" else name


def specification(path: str) -> "Specification":
    """Read a specification, TOML or JSON by its name."""
    from scumble.schema import Specification

    is_json = Path(path).suffix.lower() == ".json"
    return Specification.from_json(path) if is_json else Specification.from_toml(path)


def truths(name: str, spec: "Specification | None") -> Any:
    """Read a table of truths, with columns of the types that a specification declares."""
    from scumble.engines import read_table, truth_types, whole_table, with_whole_numbers

    types = None if spec is None else truth_types(spec)
    source = source_of(name)
    table = (
        read_table(source, types=types)
        if isinstance(source, str)
        else whole_table(source, types=types)
    )
    return table if spec is None else with_whole_numbers(table, spec)
