"""What the files on a command line mean."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from scumble.cli.terminal._bars import shown

if TYPE_CHECKING:
    from scumble.schema import Specification

_HEAD = 1 << 20


def source_of(name: str) -> str | BinaryIO:
    """Return a file to read: a name, or the standard input for "-"."""
    return sys.stdin.buffer if name == "-" else name


def output_of(name: str) -> str | BinaryIO:
    """Return a file to write: a name, or the standard output for "-"."""
    return sys.stdout.buffer if name == "-" else name


def records_in(name: str) -> int | None:
    """Return about how many records a file has, for the time that is left."""
    path = Path(name)
    if not path.is_file():
        return None
    if not path.name.lower().endswith((".csv", ".csv.gz")):
        return _noted_rows(path)
    with path.open("rb") as file:
        lines, read = _lines_of_head(file, packed=path.suffix.lower() == ".gz")
    return int(path.stat().st_size / read * lines) if read else None


def _lines_of_head(file: BinaryIO, *, packed: bool) -> tuple[int, int]:
    """Return how many lines the first bytes of a file make, and how many bytes these are."""
    import zlib

    head = file.read(_HEAD)
    if not packed:
        return head.count(b"\n"), len(head)
    lines, rest = 0, head
    try:
        # A compressed file may be made of several, one after the other.
        while rest:
            part = zlib.decompressobj(wbits=31)
            while rest:
                lines += part.decompress(rest, _HEAD).count(b"\n")
                rest = part.unconsumed_tail
            rest = part.unused_data
    except zlib.error:
        return 0, 0  # what is wrong with it is told later
    return lines, len(head)


def _noted_rows(path: Path) -> int | None:
    """Return how many records a Parquet file says it has; what is wrong with it is told later."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        return int(parquet.read_metadata(path).num_rows)
    except (pa.ArrowException, OSError):
        return None


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
        return read_table(source_of(name), types=types, progress=shown())
    types = types or truth_types(spec)
    return with_whole_numbers(read_table(source_of(name), types=types, progress=shown()), spec)
