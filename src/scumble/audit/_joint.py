"""What a second report tells about the truth behind a first one: nothing, or there is a leak."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scumble.audit._claim import Claim
from scumble.audit._events import Counts, weighed
from scumble.audit._truth_pairs import Pair, possible
from scumble.audit._views import View, cells_of, distinct
from scumble.schema import Categorical, Domain, Mechanism

IntArray = NDArray[np.int64]
_BINS = 20
# How often `excess` looks at two reports: two views, each way round.
LOOKS = 4


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
    Above zero in error with probability at most `LOOKS * alpha`.
    """
    worst = -math.inf
    size = len(search.own)
    rows = np.concatenate((search.second_truth, test.second_truth)).astype(np.int64)
    for view in _views(search, test):
        counts = Counts(
            _counted(view.codes[:size], rows[:size], view),
            _counted(view.codes[size:], rows[size:], view),
        )
        for each, claim in zip((counts, counts.turned), claims, strict=True):
            events = weighed(each, claim, ordered=False, alpha=alpha)
            worst = max([worst, *(event.excess for event in events)])
    return worst


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
    hidden = mechanism.interval_privacy(domain) or domain.width / 5
    low = domain.low if math.isfinite(domain.low) else min(domain.high, 0.0) - hidden
    # Multiplicative noise has little of it near zero: begin further up.
    width = domain.width if math.isfinite(domain.width) else 10 * hidden
    one = possible(domain, low + 0.37 * width)
    other = possible(domain, one + min(max(hidden / 10, width / 1000), width / 2))
    return one, other if other != one else one + (domain.step or width / 1000)
