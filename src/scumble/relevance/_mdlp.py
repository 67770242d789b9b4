"""Cuts of a number that pay for their own description (MDLP)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scumble.columns import as_numbers
from scumble.errors import SpecificationError, TableError
from scumble.relevance._classes import class_codes


def mdlp_cuts(values: ArrayLike, labels: Any, *, minimum: int = 1) -> tuple[float, ...]:
    """Return where a number is cut so that the cells tell the class, none without need.

    Parameters
    ----------
    values : array, list or Series of numbers
        Missing ones are left out.
    labels : array, list or Series
        The class of each.
    minimum : int
        How many records each cell must hold at least. Where the best cut would leave a
        side with fewer, the best of the others is tried.

    Returns
    -------
    tuple of float
        In ascending order; a number that equals a cut lies below it. Empty if no cut is
        worth its description. All are finite.

    Examples
    --------
    >>> from scumble.relevance import mdlp_cuts
    >>> ages, ill = [20, 21, 22, 24, 60, 61, 65, 70], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> mdlp_cuts(ages, ill)
    (42.0,)
    >>> mdlp_cuts(ages, [0, 1] * 4)
    ()

    Notes
    -----
    Fayyad and Irani (1993). Of all cuts half-way between neighbouring values the one with
    the greatest information gain is taken if::

        gain > (log2(n - 1) + log2(3^k - 2) - (k H - k1 H1 - k2 H2)) / n

    for n records of k classes with entropy H, and its sides 1 and 2; then each side is cut
    in the same way. Each cut lies between two values of the table, so it tells something
    of its records: `minimum` bounds what a cell does.
    """
    minimum = checked_minimum(minimum)
    numbers = as_numbers(values)
    classes, codes = class_codes(labels)
    if len(numbers) != len(codes):
        raise TableError(
            f"labels: expected one for each of {len(numbers)} values, got {len(codes)}"
        )
    known = ~np.isnan(numbers)
    distinct = np.unique(numbers[known])
    counts = np.zeros((len(distinct), len(classes)), dtype=np.int64)
    # Class by class: the place of every value among the distinct ones would take much memory.
    for code in range(len(classes)):
        own, times = np.unique(numbers[known & (codes == code)], return_counts=True)
        counts[np.searchsorted(distinct, own), code] = times
    return cuts_of_counts(distinct, counts, minimum=minimum)


def checked_minimum(minimum: Any) -> int:
    """Return how many records a cell must hold, or raise.

    Examples
    --------
    >>> checked_minimum(0)
    Traceback (most recent call last):
    scumble.errors.SpecificationError: minimum: expected a whole number from 1 on, got 0
    """
    if isinstance(minimum, bool) or not isinstance(minimum, int | np.integer) or minimum < 1:
        raise SpecificationError(f"minimum: expected a whole number from 1 on, got {minimum!r}")
    return int(minimum)


def cuts_of_counts(
    distinct: NDArray[np.float64], counts: NDArray[np.int64], *, minimum: int = 1
) -> tuple[float, ...]:
    """Return the cuts of ascending numbers, given how many records of each class have each.

    Examples
    --------
    >>> cuts_of_counts(np.array([1.0, 2.0, 3.0]), np.array([[9, 0], [8, 0], [0, 9]]))
    (2.5,)
    """
    search = _Search(counts, minimum)
    found: list[int] = []
    # A list of parts to do and not a recursion: there may be more cuts than Python recurses.
    parts = [(0, len(distinct))]
    while parts:
        start, stop = parts.pop()
        place = search.cut(start, stop)
        if place is not None:
            found.append(place)
            parts += [(start, place), (place, stop)]
    return tuple(half_way(distinct[place - 1], distinct[place]) for place in sorted(found))


def best_cut(counts: NDArray[np.int64]) -> int | None:
    """Return how many of some cells in order lie below the cut that tells most of the class.

    Parameters
    ----------
    counts : array, (cells, classes)
        How many records of each class lie in each cell.

    Returns
    -------
    int or None
        None if no cut is worth its description: see `mdlp_cuts`.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble.relevance import best_cut
    >>> best_cut(np.array([[50, 10], [40, 20], [10, 60]]))
    2
    """
    return _Search(counts, 1).cut(0, len(counts))


class _Search:
    """Looks for the best cut of a part: between which two values, and whether it pays."""

    def __init__(self, counts: NDArray[np.int64], minimum: int) -> None:
        self._minimum = minimum
        self._below = np.zeros((len(counts) + 1, counts.shape[1]), dtype=np.int64)
        np.cumsum(counts, axis=0, out=self._below[1:])
        self._sizes = self._below.sum(axis=1)
        # n log2 n is looked up: a count is a whole number, and most are asked for often.
        n = np.arange(int(self._sizes[-1]) + 1, dtype=float)
        self._n_log_n = np.maximum(n, 1)
        np.log2(self._n_log_n, out=self._n_log_n)
        self._n_log_n *= n
        # Two neighbours of one and the same class are never cut apart by a best cut.
        only = np.where((counts > 0).sum(axis=1) == 1, counts.argmax(axis=1), -1)
        apart = (only[1:] != only[:-1]) | (only[1:] < 0)
        self._boundaries = np.flatnonzero(apart) + 1

    def cut(self, start: int, stop: int) -> int | None:
        """Return how many values lie below the cut of a part, or None: it stays whole."""
        places = self._candidates(start, stop)
        if not len(places):
            return None
        left = self._below[places] - self._below[start]
        right = self._below[stop] - self._below[places]
        best = int(np.argmin(self._surprise(left) + self._surprise(right)))
        return int(places[best]) if self._pays(left[best], right[best]) else None

    def _candidates(self, start: int, stop: int) -> NDArray[np.intp]:
        """Return the cuts among which the best one is.

        Within a run of values of one class the gain is convex in the place of the cut: the
        best one is a boundary, or else the first or the last that the minimum allows.
        """
        first = int(np.searchsorted(self._sizes, self._sizes[start] + self._minimum))
        last = int(np.searchsorted(self._sizes, self._sizes[stop] - self._minimum, "right")) - 1
        if first > last:
            return np.empty(0, dtype=np.intp)
        within = self._boundaries[slice(*np.searchsorted(self._boundaries, (first + 1, last)))]
        ends = np.array([first, last])
        return np.concatenate((ends[:1], within, ends[1:] if last > first else ends[:0]))

    def _surprise(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the entropy of each row of counts, times how many they are."""
        whole = self._n_log_n[counts.sum(axis=-1)]
        return np.asarray(whole - self._n_log_n[counts].sum(axis=-1))

    def _pays(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> bool:
        whole = left + right
        n, k = int(whole.sum()), int(np.count_nonzero(whole))
        surprise = [float(self._surprise(part)) for part in (whole, left, right)]
        gain = (surprise[0] - surprise[1] - surprise[2]) / n
        spread = [
            np.count_nonzero(part) * bits / int(part.sum())
            for part, bits in zip((whole, left, right), surprise, strict=True)
        ]
        # log2(3^k - 2), for a k of which 3^k is too great for a float.
        classes = k * np.log2(3) + np.log2(1 - 2 * 3.0**-k)
        price = np.log2(n - 1) + classes - (spread[0] - spread[1] - spread[2])
        return bool(gain > price / n)


def half_way(low: float, high: float) -> float:
    """Return the middle of two numbers, from the low one on and below the high one; finite."""
    # Halved first: the sum of two large numbers is infinite.
    middle = low / 2 + high / 2 if np.isfinite(low) else -np.inf
    if np.isfinite(middle) and low <= middle < high:
        return float(middle)
    return float(low if np.isfinite(low) else np.nextafter(high, -np.inf))
