"""How well the constants of a rule can be learned from reports of known noise."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scumble.datasets import make_quest
from scumble.experiments._limit_reports import FloatArray, Seen, Unreported, reported
from scumble.experiments._limit_rules import Rule

# A first step to differentiate by, and the longest, as shares of a constant's range.
_FIRST_STEP, _LONGEST_STEP = 0.01, 0.05
_ROUNDS = 3
_MOST_STEPS = 20
_LEAST_ROOT = 1e-100


@dataclass(frozen=True, eq=False)
class Evidence:
    """Reports of records of known class, and the rule that made the classes.

    Attributes
    ----------
    rule : Rule
        The rule, its constants unknown to the miner.
    seen : mapping of str to Seen
        The reports of each attribute.
    in_a : array of bool
        Which records are in group A; half of them.
    """

    rule: Rule
    seen: Mapping[str, Seen]
    in_a: NDArray[np.bool_]

    @classmethod
    def drawn(
        cls,
        rule: Rule,
        function: int,
        *,
        noise: str,
        privacy: float,
        n: int,
        seed: int,
        related: bool = True,
    ) -> Self:
        """Return reports of n generated records, half of each group."""
        columns, in_a = quest_columns(rule, function, n=n, seed=seed)
        rng = np.random.default_rng([seed, 1])
        seen = reported(columns, noise=noise, privacy=privacy, rng=rng)
        if not related:
            seen |= {name: Unreported() for name in rule.related}
        return cls(rule, seen, in_a)

    def likelihood(self, constants: FloatArray) -> FloatArray:
        """Return p(report | class) of each record, up to a factor that no constant changes."""
        share, prior = self.rule.share(self.seen, constants), self.rule.prior(constants)
        # Classes are balanced: half of the records are drawn from each, whatever the prior.
        return np.where(self.in_a, share / prior, np.maximum(1 - share, 0.0) / (1 - prior))

    def scores(self, constants: FloatArray, steps: FloatArray) -> FloatArray:
        """Return the derivatives of the log-likelihoods, a row for each constant.

        They are taken from square roots of likelihoods a step to both sides. For short
        steps that is the ordinary score. Where a likelihood has an edge, as with
        uniform noise, the ordinary score has no finite variance; this one has.
        """
        roots = np.sqrt(self.likelihood(constants))
        # At an edge a sum over a grid of truths may miss the few that are possible.
        weights = np.where(roots > 0, 1 / np.maximum(roots, _LEAST_ROOT), 0.0)
        rows = []
        for place, step in enumerate(steps):
            shift = step * (np.arange(len(constants)) == place)
            ahead, behind = (self.likelihood(constants + s) for s in (shift, -shift))
            rows.append((np.sqrt(ahead) - np.sqrt(behind)) * weights / step)
        return np.stack(rows)


def quest_columns(
    rule: Rule, function: int, *, n: int, seed: int
) -> tuple[dict[str, FloatArray], NDArray[np.bool_]]:
    """Return the attributes that matter to a rule, and which records are in group A."""
    X, y = make_quest(function, n=n, seed=seed)
    columns = {name: X[name].to_numpy().astype(float) for name in rule.attributes}
    return columns, y == "A"


def information_at(
    evidence: Evidence, constants: FloatArray, *, records: int
) -> tuple[FloatArray, FloatArray]:
    """Return the information per record about constants, at the scale that records resolve.

    Returns
    -------
    information : array
        A row and a column for each constant.
    steps : array
        What was differentiated by in the end: what so many records tell apart of a
        constant if the others are known.
    """
    ranges = evidence.rule.ranges
    steps = _FIRST_STEP * ranges
    for _ in range(_ROUNDS):
        scores = evidence.scores(constants, steps)
        found = scores @ scores.T / scores.shape[1]
        resolved = 1 / np.sqrt(records * np.diagonal(found))
        steps = np.minimum(resolved, _LONGEST_STEP * ranges)
    return found, steps


def most_likely_constants(evidence: Evidence) -> FloatArray:
    """Return the constants that make the reports most likely, sought from the true ones."""
    constants = evidence.rule.constants.copy()
    records = len(evidence.in_a)
    reached = _log_likelihood(evidence, constants)
    for _ in range(_MOST_STEPS):
        _, steps = information_at(evidence, constants, records=records)
        scores = evidence.scores(constants, steps)
        move = np.linalg.solve(scores @ scores.T, scores.sum(axis=1))
        moved, value = _uphill(evidence, constants, move, reached)
        if value - reached < 0.01:
            return moved
        constants, reached = moved, value
    return constants


def _uphill(
    evidence: Evidence, constants: FloatArray, move: FloatArray, reached: float
) -> tuple[FloatArray, float]:
    """Return the first of ever shorter moves that leads uphill, or stay."""
    for power in range(8):
        moved = constants + move / 2**power
        value = _log_likelihood(evidence, moved)
        if value > reached:
            return moved, value
    return constants, reached


def _log_likelihood(evidence: Evidence, constants: FloatArray) -> float:
    with np.errstate(divide="ignore"):
        return float(np.log(evidence.likelihood(constants)).sum())


def accuracy_of(
    rule: Rule, test: tuple[Mapping[str, NDArray[Any]], NDArray[np.bool_]], constants: FloatArray
) -> float:
    """Return the share of test records that the rule puts right with these constants."""
    columns, in_a = test
    return float(np.mean(rule.in_a(columns, constants) == in_a))
