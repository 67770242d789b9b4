"""A column as codes of its different values, and what kind of column it is."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scumble.columns import as_arrow, as_numbers
from scumble.errors import DomainError
from scumble.tables import Table

Kind = Literal["number", "category", "date", "text"]
Identifier = Literal["unique", "near-unique"]
# Of the known records of a column, how many must differ for it to be nearly a key.
NEAR_UNIQUE = 0.9
# Strings are free text where there are so many of them, and most records have their own.
_FEWEST_TEXTS = 20
_DAY = np.timedelta64(1, "D") / np.timedelta64(1, "us")


@dataclass(frozen=True, eq=False)
class Column:
    """The different values of a column, and which of them each record has.

    Attributes
    ----------
    kind : {"number", "category", "date", "text"}
        What the values are.
    codes : array of int
        For each record the place of its value, or -1 where it is missing.
    distinct : int
        How many different values there are.
    numbers : array of float or None
        The values in ascending order, dates as days since 1970; None for the others.
    """

    kind: Kind
    codes: NDArray[np.intp]
    distinct: int
    numbers: NDArray[np.float64] | None = None

    @property
    def known(self) -> int:
        """How many records have a value."""
        return int(np.count_nonzero(self.codes >= 0))

    @property
    def identifier(self) -> Identifier | None:
        """Whether the values name records instead of describing them.

        A text, category, date or whole number of which at least 90 % of the known records
        have different values. A number with a fraction is a measurement, and no name.
        """
        measured = self.kind == "number" and self.numbers is not None and not _whole(self.numbers)
        return None if measured else _identifier(self.distinct, self.known)


def read_column(table: Table, name: str) -> Column:
    """Return a column of a table as codes.

    Raises
    ------
    DomainError
        If it holds neither numbers, dates, truth values nor text. What it holds is not shown.

    Examples
    --------
    >>> import pyarrow as pa
    >>> column = read_column(Table(pa.table({"size": ["s", "m", None, "s"]})), "size")
    >>> column.kind, column.codes.tolist(), column.distinct
    ('category', [0, 1, -1, 0], 2)
    """
    import pyarrow as pa

    try:
        array = as_arrow(table.column(name))
        if pa.types.is_date(array.type) or pa.types.is_timestamp(array.type):
            return _of_numbers("date", _days(array))
        if not table.lists_values(name) and pa.types.is_integer(array.type):
            # As they are: long identifiers may be the same number once they are floats.
            return _of_known("number", np.asarray(array.is_valid()), np.asarray(array.drop_null()))
        if not table.lists_values(name) and _holds_numbers(array.type):
            return _of_numbers("number", as_numbers(table.column(name)))
        return _of_categories(array)
    except DomainError as error:
        raise DomainError(f"column {name!r}: {error}; make it one type, or drop it") from None


def identifier_kind(column: Any) -> Identifier | None:
    """Say whether the values of a column name records instead of describing them.

    Examples
    --------
    >>> identifier_kind(["Ann", "Bo", "Cy"])
    'unique'
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    array = as_arrow(column)
    if pa.types.is_nested(array.type) or pa.types.is_null(array.type):
        return None
    if pa.types.is_floating(array.type):
        # What polars and Arrow call nan is missing here as everywhere.
        array = array.filter(pc.invert(pc.is_null(array, nan_is_null=True)))
        if not _whole(np.asarray(array)):
            return None
    known = len(array) - array.null_count
    return _identifier(pc.count_distinct(array, mode="only_valid").as_py(), known)


def _identifier(distinct: int, known: int) -> Identifier | None:
    if distinct < 2 or distinct < NEAR_UNIQUE * known:
        return None
    return "unique" if distinct == known else "near-unique"


def _of_numbers(kind: Kind, numbers: NDArray[np.float64]) -> Column:
    known = ~np.isnan(numbers)
    return _of_known(kind, known, numbers[known])


def _of_known(kind: Kind, known: NDArray[np.bool_], numbers: NDArray[Any]) -> Column:
    distinct, places = np.unique(numbers, return_inverse=True)
    codes = np.full(len(known), -1, dtype=np.intp)
    codes[known] = places
    return Column(kind, codes, len(distinct), distinct.astype(float))


def _of_categories(array: Any) -> Column:
    import pyarrow as pa

    if pa.types.is_nested(array.type):
        raise DomainError("expected numbers, dates, truth values or text, got lists of values")
    coded = array.dictionary_encode()
    coded = coded.combine_chunks() if hasattr(coded, "combine_chunks") else coded
    codes = np.asarray(coded.indices.fill_null(-1)).astype(np.intp)
    distinct, known = len(coded.dictionary), len(array) - array.null_count
    strings = pa.types.is_string(array.type) or pa.types.is_large_string(array.type)
    text = strings and distinct >= _FEWEST_TEXTS and distinct > known / 2
    return Column("text" if text else "category", codes, distinct)


def _days(array: Any) -> NDArray[np.float64]:
    """Return dates as days since 1970, nan where they are missing."""
    import pyarrow as pa

    times = array.cast(pa.timestamp("us", tz=getattr(array.type, "tz", None)), safe=False)
    return np.asarray(times.cast(pa.int64()).cast(pa.float64(), safe=False)).astype(float) / _DAY


def _holds_numbers(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_floating(kind) or pa.types.is_decimal(kind) or pa.types.is_null(kind))


def _whole(numbers: NDArray[np.float64]) -> bool:
    return bool((np.isfinite(numbers) & (numbers == np.round(numbers))).all())
