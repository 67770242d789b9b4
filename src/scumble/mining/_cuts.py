"""How the values of a numeric attribute are cut into the cells of a tree."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.schema import Categorical, Cells, Numeric

FloatArray = NDArray[np.float64]
MOST_CUTS = 1000
_SAMPLE = 200_000
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Cuts:
    """Cells in ascending order, none overlapping: the candidates for thresholds.

    Attributes
    ----------
    lower, upper : array of float
        The least and the greatest value of each cell.
    edges : array of float
        Where each cell but the first begins.
    """

    lower: FloatArray
    upper: FloatArray
    edges: FloatArray

    def __len__(self) -> int:
        return len(self.lower)

    def codes(self, values: FloatArray) -> NDArray[np.uint16]:
        """Return the place of each value among the cells, from 1 on; 0 is missing."""
        if not len(self):
            return np.zeros(len(values), dtype=np.uint16)
        codes = np.searchsorted(self.edges, values, side="right") + 1
        codes[np.isnan(values)] = 0
        return codes.astype(np.uint16)

    def threshold(self, left: int, right: int) -> float:
        """Return a value above cell `left` and not above cell `right` (from 1 on).

        Half-way between the two, as empty cells in between tell nothing. Past the
        last cell it is infinite: all values that are not missing lie below.
        """
        if right > len(self):
            return np.inf
        middle = self.upper[left - 1] / 2 + self.lower[right - 1] / 2
        return float(min(max(middle, self.edges[left - 1]), self.edges[right - 2]))

    def last_not_above(self, left: int, right: int) -> int:
        """Return the last cell that does not lie above the middle between two cells.

        A value that is the middle up to rounding, as 0.2 is between 0.1 and 0.3, is not above.

        Examples
        --------
        >>> cuts = cuts_of_values(np.array([1.0, 2.0, 4.0, 8.0]))
        >>> cuts.last_not_above(1, 4), cuts.threshold_after(3)
        (3, 4.000000000000001)
        """
        low, high = self.upper[left - 1], self.lower[right - 1]
        middle = low / 2 + high / 2 + _ROUNDING * max(abs(low), abs(high))
        between = self.upper[left : right - 1]
        return left + int(np.searchsorted(between, middle, side="right"))

    def threshold_after(self, cell: int) -> float:
        """Return the least threshold that has a cell below it, which then reads "<="."""
        return float(np.nextafter(self.upper[cell - 1], np.inf))


# The cells of any attribute, as a tree takes them.
Column = Cuts | Categorical


def is_nominal(column: Column) -> bool:
    """Say whether the cells of an attribute have no order, so that subsets are split off."""
    return isinstance(column, Categorical) and not column.ordered


def cuts_of_values(
    values: FloatArray, *, weights: FloatArray | None = None, most: int = MOST_CUTS
) -> Cuts:
    """Return cells for values in clear: one for each distinct value, or equally full ones.

    Of a long column a sample is looked at, the same every time: the table is never sorted.

    Examples
    --------
    >>> cuts = cuts_of_values(np.array([1.0, 4.0, np.nan, 1.0, 2.0]))
    >>> cuts.edges.tolist(), cuts.codes(np.array([np.nan, 1.0, 1.6, 9.0])).tolist()
    ([1.5, 3.0], [0, 1, 2, 3])
    """
    rows = np.flatnonzero(~np.isnan(values))
    if len(rows) > _SAMPLE:
        # At random: records that take turns would hide from a sample of every second one.
        rows = rows[np.random.default_rng(0).integers(0, len(rows), _SAMPLE)]
    distinct, place = np.unique(values[rows], return_inverse=True)
    if len(distinct) > most:
        weight = None if weights is None else weights[rows]
        ranks = np.cumsum(np.bincount(place, weights=weight))
        wanted = ranks[-1] * np.arange(1, most) / most
        last = np.unique(np.searchsorted(ranks, wanted))
        last = np.append(last[last < len(distinct) - 1], len(distinct) - 1)
    else:
        last = np.arange(len(distinct))
    first = np.append(0, last[:-1] + 1)[: len(last)]
    lower, upper = distinct[first], distinct[last]
    return Cuts(lower, upper, _edges(upper[:-1], lower[1:], closed=np.True_))


def cuts_of_cells(cells: Cells) -> Cuts:
    """Return the cells of a domain, as a tree takes them."""
    edges = _edges(cells.upper[:-1], cells.lower[1:], closed=cells.is_point[:-1])
    return Cuts(cells.lower, cells.upper, edges)


def ordered_cells(domain: Numeric, count: int) -> Cells:
    """Return intervals of a domain, in an order that holds for every value.

    Whole numbers are cut as any others are, as published: intervals finer than their
    steps keep apart reports that are surely high from those that may be. An atom inside an
    interval would have values of that interval on both sides, so the interval ends there.

    Examples
    --------
    >>> ordered_cells(Numeric(0, 4, atoms=[1]), 2).lower.tolist()
    [0.0, 1.0, 1.0, 2.0]
    >>> ordered_cells(Numeric(0, 4, step=1), 8).lower.tolist()
    [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]
    """
    if not math.isfinite(domain.width):
        return domain.cells(count)  # which says what is wrong
    edges = np.linspace(domain.low, domain.high, count + 1)
    if domain.unit is not None:
        # A threshold is a date, so that cells hold whole days, in their middle.
        days = np.rint(np.linspace(0, domain.width + 1, count + 1))
        edges = domain.low + np.unique(days) - 0.5
    if not domain.atoms:
        return Cells.between(edges)
    return Cells.between(np.union1d(edges, domain.atoms)).with_points(domain.atoms)


def _edges(low: FloatArray, high: FloatArray, *, closed: Any) -> FloatArray:
    """Return where the next cell begins: above the end of a cell that holds its end."""
    middle = low / 2 + high / 2
    return np.where(closed & (middle <= low), np.nextafter(low, np.inf), middle)
