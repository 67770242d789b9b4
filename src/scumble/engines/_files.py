"""Tables on disk: CSV, also compressed, and Parquet, told apart by the name."""

import gzip
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from scumble.engines._wrong_files import WRONG_PARQUET, wrong_columns, wrong_csv
from scumble.errors import TableError

_CSV = (".csv", ".csv.gz")
_PARQUET = (".parquet", ".pq")
TABLE_ENDINGS = (*_CSV, *_PARQUET)
"""How the names of tables end that can be read."""
_ROWS = 1 << 16
_ROW_GROUP = 1 << 17
_BUFFER = 1 << 16


def read_table(path: str | os.PathLike[str], *, types: Mapping[str, Any] | None = None) -> Any:
    r"""Read a table as a pyarrow Table.

    Parameters
    ----------
    path : path
        A file that ends in .csv, .csv.gz or .parquet. A CSV file has commas and a header; an
        empty cell is a missing value, and so is NA, N/A, NaN or null in any spelling that
        pyarrow knows. Digits are a number: a code such as 0071 loses its zeros, unless the
        table is given as Parquet or as a DataFrame.
    types : mapping of str to Arrow type, optional
        The types of columns of a CSV file; those of others are found out.

    Raises
    ------
    TableError
        If the file cannot be read. What it holds is not shown.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "people.csv")
    ...     size = path.write_text("age,town\n34,Oslo\n,Rome\n")
    ...     read_table(path).to_pydict()
    {'age': [34, None], 'town': ['Oslo', 'Rome']}
    """
    from pyarrow import default_memory_pool

    kind, name = table_kind(path), Path(path).name
    check_file(path)
    found = _read(path, kind, types or {})
    default_memory_pool().release_unused()
    if isinstance(found, str):
        raise TableError(f"{name}: {found}")
    return found


def check_file(path: str | os.PathLike[str]) -> None:
    """Raise where there is no such file."""
    if not Path(path).is_file():
        raise TableError(f"{Path(path).name}: there is no such file; check the path")


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


def _read(path: str | os.PathLike[str], kind: str, types: Mapping[str, Any]) -> Any:
    """Return a table, or what is wrong: the library's error would quote a line."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        if kind == "parquet":
            # Piece by piece: a file that is read ahead of need takes memory of its own.
            return parquet.read_table(
                path, use_threads=False, pre_buffer=False, buffer_size=_BUFFER
            )
        table = _read_csv(path, types)
        times = [field.name for field in table.schema if pa.types.is_time(field.type)]
        if times:
            # A time of day is no date and no number: it stays as it is written.
            table = _read_csv(path, {**types, **dict.fromkeys(times, pa.string())})
        return wrong_columns(table.schema) or table
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        return wrong_csv(str(error)) if kind == "csv" else WRONG_PARQUET


def _read_csv(path: str | os.PathLike[str], types: Mapping[str, Any]) -> Any:
    """Read a CSV file; what type a column has is guessed from its first rows, and then checked.

    A guess spares the memory that goes to keeping every row until its type is sure.
    """
    import pyarrow as pa
    from pyarrow import csv

    options = csv_options(types)
    try:
        one_by_one = csv.ReadOptions(use_threads=False)
        with csv.open_csv(path, read_options=one_by_one, convert_options=options) as reader:
            return reader.read_all()
    except pa.ArrowInvalid:
        # Perhaps a cell holds a line break, or a later row has another type.
        lines = csv.ParseOptions(newlines_in_values=True)
        return csv.read_csv(path, convert_options=options, parse_options=lines)


def csv_options(types: Mapping[str, Any]) -> Any:
    """Return how the cells of a CSV file become values."""
    from pyarrow import csv

    return csv.ConvertOptions(strings_can_be_null=True, column_types=dict(types))
