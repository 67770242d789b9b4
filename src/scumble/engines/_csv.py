"""CSV in, Arrow out: the one place where CSV is read."""

import io
import os
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from scumble.engines._dialect import CODE, Dialect, dialect_of
from scumble.engines._utf8 import Utf8
from scumble.engines._wrong_files import ENCODING, wrong_csv
from scumble.errors import ScumbleWarning, TableError

PathOrFile = str | os.PathLike[str] | BinaryIO
_BLOCK = 2 << 20
_BEFORE_CELLS = (b"", b"\n", b"\r", b",", b";", b"\t", b"|")
# Those that can be read in one way only, as `scumble.dates` does.
_DATES = ("%d.%m.%Y", "%Y/%m/%d")


def csv_parts(source: PathOrFile, types: Mapping[str, Any]) -> Iterator[Any]:
    """Yield a CSV file as Arrow tables, at least one, or at last what is wrong, as text.

    What types columns have that are not given is found out from the first part.
    """
    file = _CsvFile(source)
    yield from file.parts(types, threads=True)
    file.tell_guess()


def csv_table(
    source: PathOrFile,
    types: Mapping[str, Any],
    *,
    numbers: Collection[str] = (),
    told: Callable[[int], Any] = int,
) -> Any:
    """Return a CSV file as one Arrow table, or what is wrong, as text.

    Times of day, which are no dates and no numbers, and digits with leading zeros, which are
    codes, are text, but for columns that are known to be `numbers`. `told` is told the
    number of bytes of each part that is done, compressed ones where it is; where types are
    not given, they are gone through twice.
    """
    if not isinstance(source, str | os.PathLike):
        # To be read again where the first rows were no guide to the types of the others.
        source = io.BytesIO(source.read())
    file = _CsvFile(source, numbers=numbers, told=told)
    table = file.whole(types)
    if isinstance(table, str):
        return table
    open_names = [name for name in _numbers(table) if name not in types and name not in numbers]
    texts = [*_times(table), *_codes(file, open_names)]
    file.tell_guess()
    return file.whole({**types, **_as_text(texts)}) if texts else table


class _CsvFile:
    """A CSV file that is read from its beginning, perhaps more than once."""

    def __init__(
        self,
        source: PathOrFile,
        *,
        numbers: Collection[str] = (),
        told: Callable[[int], Any] = int,
    ) -> None:
        self.source, self.numbers, self.told = source, frozenset(numbers), told
        self.guessed = False

    def parts(
        self, types: Mapping[str, Any], *, threads: bool, only: Sequence[str] = ()
    ) -> Iterator[Any]:
        """Yield tables of some rows each, or at last what is wrong."""
        import pyarrow as pa
        from pyarrow import csv

        wrong = None
        try:
            text, options = self._opened(types, only)
            read = csv.ReadOptions(block_size=_BLOCK, use_threads=threads)
            empty, position, rows, last = True, 0, 0, None
            with csv.open_csv(text, read_options=read, **options) as reader:
                _checked(reader.schema)
                for batch in reader:
                    empty = False
                    self.told(text.position - position)
                    position = text.position
                    rows += batch.num_rows
                    last = batch if batch.num_rows else last
                    yield pa.Table.from_batches([batch])
                if empty:
                    yield reader.schema.empty_table()
                if not only:
                    _check_closed(last, text, rows)
            self.guessed |= text.guessed
        except (pa.ArrowException, TableError, UnicodeError, OSError) as error:
            if getattr(error, "errno", None) is not None:
                raise  # of the system, not of the file
            wrong = wrong_csv(error)
        if wrong is not None:
            # Beyond the handler: the library's error, which quotes a line, is forgotten.
            yield wrong

    def whole(self, types: Mapping[str, Any]) -> Any:
        """Return all parts, by types that are guessed from the first and hold for all.

        A guess spares the memory that goes to keeping every row until its type is sure.
        """
        import pyarrow as pa
        from pyarrow import csv

        parts = list(self.parts(types, threads=False))
        if not isinstance(parts[-1], str):
            return pa.concat_tables(parts)
        del parts
        try:
            # Perhaps a later row has another type.
            text, options = self._opened(types)
            table = csv.read_csv(text, csv.ReadOptions(use_threads=False), **options)
            _checked(table.schema)
            _check_closed(table, text, table.num_rows)
            self.guessed |= text.guessed
            return table
        except (pa.ArrowException, TableError, UnicodeError, OSError) as error:
            return wrong_csv(error)

    def tell_guess(self) -> None:
        """Warn where the encoding was guessed."""
        if not self.guessed:
            return
        path = self.source if isinstance(self.source, str | os.PathLike) else "standard input"
        warnings.warn(
            f"{Path(path).name}: not in UTF-8, read as Windows-1252 (Western Europe); where "
            "letters look wrong, convert it, say by iconv -f latin2 -t utf-8",
            ScumbleWarning,
            stacklevel=2,
        )

    def _opened(
        self, types: Mapping[str, Any], only: Sequence[str] = ()
    ) -> tuple[Utf8, dict[str, Any]]:
        """Open it, without what compresses it, and find out how it is written."""
        import pyarrow as pa

        raw, packed = self.source, None
        if isinstance(raw, str | os.PathLike) and os.fspath(raw).lower().endswith(".gz"):
            packed = pa.OSFile(os.fspath(raw))
            raw = pa.CompressedInputStream(packed, "gzip")
        elif isinstance(raw, str | os.PathLike):
            raw = pa.input_stream(os.fspath(raw), compression=None)
        elif raw.seekable():
            raw.seek(0)
        text = Utf8(raw, packed=packed)
        if b"\0" in text.head:
            raise TableError(ENCODING)
        dialect = dialect_of(text.head)
        texts = [name for name in dialect.texts if name not in self.numbers]
        return text, _options(dialect, {**_as_text(texts), **types}, only)


