"""What reports of a mechanism are seen to tell, beside what it claims."""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._claim import claim_of
from scumble.audit._events import Counts, Weighed, weighed
from scumble.audit._truth_pairs import Pair, truth_pairs
from scumble.audit._views import EXACT, View, distinct, views
from scumble.entropy import entropy_from
from scumble.errors import SpecificationError
from scumble.schema import Categorical, Domain, Mechanism
from scumble.schema._parameters import share

IntArray = NDArray[np.int64]
SURE = 1 - 1e-6
_FEWEST = 1000


@dataclass(frozen=True, kw_only=True)
class EmpiricalEpsilon:
    """What reports were seen to tell.

    Parameters
    ----------
    mechanism : str
        The name of the mechanism.
    bound : float
        A lower bound of epsilon: with the stated confidence, two truths differ at least
        so much in the log-probability of some event.
    claimed : float
        The epsilon that the mechanism claims on this domain.
    event : str
        What was looked at to see the bound.
    truths : tuple
        The two truths, chosen from the domain and not from data.
    contradictions : tuple of str
        What shows, each by itself, that the claim is wrong, the clearest first.
    confidence : float
        How sure the bound is, and with it any contradiction.
    samples : int
        How many reports of each truth were drawn.
    """

    mechanism: str
    bound: float
    claimed: float
    event: str
    truths: tuple[Any, Any]
    contradictions: tuple[str, ...]
    confidence: float
    samples: int

    @property
    def contradicted(self) -> bool:
        """Whether the samples contradict what the mechanism claims."""
        return bool(self.contradictions)

    @property
    def explanation(self) -> str:
        """The result in a sentence."""
        seen = (
            f"An adversary who sees one report can tell some truths apart: by {self.event}, one "
            f"of them is at least {math.exp(self.bound):.4g} times as likely as another"
        )
        if self.bound <= 0:
            seen = "In the reports that were drawn no two truths could be told apart"
        if not self.contradicted:
            return f"{seen}; nothing contradicts what the mechanism states."
        return f"{seen}; the mechanism states less, but by {self.contradictions[0]} more is told."

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON; infinity is the text "inf"."""
        given = asdict(self) | {"contradicted": self.contradicted, "explanation": self.explanation}
        claimed = "inf" if math.isinf(self.claimed) else self.claimed
        truths = [str(truth) for truth in self.truths]
        contradictions = list(self.contradictions)
        return given | {"claimed": claimed, "truths": truths, "contradictions": contradictions}


def empirical_epsilon(
    mechanism: Mechanism,
    domain: Domain,
    *,
    samples: int = 200_000,
    confidence: float = SURE,
    seed: int | None = None,
) -> EmpiricalEpsilon:
    """Draw reports of pairs of truths and look for what tells them apart.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism to try.
    domain : Numeric or Categorical
        The domain to try it on.
    samples : int
        How many reports of each truth: half of them to find events, half to weigh them.
    confidence : float
        With what probability the bound holds, over all pairs and events together.
    seed : int, optional
        For experiments. By default the noise is fresh.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.audit import empirical_epsilon
    >>> from scumble.mechanisms import Warner
    >>> seen = empirical_epsilon(Warner(keep=0.75), Categorical(["no", "yes"]))
    >>> 1.0 < seen.bound <= seen.claimed < 1.1, seen.contradicted
    (True, False)

    Notes
    -----
    Events are sets of cells, tails, exact values, last bits, what is left beside the
    grid, lengths as text, missing reports. For each pair of truths and each way to look,
    the event of the greatest ratio is found on the first half (a quarter ranks what may be
    seen, a quarter says how much of it makes the event); on the second half the
    bounds of Clopper and Pearson hold for both probabilities, at a level divided by the
    number of bounds. A claim is contradicted where P(event | one) exceeds
    e^x P(event | other) + delta(x) for some x, with delta the hockey-stick divergence that
    the channel states for the two truths; it is zero at the claimed epsilon. So truths that
    are close must look alike also where epsilon is infinite.
    """
    confidence = share("confidence", confidence)
    if samples < _FEWEST:
        raise SpecificationError(f"samples: expected at least {_FEWEST}, got {samples}")
    mechanism.check(domain)
    pairs = truth_pairs(mechanism, domain)
    counted = _Counted(mechanism, domain, pairs, samples=samples, seed=seed)
    found = list(_tried(mechanism, domain, pairs, counted, alpha=1 - confidence))
    view, pair, best = max(found, key=lambda each: each[2].bound)
    return EmpiricalEpsilon(
        mechanism=mechanism.name,
        bound=max(0.0, best.bound),
        claimed=mechanism.epsilon_on(domain),
        event=_words(view, best),
        truths=(_shown(domain, pair[0]), _shown(domain, pair[1])),
        contradictions=_contradictions(found),
        confidence=confidence,
        samples=samples,
    )


Tried = tuple[str, Pair, Weighed]


def _tried(
    mechanism: Mechanism, domain: Domain, pairs: list[Pair], counted: "_Counted", *, alpha: float
) -> Iterator[Tried]:
    """Weigh every view of every pair, in both directions."""
    seen = list(counted.views())
    level = alpha / (2 * len(pairs) * len(seen))
    claims = {pair: claim_of(mechanism, domain, *pair) for pair in _both_ways(pairs)}
    for view in seen:
        counts = counted.by(view)
        for pair, claim in claims.items():
            each = counted.of(counts, pair)
            for event in weighed(each, claim, ordered=view.ordered, alpha=level):
                yield view.name, pair, event


def _both_ways(pairs: list[Pair]) -> list[Pair]:
    return pairs + [(other, one) for one, other in pairs]


class _Counted:
    """Reports of several truths, counted by what they are, in three parts."""

    def __init__(
        self,
        mechanism: Mechanism,
        domain: Domain,
        pairs: list[Pair],
        *,
        samples: int,
        seed: int | None,
    ) -> None:
        self._truths = sorted({truth for pair in pairs for truth in pair})
        self._grid = mechanism.grid_on(domain) if hasattr(mechanism, "grid_on") else None
        drawn = drawn_reports(mechanism, domain, self._truths, samples=samples, seed=seed)
        self._values, places = distinct(drawn)
        self._places = places.reshape(len(self._truths), samples)
        self._parts = np.split(self._places, [samples // 4, samples // 2], axis=1)

    def views(self) -> Iterator[View]:
        """Return all that can be looked at, by what the first part holds."""
        seen = np.bincount(self._parts[0].ravel(), minlength=len(self._values))
        return views(self._values, seen.astype(float), grid=self._grid)

    def by(self, view: View) -> list[IntArray]:
        """Return the counts of each part, a row for each truth."""
        return [np.array([_counts(view, row) for row in part]) for part in self._parts]

    def of(self, counts: list[IntArray], pair: Pair) -> Counts:
        """Return what of the counts belongs to two truths."""
        rows = [self._truths.index(truth) for truth in pair]
        return Counts(*(part[rows] for part in counts))


def _counts(view: View, places: IntArray) -> IntArray:
    return np.bincount(view.codes[places], minlength=int(view.codes.max()) + 1)


def drawn_reports(
    mechanism: Mechanism, domain: Domain, truths: list[float], *, samples: int, seed: int | None
) -> NDArray[Any]:
    """Return reports of each truth, one truth after the other."""
    kind = np.int32 if isinstance(domain, Categorical) else np.float64
    stream = entropy_from(seed).stream("empirical epsilon")
    truth = np.repeat(np.array(truths).astype(kind), samples)
    return mechanism.disguise(truth, domain, stream)


def _words(view: str, event: Weighed) -> str:
    if view == EXACT and event.never:
        return "a report that only one of the truths gives"
    return view


def _contradictions(found: list[Tried]) -> tuple[str, ...]:
    wrong = [(event.excess, _words(view, event)) for view, _, event in found if event.excess > 0]
    return tuple(dict.fromkeys(words for _, words in sorted(wrong, reverse=True)))


def _shown(domain: Domain, truth: float) -> Any:
    if isinstance(domain, Categorical):
        return domain.values[int(truth)]
    return domain.between(truth, truth + 1).low
