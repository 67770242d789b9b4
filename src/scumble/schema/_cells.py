"""Cells: the countable pieces into which values fall."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scumble.columns import as_numbers
from scumble.dates import as_days
from scumble.errors import SpecificationError

MISSING = -1
_BLOCK = 1 << 15


class CellSet(Protocol):
    """What can be counted: it has a size and gives every value a code."""

    def __len__(self) -> int: ...

    def codes(self, values: Any, /) -> NDArray[np.int32]:
        """Return the cell of each value; -1 where it is missing or in no cell."""
        ...


@dataclass(frozen=True, eq=False)
class Cells:
    """Numeric cells, in ascending order: intervals, points, or both.

    An interval holds its lower end and not its upper one, except that the last
    interval holds both. A cell whose ends coincide is a point: it holds just that
    value, also where an interval surrounds it.

    Parameters
    ----------
    lower, upper : array of float
        The ends. The first lower and the last upper end may be infinite.

    Examples
    --------
    >>> from scumble.schema import Cells
    >>> cells = Cells.between([0, 10, 20]).with_points([0])
    >>> cells.codes([0, 5, 10, 20, 21, float("nan")]).tolist()
    [0, 1, 2, 2, -1, -1]
    """

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]

    def __post_init__(self) -> None:
        ascending = (np.diff(self.lower) >= 0).all() and (self.lower <= self.upper).all()
        if len(self.lower) != len(self.upper) or not len(self.lower) or not ascending:
            raise SpecificationError("cells: expected at least one cell, in ascending order")
        intervals = self._intervals
        if not np.array_equal(self.lower[intervals[1:]], self.upper[intervals[:-1]]):
            raise SpecificationError("cells: expected each interval to begin where one ends")

    @classmethod
    def between(cls, edges: ArrayLike) -> "Cells":
        """Return the intervals between consecutive edges."""
        edges = np.asarray(edges, dtype=float)
        return cls(edges[:-1], edges[1:])

    @classmethod
    def points(cls, values: ArrayLike) -> "Cells":
        """Return one cell for each value."""
        values = np.asarray(values, dtype=float)
        return cls(values, values)

    def with_points(self, values: ArrayLike) -> "Cells":
        """Return these cells and a point for each value."""
        values = np.asarray(values, dtype=float)
        lower, upper = np.append(self.lower, values), np.append(self.upper, values)
        # Below an interval that starts at the same place, so that order is by value.
        order = np.lexsort((upper, lower))
        return Cells(lower[order], upper[order])

    def __len__(self) -> int:
        return len(self.lower)

    @cached_property
    def is_point(self) -> NDArray[np.bool_]:
        """Which cells are points."""
        return np.equal(self.lower, self.upper)

    @cached_property
    def middles(self) -> NDArray[np.float64]:
        """The middle of each cell."""
        return (self.lower + self.upper) / 2

    @cached_property
    def edges(self) -> NDArray[np.float64]:
        """The ends of all cells, each once, in order."""
        return np.unique(np.append(self.lower, self.upper))

    def numbers(self, values: Any) -> NDArray[np.float64]:
        """Return a column of what lies in such cells as floats, nan where missing."""
        return as_numbers(values)

    def shown(self, numbers: NDArray[np.float64]) -> NDArray[Any]:
        """Return numbers as what lies in such cells."""
        return numbers

    @cached_property
    def _intervals(self) -> NDArray[np.intp]:
        return np.flatnonzero(~self.is_point)

    def codes(self, values: Any, /) -> NDArray[np.int32]:
        """Return the cell of each value; -1 where it is missing or in no cell."""
        values = np.asarray(values, dtype=float)
        codes = np.full(values.shape, MISSING, dtype=np.int32)
        if len(self._intervals):
            codes = self._interval_codes(values)
        if self.is_point.any():
            points = np.flatnonzero(self.is_point)
            place = np.searchsorted(self.lower[points], values).clip(max=len(points) - 1)
            hit = self.lower[points[place]] == values
            codes[hit] = points[place[hit]]
        return codes

    def _interval_codes(self, values: NDArray[np.float64]) -> NDArray[np.int32]:
        edges = np.append(self.lower[self._intervals], self.upper[self._intervals[-1]])
        finite = edges[np.isfinite(edges)]
        steps = np.diff(finite)
        if len(steps) and np.ptp(steps) <= 1e-9 * steps[0]:
            place = _place_by_arithmetic(finite, values) + int(edges[0] == -np.inf)
        else:
            place = np.searchsorted(edges, values, side="right") - 1
        place[values == edges[-1]] = len(edges) - 2
        outside = ~((values >= edges[0]) & (values <= edges[-1]))
        place[outside] = 0
        codes: NDArray[np.int32] = self._intervals.astype(np.int32)[place]
        codes[outside] = MISSING
        return codes


class DayCells(Cells):
    """Cells of dates, which are numbers of days.

    Examples
    --------
    >>> from scumble.schema import DayCells
    >>> months = DayCells.between([-0.5, 30.5, 58.5])
    >>> months.codes(months.numbers(["1970-01-31", "1970-02-01"])).tolist()
    [0, 1]
    """

    def numbers(self, values: Any) -> NDArray[np.float64]:
        """Return a column of dates as days since 1970-01-01, nan where missing."""
        return as_days(values)

    def shown(self, numbers: NDArray[np.float64]) -> NDArray[Any]:
        """Return the date nearest to each number of days."""
        return np.floor(np.asarray(numbers) + 0.5).astype("datetime64[D]")


def _place_by_arithmetic(
    edges: NDArray[np.float64], values: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return what a search in equally spaced edges would, at the speed of memory."""
    count = len(edges) - 1
    places = np.empty(len(values), dtype=np.int64)
    # Block by block the intermediate arrays stay in the cache.
    for start in range(0, len(values), _BLOCK):
        part = values[start : start + _BLOCK]
        position = (part - edges[0]) * (count / (edges[-1] - edges[0]))
        # Missing values come out as 0 here; the caller deals with them.
        place = np.clip(np.nan_to_num(position, copy=False), 0, count - 1).astype(np.int64)
        # Arithmetic may be off by one next to an edge: the edges themselves decide.
        place -= part < edges[place]
        place += part >= edges[place + 1]
        places[start : start + _BLOCK] = place
    return places


class Silence:
    """The one cell of a report that says nothing."""

    def __len__(self) -> int:
        return 1

    def codes(self, values: Any, /) -> NDArray[np.int32]:
        """Return 0 for every report."""
        return np.zeros(len(values), dtype=np.int32)
