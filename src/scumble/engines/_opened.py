"""A file or pipe that a table is written to."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from scumble.atomic import whole_files
from scumble.engines._csv import PathOrFile
from scumble.engines._files import table_kind
from scumble.engines._notes import note_path, note_text
from scumble.errors import TableError
from scumble.tables import Provenance


def check_not_source(output: PathOrFile | None, source: Any) -> None:
    """Raise where what is written would take the place of the table that it is made from."""
    paths = [Path(own) for own in (output, source) if isinstance(own, str | os.PathLike)]
    if len(paths) == 2 and all(path.exists() for path in paths) and paths[0].samefile(paths[1]):
        raise TableError(
            f"{paths[0].name}: is the table itself that is read; take another name for the output"
        )


@contextmanager
def opened(
    output: PathOrFile, *, source: Any = None, made: Provenance | None = None
) -> Iterator[tuple[BinaryIO, str, bool]]:
    """Open where a table goes: the file, "csv" or "parquet", and whether it is compressed.

    Parameters
    ----------
    output : path or binary file
        A .csv, .csv.gz or .parquet file, which is written whole or not at all; an open
        file, such as a pipe, is CSV.
    source : path or binary file, optional
        The table in clear, which must not be overwritten.
    made : Provenance, optional
        How reports are made; the note on a CSV file appears together with it.

    Examples
    --------
    >>> import io
    >>> with opened(io.BytesIO()) as (file, kind, compressed):
    ...     kind, compressed
    ('csv', False)
    """
    check_not_source(output, source)
    if not isinstance(output, str | os.PathLike):
        yield output, "csv", False
        return
    kind, path = table_kind(output), Path(output)
    note = [note_path(path)] if kind == "csv" and made is not None else []
    with whole_files(path, *note) as files:
        yield files[0], kind, path.name.lower().endswith(".gz")
        if made is not None and note:
            files[0].flush()
            size = os.fstat(files[0].fileno()).st_size
            files[1].write(note_text(made, size=size).encode())
