"""What a specification might declare of a column, proposed from the column itself."""

import math
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import numpy as np

from scumble.columns import as_arrow
from scumble.errors import DomainError
from scumble.relevance import Relevance
from scumble.schema import Attribute, Categorical, Date, Numeric, Text
from scumble.tables import Table
from scumble.treatments._records import Records

_EPOCH = date(1970, 1, 1)
_LONG = 2.0**49
_LONGEST = 100


def proposed_domain(table: Table, found: Relevance) -> Attribute:
    """Return the domain of a column: what it holds, with bounds that tell little of it.

    Bounds of numbers are round ones that enclose all values, so that they do not publish
    the least and the greatest; those of dates are ends of years. Text, a column of one
    value, and what is none of these, a time of day for one, is declared as text.

    Parameters
    ----------
    table : Table
        The table in clear.
    found : Relevance
        What is known of the column.

    Raises
    ------
    DomainError
        If numbers are infinite; it tells how many.
    """
    if found.kind in ("number", "date") and found.distinct:
        numbers = Records(table).numbers(found.name)
        infinite = int(np.count_nonzero(np.isinf(numbers)))
        if infinite:
            raise DomainError(
                f"column {found.name!r}: {infinite} of {len(numbers)} values are infinite; give "
                "them as missing, or drop the records"
            )
        low, high = float(np.nanmin(numbers)), float(np.nanmax(numbers))
        if found.kind == "date":
            return Date(*_years(low, high))  # type: ignore[arg-type]
        whole = bool((numbers[~np.isnan(numbers)] % 1 == 0).all())
        return Numeric(*round_bounds(low, high), step=_step(low, high, whole=whole))
    if found.kind == "category" and found.distinct > 1:
        values = as_arrow(table.column(found.name)).unique().drop_null().to_pylist()
        if not all(isinstance(value, str | int) for value in values):
            return Text()  # times of day and the like, of which there are no lists
        if any(isinstance(value, str) and len(value) > _LONGEST for value in values):
            return Text()  # what people wrote: a list of it would publish it
        order = table.value_order(found.name)
        known = sorted(values) if order is None else [v for v in order if v in set(values)]
        if are_values(known):
            return Categorical(tuple(known), ordered=order is not None)
    return Text()


def are_values(values: Sequence[Any]) -> bool:
    """Say whether a specification can list values: text, whole numbers or truth values.

    Examples
    --------
    >>> are_values(["no", "yes"]), are_values([0.5, 1.0])
    (True, False)
    """
    return {type(value) for value in values} <= {str, int, bool}


def _step(low: float, high: float, *, whole: bool) -> int | None:
    """Return the step of whole numbers, unless they are too long to be told apart as floats."""
    return 1 if whole and max(abs(low), abs(high)) < _LONG else None


def round_bounds(low: float, high: float) -> tuple[float, float]:
    """Return round numbers that enclose others.

    Examples
    --------
    >>> round_bounds(21, 81), round_bounds(0.078, 2.42), round_bounds(7, 7)
    ((20.0, 90.0), (0.0, 3.0), (7.0, 8.0))
    """
    if low == high:
        # Of a long number the next float, which is more than one away.
        below = float(math.floor(low))
        return below, max(below + 1.0, math.nextafter(below, math.inf))
    unit = 10.0 ** math.floor(math.log10(high - low))
    # Multiplied by a whole number where the unit is a fraction: 0.1 is no round number.
    per_unit = round(1 / unit) if unit < 1 else 0
    if per_unit:
        return math.floor(low * per_unit) / per_unit, math.ceil(high * per_unit) / per_unit
    return math.floor(low / unit) * unit, math.ceil(high / unit) * unit


def _years(low: float, high: float) -> Sequence[date]:
    first, last = (_EPOCH + timedelta(days=day) for day in (low, high))
    return date(first.year, 1, 1), date(last.year, 12, 31)
