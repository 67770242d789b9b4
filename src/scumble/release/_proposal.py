"""What a specification might declare of a column, proposed from the column itself."""

import math
from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np

from scumble.columns import as_arrow
from scumble.relevance import Relevance
from scumble.schema import Attribute, Categorical, Date, Numeric, Text
from scumble.tables import Table
from scumble.treatments._records import Records

_EPOCH = date(1970, 1, 1)
_WIDE = 1e9


def proposed_domain(table: Table, found: Relevance) -> Attribute:
    """Return the domain of a column: what it holds, with bounds that tell little of it.

    Bounds of numbers are round ones that enclose all values, so that they do not publish
    the least and the greatest; those of dates are ends of years. Text, and a column of one
    value, is declared as text.

    Parameters
    ----------
    table : Table
        The table in clear.
    found : Relevance
        What is known of the column.
    """
    if found.kind in ("number", "date") and found.distinct:
        numbers = Records(table).numbers(found.name)
        low, high = float(np.nanmin(numbers)), float(np.nanmax(numbers))
        if found.kind == "date":
            return Date(*_years(low, high))  # type: ignore[arg-type]
        whole = bool((numbers[~np.isnan(numbers)] % 1 == 0).all())
        # Over a range so wide, steps of one are none that anyone would see.
        step = 1 if whole and high - low < _WIDE else None
        return Numeric(*round_bounds(low, high), step=step)
    if found.kind == "category" and found.distinct > 1:
        values = as_arrow(table.column(found.name)).unique().drop_null().to_pylist()
        if not all(isinstance(value, str | int) for value in values):
            return Text()  # times of day and the like, of which there are no lists
        order = table.value_order(found.name)
        known = sorted(values) if order is None else [v for v in order if v in set(values)]
        return Categorical(tuple(known), ordered=order is not None)
    return Text()


def round_bounds(low: float, high: float) -> tuple[float, float]:
    """Return round numbers that enclose others.

    Examples
    --------
    >>> round_bounds(21, 81), round_bounds(0.078, 2.42), round_bounds(7, 7)
    ((20.0, 90.0), (0.0, 3.0), (7.0, 8.0))
    """
    if low == high:
        return float(math.floor(low)), math.floor(low) + 1.0
    unit = 10.0 ** math.floor(math.log10(high - low))
    # Multiplied by a whole number where the unit is a fraction: 0.1 is no round number.
    per_unit = round(1 / unit) if unit < 1 else 0
    if per_unit:
        return math.floor(low * per_unit) / per_unit, math.ceil(high * per_unit) / per_unit
    return math.floor(low / unit) * unit, math.ceil(high / unit) * unit


def _years(low: float, high: float) -> Sequence[date]:
    first, last = (_EPOCH + timedelta(days=day) for day in (low, high))
    return date(first.year, 1, 1), date(last.year, 12, 31)
