"""What the files on a command line mean."""

import sys
from collections.abc import Mapping
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


def truths(
    name: str, spec: "Specification | None", *, types: Mapping[str, Any] | None = None
) -> Any:
    """Read a table of truths, with columns of the types that a specification declares."""
    from scumble.engines import read_table, truth_types, with_whole_numbers

    if spec is None:
        return read_table(source_of(name), types=types)
    return with_whole_numbers(read_table(source_of(name), types=types or truth_types(spec)), spec)
