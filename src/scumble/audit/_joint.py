"""What a second report tells about the truth behind a first one: nothing, or there is a leak."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scumble.audit._binomial_bounds import at_least
from scumble.audit._claim import Claim
from scumble.audit._events import Counts, weighed
from scumble.audit._truth_pairs import Pair, ends, possible
from scumble.audit._views import View, cells_of, distinct
from scumble.schema import Categorical, Domain, Mechanism

IntArray = NDArray[np.int64]
_BINS = 20
# How often two reports are looked at: two views, each way round, and whether they are equal.
LOOKS = 5


class Joint(NamedTuple):
    """Two reports of each case, and which of two truths is behind the first.

    The truth behind the second is the same in all cases.
    """

    own: NDArray[Any]
    other: NDArray[Any]
    second_truth: NDArray[np.bool_]


def excess(search: Joint, test: Joint, claims: tuple[Claim, Claim], *, alpha: float) -> float:
    """Return by how much two reports contradict what is claimed of the first alone.

    If the second is independent of the first, the two tell no more than the first one.
    Above zero in error with probability at most `(LOOKS - 1) * alpha`.
    """
    worst = -math.inf
    size, half = len(search.own), len(search.own) // 2
    rows = np.concatenate((search.second_truth, test.second_truth)).astype(np.int64)
    for view in _views(search, test):
        parts = zip(*(np.split(each, [half, size]) for each in (view.codes, rows)), strict=True)
        counts = Counts(*(_counted(codes, row, view) for codes, row in parts))
        for each, claim in zip((counts, counts.turned), claims, strict=True):
            events = weighed(each, claim, ordered=False, alpha=alpha)
            worst = max([worst, *(event.excess for event in events)])
    return worst


def equal_too_often(test: Joint, stated: float, *, alpha: float) -> bool:
    """Say whether two reports of one truth are equal more often than is stated.

    In error with probability at most `alpha`.
    """
    rows = ~test.second_truth
    size = f"i{test.own.dtype.itemsize}"
    equal = test.own[rows].view(size) == test.other[rows].view(size)
    return at_least(int(equal.sum()), len(equal), alpha=alpha) > stated


def _counted(codes: IntArray, rows: IntArray, view: View) -> IntArray:
    width = int(view.codes.max(initial=0)) + 1
    return np.bincount(rows * width + codes, minlength=2 * width).reshape(2, width)


def _views(search: Joint, test: Joint) -> Iterator[View]:
    own, other = (np.concatenate(pair) for pair in zip(search[:2], test[:2], strict=True))
    size = len(search.own)
    codes = _cells(own, size) * (_BINS + 1) + _cells(other, size)
    yield View("both reports", codes)
    if own.dtype == other.dtype:
        yield View("the difference of the reports", distinct(own - other)[1])


def _cells(reports: NDArray[Any], size: int) -> IntArray:
    values, places = distinct(reports)
    weights = np.bincount(places[:size], minlength=len(values)).astype(float)
    return cells_of(values, weights, bins=_BINS)[places]


def near_pair(mechanism: Mechanism, domain: Domain) -> Pair:
    """Return two truths that one report alone tells apart only now and then.

    Numbers a tenth of the interval apart that a report hides: another report that tells
    of the noise of the first then tells much more.
    """
    if isinstance(domain, Categorical):
        return 0.0, 1.0
    low, high = ends(mechanism, domain)
    width = high - low
    hidden = mechanism.interval_privacy(domain) or width / 5
    # Not at the end: multiplicative noise has little of it near zero.
    one = possible(domain, low + 0.37 * width)
    other = possible(domain, one + min(max(hidden / 10, width / 1000), width / 2))
    return one, other if other != one else one + (domain.step or width / 1000)
