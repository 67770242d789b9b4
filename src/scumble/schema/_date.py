"""Attributes that are dates."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from scumble.dates import FIRST, LAST, as_days
from scumble.errors import SpecificationError
from scumble.schema._cells import DayCells
from scumble.schema._day import Day, day
from scumble.schema._numeric import Numeric
from scumble.schema._sensitivity import settle_sensitivity


@dataclass(frozen=True)
class Date(Numeric):
    """A date between two declared ones.

    It is a number of days, in steps of one: what works on numbers works on dates. Of a
    time the day counts, and where it has a time zone, the day there.

    Parameters
    ----------
    low, high : datetime.date, datetime.datetime or str
        The first and the last date; text in ISO format, such as "1990-01-01". A bound may
        be infinite where nothing needs a range.
    sensitivity, mechanism
        As for `Numeric`. Noise is in days, and reports are whole days.

    Examples
    --------
    >>> from scumble import Date
    >>> from scumble.mechanisms import GaussianNoise
    >>> born = Date("1940-01-01", "2009-12-31", mechanism=GaussianNoise(sd=365))
    >>> born.low, born.width, born.sensitivity
    (1940-01-01, 25567.0, 'private')
    >>> born.conform(["1984-03-02", None]).tolist()
    [5174.0, nan]
    """

    kind: ClassVar[Literal["numeric", "date"]] = "date"
    unit: ClassVar[float | None] = 1.0
    extent: ClassVar[tuple[float, float]] = (FIRST, LAST)
    step: float | None = field(default=1.0, init=False, repr=False)
    atoms: tuple[float, ...] = field(default=(), init=False, repr=False)

    def __post_init__(self) -> None:
        low, high = day("low", self.low), day("high", self.high)
        if not low < high:
            raise SpecificationError(
                f"high: expected a date after low = {low}, got {high}; a domain of zero width has "
                "nothing to hide, leave the attribute out or widen it"
            )
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        settle_sensitivity(self)

    def between(self, low: float, high: float) -> "Date":
        return Date(Day(low), Day(high))

    def numbers(self, values: Any) -> NDArray[np.float64]:
        return as_days(values)

    def cells(self, count: int = 100) -> DayCells:
        cells = super().cells(count)
        return DayCells(cells.lower, cells.upper)

    @property
    def _told(self) -> str:
        return f"{self.low} to {self.high}"

    def to_dict(self) -> dict[str, Any]:
        given = super().to_dict() | {"low": str(self.low), "high": str(self.high)}
        return {key: value for key, value in given.items() if key != "step"}
