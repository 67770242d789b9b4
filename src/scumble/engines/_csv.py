"""CSV in, Arrow out: the one place where CSV is read."""

import io
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from scumble.engines._dialect import CODE, Dialect, dialect_of
from scumble.engines._utf8 import Utf8
from scumble.engines._wrong_files import ENCODING, wrong_csv
from scumble.errors import ScumbleWarning, TableError

PathOrFile = str | os.PathLike[str] | BinaryIO
_BLOCK = 2 << 20
# Those that can be read in one way only, as `scumble.dates` does.
_DATES = ("%d.%m.%Y", "%Y/%m/%d")


def csv_parts(source: PathOrFile, types: Mapping[str, Any]) -> Iterator[Any]:
    """Yield a CSV file as Arrow tables, at least one, or at last what is wrong, as text.

    What types columns have that are not given is found out from the first part.
    """
    yield from _parts(source, types, threads=True)


def csv_table(source: PathOrFile, types: Mapping[str, Any]) -> Any:
    """Return a CSV file as one Arrow table, or what is wrong, as text.

    Times of day, which are no dates and no numbers, and digits with leading zeros, which are
    codes, are text.
    """
    if not isinstance(source, str | os.PathLike):
        # To be read again where the first rows were no guide to the types of the others.
        source = io.BytesIO(source.read())
    table = _whole(source, types)
    if isinstance(table, str):
        return table
    texts = [*_times(table), *_codes(source, [n for n in _numbers(table) if n not in types])]
    return _whole(source, {**types, **_as_text(texts)}) if texts else table


def _parts(
    source: PathOrFile, types: Mapping[str, Any], *, threads: bool, only: Sequence[str] = ()
) -> Iterator[Any]:
    import pyarrow as pa
    from pyarrow import csv

    empty, wrong, file = True, None, None
    try:
        file = _opened(source)
        options = _options(dialect_of(file.head), types, only)
        read = csv.ReadOptions(block_size=_BLOCK, use_threads=threads)
        with csv.open_csv(file, read_options=read, **options) as reader:
            _checked(reader.schema)
            for batch in reader:
                empty = False
                yield pa.Table.from_batches([batch])
            if empty:
                yield reader.schema.empty_table()
    except (pa.ArrowException, TableError, UnicodeError, OSError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # of the system, not of the file
        wrong = wrong_csv(error)
    if wrong is not None:
        # Beyond the handler: the library's error, which quotes a line, is forgotten.
        yield wrong
    elif file is not None and not only:
        _tell_guess(file, source)


def _whole(source: PathOrFile, types: Mapping[str, Any]) -> Any:
    """Return all parts together, by types that are guessed from the first and hold for all.

    A guess spares the memory that goes to keeping every row until its type is sure.
    """
    import pyarrow as pa
    from pyarrow import csv

    parts = list(_parts(source, types, threads=False))
    if not isinstance(parts[-1], str):
        return pa.concat_tables(parts)
    del parts
    try:
        # Perhaps a later row has another type.
        file = _opened(source)
        read = csv.ReadOptions(use_threads=False)
        options = _options(dialect_of(file.head), types, ())
        table = csv.read_csv(file, read_options=read, **options)
        _checked(table.schema)
        _tell_guess(file, source)
        return table
    except (pa.ArrowException, TableError, UnicodeError, OSError) as error:
        return wrong_csv(error)


def _opened(source: PathOrFile) -> Utf8:
    """Open a file as UTF-8, without what compresses it."""
    import pyarrow as pa

    raw: Any = source
    if isinstance(source, str | os.PathLike):
        raw = pa.input_stream(os.fspath(source), compression="detect")
    elif source.seekable():
        source.seek(0)
    file = Utf8(raw)
    if b"\0" in file.head:
        raise TableError(ENCODING)
    return file


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
            column_types={**_as_text(dialect.codes), **types},
            include_columns=list(only),
        ),
    }


def _as_text(names: Sequence[str]) -> dict[str, Any]:
    import pyarrow as pa

    return dict.fromkeys(names, pa.string())


def _times(table: Any) -> list[str]:
    import pyarrow as pa

    return [field.name for field in table.schema if pa.types.is_time(field.type)]


def _numbers(table: Any) -> list[str]:
    import pyarrow as pa

    kinds = (pa.types.is_integer, pa.types.is_floating)
    return [own.name for own in table.schema if any(is_kind(own.type) for is_kind in kinds)]


def _codes(source: PathOrFile, names: list[str]) -> list[str]:
    """Return which columns of numbers hold digits with leading zeros somewhere."""
    import pyarrow.compute as pc

    found: list[str] = []
    if not names:
        return found
    for part in _parts(source, _as_text(names), threads=False, only=names):
        if isinstance(part, str):
            break
        for name in set(names) - set(found):
            if pc.any(pc.match_substring_regex(part[name], CODE)).as_py():
                found.append(name)
    return found


def _tell_guess(file: Utf8, source: PathOrFile) -> None:
    if file.guessed:
        name = Path(source).name if isinstance(source, str | os.PathLike) else "standard input"
        warnings.warn(
            f"{name}: not in UTF-8, read as Windows-1252 (Western Europe); where letters look "
            "wrong, convert it, say by iconv -f latin2 -t utf-8",
            ScumbleWarning,
            stacklevel=2,
        )
