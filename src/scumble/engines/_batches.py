"""Tables on disk or in a pipe, read and written part by part."""

import gzip
import queue
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, BinaryIO, Self

from scumble.engines._csv import PathOrFile, csv_parts
from scumble.engines._files import named_kind
from scumble.engines._wrong_files import WRONG_PARQUET
from scumble.errors import TableError

_BLOCK = 2 << 20
_ROWS = 1 << 16
_WAITING = 2


def table_batches(
    source: PathOrFile, *, types: Mapping[str, Any] | None = None, rows: int = _ROWS
) -> Iterator[Any]:
    r"""Yield a table as pyarrow Tables of some rows each, at least one.

    Parameters
    ----------
    source : path or binary file
        A .csv, .csv.gz or .parquet file; an open file, such as a pipe, is CSV.
    types : mapping of str to Arrow type, optional
        The types of columns of CSV; those of others are found out from the first rows.
    rows : int
        The number of rows of a part, roughly.

    Examples
    --------
    >>> import io
    >>> [part.num_rows for part in table_batches(io.BytesIO(b"age\n34\n51\n"))]
    [2]
    """
    name, kind = named_kind(source)
    parts = _parquet_parts(source, rows) if kind == "parquet" else csv_parts(source, types or {})
    for part in parts:
        if isinstance(part, str):
            # Raised here: the library's error, which quotes a line, is forgotten.
            raise TableError(f"{name}: {part}")
        yield from _cut(part, rows)


def _cut(table: Any, rows: int) -> Iterator[Any]:
    for start in range(0, max(1, table.num_rows), rows):
        yield table.slice(start, rows)


def _parquet_parts(path: Any, rows: int) -> Iterator[Any]:
    """Yield parts, or at last what is wrong."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(path, pre_buffer=False, buffer_size=_BLOCK)
    except (pa.ArrowException, OSError):
        file = None
    if file is None:
        yield WRONG_PARQUET
        return
    with file:
        if not file.metadata.num_rows:
            yield file.schema_arrow.empty_table()
            return
        batches = file.iter_batches(batch_size=rows)
        while True:
            try:
                batch = next(batches, None)
            except (pa.ArrowException, OSError):
                batch = WRONG_PARQUET
            if batch is None:
                return
            yield batch if isinstance(batch, str) else pa.Table.from_batches([batch])


class BatchWriter:
    """Writes a table part by part; a thread of its own does the writing.

    Parameters
    ----------
    file : binary file
        Where to.
    schema : pyarrow Schema
        The columns of every part, and for Parquet what is noted of the whole.
    kind : {"csv", "parquet"}
        How.
    compressed : bool
        Whether CSV is compressed by gzip.
    """

    def __init__(self, file: BinaryIO, schema: Any, *, kind: str, compressed: bool = False) -> None:
        self._parts: queue.Queue[Any] = queue.Queue(maxsize=_WAITING)
        self._error: BaseException | None = None
        self._thread = threading.Thread(
            target=self._work, args=(file, schema, kind, compressed), daemon=True
        )
        self._thread.start()

    def write(self, table: Any) -> None:
        """Write the next part, as soon as those before it are written."""
        self._parts.put(table)
        if self._error is not None:
            raise self._error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._parts.put(None)
        self._thread.join()
        if error is None and self._error is not None:
            raise self._error

    def _work(self, file: BinaryIO, schema: Any, kind: str, compressed: bool) -> None:
        try:
            with _writer(file, schema, kind, compressed) as writer:
                while (part := self._parts.get()) is not None:
                    writer.write_table(part)
        except BaseException as error:  # handed to who waits for it
            self._error = error
            while self._parts.get() is not None:
                pass


@contextmanager
def _writer(file: BinaryIO, schema: Any, kind: str, compressed: bool) -> Iterator[Any]:
    from pyarrow import csv, parquet

    if kind == "parquet":
        with parquet.ParquetWriter(file, schema) as writer:
            yield writer
    elif compressed:
        # Without the time: equal tables give equal files.
        with (
            gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as stream,
            csv.CSVWriter(stream, schema) as writer,
        ):
            yield writer
    else:
        with csv.CSVWriter(file, schema) as writer:
            yield writer
