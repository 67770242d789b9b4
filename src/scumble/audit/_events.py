"""An event that tells two truths apart: found on some reports, weighed on others."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scumble.audit._binomial_bounds import at_least, at_most, foreseen
from scumble.audit._claim import Claim

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


class Counts(NamedTuple):
    """How often each code was seen, in three parts: a row for each of two truths.

    One part says which codes tell most, one how many of them make the best event, and one
    how likely that event is.
    """

    rank: IntArray
    cut: IntArray
    test: IntArray

    @property
    def turned(self) -> "Counts":
        """The same with the truths exchanged."""
        return Counts(self.rank[::-1], self.cut[::-1], self.test[::-1])


@dataclass(frozen=True, kw_only=True)
class Weighed:
    """An event with bounds of its probability under two truths.

    Parameters
    ----------
    low : float
        What the probability under the first truth exceeds.
    high : float
        What the probability under the second stays below.
    excess : float
        By how much that contradicts the claim; not above zero: not at all.
    never : bool
        Whether the second truth was never seen to give it.
    """

    low: float
    high: float
    excess: float
    never: bool

    @property
    def bound(self) -> float:
        """What the log-ratio of the two probabilities exceeds."""
        return math.log(self.low / self.high) if self.low else -math.inf


def weighed(counts: Counts, claim: Claim, *, ordered: bool, alpha: float) -> list[Weighed]:
    """Return the event of the greatest ratio, and the one that most contradicts the claim.

    Each is found on the first parts, so that its bounds on the last one hold: all four
    bounds together are wrong with probability at most `alpha`.
    """
    orders = _by_code(counts.rank) if ordered else [_by_ratio(counts.rank)]
    found = []
    for aim in (Claim(np.zeros(1), np.zeros(1)), claim):
        if len(aim):
            chosen = _best(counts, orders, aim, alpha=alpha / 4)
            found.append(_weigh(counts.test, chosen, claim, alpha=alpha / 4))
    return found


def _weigh(test: IntArray, event: BoolArray, claim: Claim, *, alpha: float) -> Weighed:
    hits, totals = test[:, event].sum(axis=1), test.sum(axis=1)
    low = at_least(int(hits[0]), int(totals[0]), alpha=alpha)
    high = at_most(int(hits[1]), int(totals[1]), alpha=alpha)
    never = hits[1] == 0 and hits[0] > 0
    return Weighed(low=low, high=high, excess=claim.excess(low, high), never=bool(never))


def _by_ratio(rank: IntArray) -> IntArray:
    """Return the rank of each code: first those that tell most for the first truth.

    Codes seen equally often have one rank. One that was never seen has none (-1): nothing
    is known of it.
    """
    seen = rank.sum(axis=0) > 0
    base = rank[1].max(initial=0) + 1
    keys, places = np.unique(rank[0, seen] * base + rank[1, seen], return_inverse=True)
    first, second = np.divmod(keys, base)
    # One more of each: a code that was seen once tells less than one seen often.
    order = np.argsort(-(first + 1) / (second + 1), kind="stable")
    place_of = np.empty_like(order)
    place_of[order] = np.arange(len(order))
    ranks = np.full(rank.shape[1], -1)
    ranks[seen] = place_of[places]
    return ranks


def _by_code(rank: IntArray) -> list[IntArray]:
    places = np.arange(rank.shape[1])
    return [places, places[::-1]]


def _best(counts: Counts, orders: list[IntArray], aim: Claim, *, alpha: float) -> BoolArray:
    """Return the codes of the first ranks, as many as promise the greatest excess."""
    choices = [_first_ranks(counts, ranks, aim, alpha) for ranks in orders]
    _, ranks, cut = max(choices, key=lambda choice: choice[0])
    return (ranks >= 0) & (ranks <= cut)


def _first_ranks(
    counts: Counts, ranks: IntArray, aim: Claim, alpha: float
) -> tuple[float, IntArray, int]:
    from scipy.special import ndtri

    seen, deviations = ranks >= 0, -float(ndtri(alpha))
    totals = counts.test.sum(axis=1)
    # As many as are to be expected in the test.
    one, other = (
        np.cumsum(np.bincount(ranks[seen], weights=row[seen])) * (total / max(row.sum(), 1))
        for row, total in zip(counts.cut, totals, strict=True)
    )
    low = foreseen(one, deviations=deviations)[0] / totals[0]
    high = foreseen(other, deviations=deviations)[1] / totals[1]
    allowed = np.exp(aim.ratios)[:, None] * np.minimum(high, 1) + aim.deltas[:, None]
    promise = (low / allowed).max(axis=0)
    cut = int(np.argmax(promise))
    return float(promise[cut]), ranks, cut
