"""Tables on disk: CSV, also compressed, and Parquet, told apart by the name."""

import gzip
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from scumble.engines._csv import PathOrFile, csv_table
from scumble.engines._wrong_files import WRONG_PARQUET
from scumble.errors import TableError
from scumble.progress import bar

_CSV = (".csv", ".csv.gz")
_PARQUET = (".parquet", ".pq")
TABLE_ENDINGS = (*_CSV, *_PARQUET)
"""How the names of tables end that can be read."""
_ROWS = 1 << 16
_ROW_GROUP = 1 << 17
_BUFFER = 1 << 16


def read_table(
    source: PathOrFile,
    *,
    types: Mapping[str, Any] | None = None,
    numbers: Collection[str] = (),
    progress: bool = False,
) -> Any:
    r"""Read a table as a pyarrow Table.

    Parameters
    ----------
    source : path or binary file
        A file that ends in .csv, .csv.gz or .parquet; an open file, such as a pipe, is CSV.
        CSV has a header. Columns stand between commas, semicolons, tabs or bars, whichever
        fit the first lines; numbers may have decimal commas where columns are parted
        otherwise. It is in UTF-8, in UTF-16 as Excel marks it, or in Windows-1252, which is
        a guess that a warning tells. An empty cell is a missing value, and so is NA, N/A,
        NaN or null in any spelling that pyarrow knows. Digits with leading zeros, such as
        0071, are text.
    types : mapping of str to Arrow type, optional
        The types of columns of CSV; those of others are found out.
    numbers : collection of str
        Columns of CSV that are numbers, whole or not, though they have leading zeros.
    progress : bool
        Whether to show how far it is read.

    Raises
    ------
    TableError
        If the file cannot be read. What it holds is not shown.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "people.csv")
    ...     size = path.write_text("age;postcode\n34;0071\n;9712\n")
    ...     read_table(path).to_pydict()
    {'age': [34, None], 'postcode': ['0071', '9712']}
    """
    from pyarrow import default_memory_pool

    name, kind = named_kind(source)
    if kind == "parquet":
        assert isinstance(source, str | os.PathLike)
        found = _read_parquet(source, progress=progress)
    else:
        with bar(f"read {name}", shown=progress, total=_bytes(source, types), unit="B") as read:
            found = csv_table(
                source, types or {}, numbers=numbers, told=lambda size: _told(read, size)
            )
    default_memory_pool().release_unused()
    if isinstance(found, str):
        raise TableError(f"{name}: {found}")
    return found


def _bytes(source: PathOrFile, types: Mapping[str, Any] | None) -> int | None:
    """Return how many bytes there are to go through, for the time that is left."""
    if not isinstance(source, str | os.PathLike):
        return None
    return Path(source).stat().st_size * (1 if types else 2)


def _told(read: Any, size: int) -> None:
    """Move a bar on; where some numbers are not declared, the file is gone through once more."""
    if read.total is not None and read.n + size > read.total:
        read.total *= 2
    read.update(size)


def named_kind(source: PathOrFile) -> tuple[str, str]:
    """Return what a table to be read is called in errors, and "csv" or "parquet"."""
    if not isinstance(source, str | os.PathLike):
        return "standard input", "csv"
    kind, path = table_kind(source), Path(source)
    if not path.is_file():
        raise TableError(f"{path.name}: there is no such file; check the path")
    return path.name, kind


def table_kind(path: str | os.PathLike[str]) -> str:
    """Return "csv" or "parquet", as the name of a file says."""
    name = Path(path).name.lower()
    if name.endswith(_CSV):
        return "csv"
    if name.endswith(_PARQUET):
        return "parquet"
    raise TableError(f"{Path(path).name}: expected a name that ends in .csv, .csv.gz or .parquet")


def write_table(table: Any, file: BinaryIO, *, kind: str, compressed: bool = False) -> None:
    """Write a pyarrow Table to an open file.

    Parameters
    ----------
    table : pyarrow Table
        The table.
    file : binary file
        Where to.
    kind : {"csv", "parquet"}
        How.
    compressed : bool
        Whether a CSV file is compressed by gzip; Parquet always is in its own way.
    """
    from pyarrow import parquet

    if kind == "parquet":
        parquet.write_table(table, file, row_group_size=_ROW_GROUP)
    elif compressed:
        # Without the time: equal tables give equal files.
        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as stream:
            _write_csv(table, stream)
    else:
        _write_csv(table, file)


def _write_csv(table: Any, file: Any) -> None:
    """Write rows batch by batch, categories as the text that they stand for."""
    import pyarrow as pa
    from pyarrow import csv

    plain = [
        field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field
        for field in table.schema
    ]
    schema = pa.schema(plain)
    with csv.CSVWriter(file, schema) as writer:
        for batch in table.to_batches(max_chunksize=_ROWS):
            writer.write_table(pa.Table.from_batches([batch]).cast(schema))


def _read_parquet(path: str | os.PathLike[str], *, progress: bool) -> Any:
    """Return a table, or what is wrong: the library's error would quote it."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        # Piece by piece: a file that is read ahead of need takes memory of its own.
        with (
            parquet.ParquetFile(path, pre_buffer=False, buffer_size=_BUFFER) as file,
            bar(f"read {Path(path).name}", shown=progress, total=file.metadata.num_rows) as read,
        ):
            parts = [file.schema_arrow.empty_table()]
            for group in range(file.num_row_groups):
                parts.append(file.read_row_group(group, use_threads=False))
                read.update(parts[-1].num_rows)
            return pa.concat_tables(parts[1:] or parts)
    except (pa.ArrowException, OSError):
        return WRONG_PARQUET
