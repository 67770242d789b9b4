"""Dates as numbers of days, and numbers of days as dates.

A date is its number of days since 1970-01-01; of a time, the day counts. As in
`columns`, no error shows a value.
"""

import datetime
import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.columns import as_arrow, holds_text
from scumble.errors import DomainError

FloatArray = NDArray[np.float64]
_EPOCH = datetime.date(1970, 1, 1).toordinal()
FIRST = float(datetime.date.min.toordinal() - _EPOCH)
LAST = float(datetime.date.max.toordinal() - _EPOCH)
# What nanoseconds since 1970 can be written in 64 bits, in whole days.
_NANOSECONDS = 106_751
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})([T ].*)?", re.ASCII)
_SLASHES = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})", re.ASCII)
_DOTS = re.compile(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})", re.ASCII)


def day_of(value: Any) -> float | None:
    """Return the day of a date, a time or text; None if it is none of them.

    Text is in ISO format, or as 1970/1/2 or 2.1.1970, which can be read in one way only;
    1/2/1970 cannot.

    Examples
    --------
    >>> day_of("1970-01-02"), day_of(datetime.datetime(1969, 12, 31, 12)), day_of(1970)
    (1.0, -1.0, None)
    >>> day_of("2.1.1970"), day_of("1970/01/02"), day_of("1/2/1970")
    (1.0, 1.0, None)
    """
    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[D]").item()
    try:
        if isinstance(value, str):
            value = _date_of(value)
        return float(value.toordinal() - _EPOCH) if isinstance(value, datetime.date) else None
    except ValueError:  # the 31st of February, or the missing time of pandas
        return None


def _date_of(text: str) -> datetime.date | None:
    if found := _ISO.fullmatch(text) or _SLASHES.fullmatch(text):
        return datetime.date(int(found[1]), int(found[2]), int(found[3]))
    if found := _DOTS.fullmatch(text):
        return datetime.date(int(found["year"]), int(found["month"]), int(found["day"]))
    return None


def iso(day: float) -> str:
    """Return a day as ISO text.

    Examples
    --------
    >>> iso(0.0), iso(-719162.0), iso(math.inf)
    ('1970-01-01', '0001-01-01', 'inf')
    """
    return str(np.datetime64(int(day), "D")) if math.isfinite(day) else str(float(day))


def holds_dates(kind: Any) -> bool:
    """Say whether an Arrow type is one of dates, or of times of dates."""
    import pyarrow as pa

    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


def as_days(column: Any) -> FloatArray:
    """Return a column of dates, times or ISO text as days since 1970-01-01, nan where missing.

    A time counts as its day, where it has a time zone as the day there.

    Examples
    --------
    >>> as_days(["1970-01-02", None]).tolist()
    [1.0, nan]

    Raises
    ------
    DomainError
        If it does not hold dates. What it holds is not shown.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(column, np.ndarray) and column.dtype.kind == "M":
        days = np.ma.getdata(column).astype("datetime64[D]")
        missing = np.isnat(days) | np.ma.getmaskarray(column)
        return np.where(missing, np.nan, days.astype(np.int64))
    array = as_arrow(column)
    if pc.is_null(array, nan_is_null=True).to_numpy(zero_copy_only=False).all():
        return np.full(len(array), np.nan)
    if holds_text(array.type):
        return _days_of_text(array)
    if not holds_dates(array.type):
        kind = str(array.type).partition("<")[0]
        raise DomainError(f"expected dates, got a column of type {kind}")
    if pa.types.is_timestamp(array.type) and array.type.tz is not None:
        array = pc.local_timestamp(array)
    days = array.cast(pa.date32()).cast(pa.int32()).cast(pa.float64())
    return np.asarray(days.to_numpy(zero_copy_only=False)).astype(float)


def _days_of_text(array: Any) -> FloatArray:
    """Return the days of ISO text, each different text read once."""
    import pyarrow as pa

    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    found = [_days_of_chunk(chunk.dictionary_encode()) for chunk in chunks]
    wrong = sum(count for _, count in found)
    if wrong:
        raise DomainError(
            f"{wrong} of {len(array)} values are no dates such as 1990-01-01; write them so, or "
            "give them as missing"
        )
    return np.concatenate([np.empty(0), *(days for days, _ in found)])


def _days_of_chunk(encoded: Any) -> tuple[FloatArray, int]:
    """Return the day of each text, and how many have none."""
    days = [day_of(text) for text in encoded.dictionary.to_pylist()]
    table = np.array([math.inf if day is None else day for day in days] + [math.nan])
    places = encoded.indices.fill_null(len(days)).to_numpy(zero_copy_only=False)
    result = table[places]
    return result, int(np.count_nonzero(np.isinf(result)))


def as_dates(days: FloatArray, column: Any, *, low: float, high: float) -> Any:
    """Return days as an Arrow array of dates, of the type that a column has.

    Parameters
    ----------
    days : array of float
        The days; nan where missing. Those beyond the years 1 to 9999 become the first or
        the last day of them.
    column : column
        The column that they replace: dates, times of dates, or ISO text.
    low, high : float
        What days there may be. Nanoseconds, of which there are enough for 1678 to 2261,
        become microseconds if there may be others.

    Examples
    --------
    >>> as_dates(np.array([0.0, np.nan]), ["1990-05-01", None], low=0, high=1).to_pylist()
    ['1970-01-01', None]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    kind, missing = _kind(column), np.isnan(days)
    whole = np.where(missing, 0, np.clip(np.floor(days), FIRST, LAST)).astype(np.int32)
    dates = pa.array(whole, mask=missing).cast(pa.date32())
    if pa.types.is_null(kind):
        return dates
    if not pa.types.is_timestamp(kind):
        return dates.cast(kind)
    beyond = kind.unit == "ns" and not -_NANOSECONDS < low <= high < _NANOSECONDS
    times = dates.cast(pa.timestamp("us" if beyond else kind.unit))
    if kind.tz is None:
        return times
    # Where midnight was skipped the day began later; where it came twice, with the first.
    return pc.assume_timezone(times, kind.tz, ambiguous="earliest", nonexistent="latest")


def _kind(column: Any) -> Any:
    """Return the Arrow type of a column."""
    import pyarrow as pa

    if isinstance(column, np.ndarray) and column.dtype.kind == "M":
        unit = np.datetime_data(column.dtype)[0]
        return pa.timestamp(unit) if unit in ("s", "ms", "us", "ns") else pa.date32()
    return as_arrow(column).type