def _checked(schema: Any) -> None:
    """Raise where the columns of a file tell that it is not as it should be."""
    import pyarrow as pa

    # So Arrow calls bytes that are no UTF-8, in a file that began with some.
    if any(pa.types.is_binary(kind) for kind in schema.types):
        raise TableError(ENCODING)
    for place, name in enumerate(schema.names):
        if name in schema.names[:place]:
            # By place: without a header a name may be a value.
            first = schema.names.index(name) + 1
            raise TableError(f"columns {first} and {place + 1} have the same name: rename one")


def _check_closed(table: Any, text: Utf8, rows: int) -> None:
    """Raise where the last cell begins with a quote that the end of the file leaves open.

    Arrow takes all that follows such a quote, many rows perhaps, for one cell.
    """
    import pyarrow as pa

    if table is None or not table.num_rows or not pa.types.is_string(table.schema.types[-1]):
        return
    cell = table.column(table.num_columns - 1)[-1].as_py() or ""
    told = b'"' + cell.replace('"', '""').encode()
    # A closed cell ends in a quote more; one that holds a quote is not mistaken for a cell
    # that begins with it, since that stands after a delimiter or an end of line.
    before = text.tail[: -len(told)][-1:]
    if told.endswith(text.tail) or (text.tail.endswith(told) and before in _BEFORE_CELLS):
        raise TableError(f"row {rows + 1} has a quote that is not closed: close it")


def _options(dialect: Dialect, types: Mapping[str, Any], only: Sequence[str]) -> dict[str, Any]:
    """Return how the text becomes rows and the cells values."""
    from pyarrow import csv

    return {
        "parse_options": csv.ParseOptions(
            delimiter=dialect.delimiter,
            newlines_in_values=True,
            # In a file of one column an empty line is a record without a value.
            ignore_empty_lines=len(dialect.columns) != 1,
        ),
        "convert_options": csv.ConvertOptions(
            strings_can_be_null=True,
            decimal_point=dialect.decimal,
            timestamp_parsers=[csv.ISO8601, *_DATES],
            column_types={**types, **_truths(dialect, types)},
            include_columns=list(only),
        ),
    }


def _as_text(names: Sequence[str]) -> dict[str, Any]:
    import pyarrow as pa

    return dict.fromkeys(names, pa.string())


def _truths(dialect: Dialect, types: Mapping[str, Any]) -> dict[str, Any]:
    """Return the types of numbers that are told as true and false, which are 1 and 0."""
    import pyarrow as pa

    names = [name for name in dialect.truths if name in types]
    return {name: pa.bool_() for name in names if pa.types.is_floating(types[name])}


def _times(table: Any) -> list[str]:
    import pyarrow as pa

    return [field.name for field in table.schema if pa.types.is_time(field.type)]


def _numbers(table: Any) -> list[str]:
    import pyarrow as pa

    kinds = (pa.types.is_integer, pa.types.is_floating)
    return [own.name for own in table.schema if any(is_kind(own.type) for is_kind in kinds)]


def _codes(file: _CsvFile, names: list[str]) -> list[str]:
    """Return which columns of numbers hold digits with leading zeros somewhere."""
    import pyarrow.compute as pc

    found: list[str] = []
    if not names:
        return found
    for part in file.parts(_as_text(names), threads=False, only=names):
        if isinstance(part, str):
            break
        for name in set(names) - set(found):
            if pc.any(pc.match_substring_regex(part[name], CODE)).as_py():
                found.append(name)
    return found
