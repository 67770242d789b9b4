"""What a paper claims of its trees, beside what we measure."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Self

from scumble.experiments._tree_accuracy import AlgorithmName, NoiseName, percent
from scumble.experiments._tree_summary import Accuracies, Case, Points

#: The paper says "close" and "comparable" without a figure; it gives 5 points where it is
#: proud of the result, so more than that is not called close here.
CLOSE = 5.0
_CORRECTED: tuple[AlgorithmName, ...] = ("ByClass", "Local")
_NOISES: tuple[NoiseName, ...] = ("gaussian", "uniform")


@dataclass(frozen=True)
class Claim:
    """A claim of the paper and the figure that decides it.

    Attributes
    ----------
    statement : str
        What is claimed, in our words.
    paper : str
        The figure that the paper gives, or how its words are read.
    ours : Points
        Our figure: a difference of accuracies, mean and spread over seeds.
    where : str
        What it was measured on; of several cases, the one least in favour.
    holds : bool
        Whether our mean bears the claim out.
    clear : bool
        Whether it would with the spread added or taken off; otherwise it is a toss.

    Examples
    --------
    >>> from scumble.experiments import Claim, Points
    >>> print(Claim("ByClass beats Global on function 1", "more than 0",
    ...     Points(12.5, 0.5), "gaussian, 100 %", holds=True, clear=True))
    holds: ByClass beats Global on function 1 (paper: more than 0; ours: 12.5 ±0.5 points,
    gaussian, 100 %)
    """

    statement: str
    paper: str
    ours: Points
    where: str
    holds: bool
    clear: bool

    @classmethod
    def by(cls, margin: float, *, statement: str, paper: str, ours: Points, where: str) -> Self:
        """Return the claim that our figure bears out by a margin, not at all if it is 0."""
        # A single seed has no spread, nan: then nothing is clear.
        return cls(statement, paper, ours, where, margin > 0, abs(margin) > ours.spread)

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "does not hold"
        if math.isnan(self.ours.spread):
            verdict += " on a single seed"
        elif not self.clear:
            verdict += ", within the spread"
        return (
            f"{verdict}: {self.statement} (paper: {self.paper}; "
            f"ours: {self.ours} points, {self.where})"
        )


def near_original(
    found: Accuracies,
    privacies: Sequence[float],
    *,
    bounds: Mapping[int, float],
    paper: str = "at most {bound:g} points",
) -> Iterator[Claim]:
    """Yield for each function: corrected trees lose no more than the bound to Original."""
    for function in found.functions:
        original: Case = (function, "Original", None, 0.0)
        losses = {
            case: found.between(original, case)
            for case in _measured(found, function, _CORRECTED, privacies)
            if found.has(original)
        }
        if losses:
            worst = max(losses, key=lambda case: losses[case].mean)
            bound = bounds.get(function, CLOSE)
            yield Claim.by(
                bound - losses[worst].mean,
                statement=f"function {function}: corrected trees come near Original "
                f"{_up_to(privacies)}",
                paper=paper.format(bound=bound),
                ours=losses[worst],
                where=_where(worst),
            )


def beats(
    found: Accuracies,
    winners: Sequence[AlgorithmName],
    loser: AlgorithmName,
    *,
    privacy: float,
) -> Iterator[Claim]:
    """Yield for each function and noise: each of the winners is more accurate."""
    for function, noise in product(found.functions, _NOISES):
        other = (function, loser, noise, privacy)
        leads = {
            case: found.between(case, other)
            for case in _measured(found, function, winners, [privacy], [noise])
            if found.has(other)
        }
        if leads:
            worst = min(leads, key=lambda case: leads[case].mean)
            verb = "beats" if len(winners) == 1 else "beat"
            yield Claim.by(
                leads[worst].mean,
                statement=f"function {function}, {noise}: {' and '.join(winners)} {verb} {loser}",
                paper="more than 0",
                ours=leads[worst],
                where=_where(worst),
            )


def uniform_hurts_more(found: Accuracies, privacies: Sequence[float]) -> Iterator[Claim]:
    """Yield for each function: uncorrected, uniform noise costs more than Gaussian."""
    for function in found.functions:
        gaps = _gaps(found, function, ["Randomized"], privacies)
        if gaps:
            worst = min(gaps, key=lambda case: gaps[case].mean)
            yield Claim.by(
                gaps[worst].mean,
                statement=f"function {function}: uniform noise hurts Randomized more than Gaussian",
                paper="more than 0",
                ours=gaps[worst],
                where=_where(worst, noise="gaussian less uniform"),
            )


def comparable_after_correction(found: Accuracies, privacies: Sequence[float]) -> Iterator[Claim]:
    """Yield for each function: corrected, the two noises cost about the same."""
    for function in found.functions:
        gaps = _gaps(found, function, _CORRECTED, privacies)
        if gaps:
            worst = max(gaps, key=lambda case: abs(gaps[case].mean))
            yield Claim.by(
                CLOSE - abs(gaps[worst].mean),
                statement=f"function {function}: after correction both noises cost about the same",
                paper=f"comparable, read as {CLOSE:g} points",
                ours=gaps[worst],
                where=_where(worst, noise="gaussian less uniform"),
            )


def _gaps(
    found: Accuracies,
    function: int,
    algorithms: Sequence[AlgorithmName],
    privacies: Sequence[float],
) -> dict[Case, Points]:
    """Return how much more accurate each tree is with Gaussian noise than with uniform."""
    pairs = [
        ((function, algorithm, _NOISES[0], privacy), (function, algorithm, _NOISES[1], privacy))
        for algorithm, privacy in product(algorithms, privacies)
    ]
    return {case: found.between(case, other) for case, other in pairs if found.has(case, other)}


def _measured(
    found: Accuracies,
    function: int,
    algorithms: Sequence[AlgorithmName],
    privacies: Sequence[float],
    noises: Sequence[NoiseName] = _NOISES,
) -> list[Case]:
    cases = [
        (function, algorithm, noise, privacy)
        for algorithm, noise, privacy in product(algorithms, noises, privacies)
    ]
    return [case for case in cases if found.has(case)]


def _where(case: Case, *, noise: str | None = None) -> str:
    _, algorithm, own, privacy = case
    return f"{algorithm}, {noise or own}, {percent(privacy)}"


def _up_to(privacies: Sequence[float]) -> str:
    return ("up to " if len(privacies) > 1 else "at ") + percent(max(privacies))
