"""Maximum likelihood by expectation-maximisation, plain and smoothed."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from scumble.reconstruction._fit import Fit
from scumble.schema import Cells, Channel

FloatArray = NDArray[np.float64]


class Observed:
    """The counts that are not zero, with the columns of the channel that they need."""

    def __init__(self, counts: FloatArray, matrix: FloatArray) -> None:
        hit = counts > 0
        self.counts = counts[hit]
        self.columns = np.ascontiguousarray(matrix[:, hit])
        self.total = float(self.counts.sum())

    def expected(self, shares: FloatArray) -> FloatArray:
        """Return the probability of each observed report cell."""
        # Tiny instead of zero: a start that rules a report out must not divide by it.
        return np.maximum(shares @ self.columns, 1e-300)

    def log_likelihood(self, expected: FloatArray) -> float:
        """Return the log-likelihood of the counts."""
        return float(self.counts @ np.log(expected))

    def step(self, shares: FloatArray, expected: FloatArray) -> FloatArray:
        """Return the mean posterior over the reports: Bayes' rule, cell by cell."""
        return shares * (self.columns @ (self.counts / expected)) / self.total


@dataclass(frozen=True, kw_only=True)
class EM:
    """Expectation-maximisation until the likelihood rests.

    The same step as Bayes' rule iterated (AS Eq. 3); what differs is when to stop.
    At rest it is the maximum-likelihood estimate, which is spiky for noisy numbers.

    Parameters
    ----------
    tolerance : float
        Stop when a step gains less than this in log-likelihood ...
    movement : float
        ... and moves less than this share of the truths.
    most : int
        Stop after so many steps at the latest.
    """

    name: ClassVar[str] = "em"
    tolerance: float = 1e-3
    movement: float = 1e-5
    most: int = 100_000

    def fit(self, counts: FloatArray, channel: Channel) -> Fit:
        """Return the shares of the truth cells."""
        return iterate(
            counts, channel, tolerance=self.tolerance, movement=self.movement, most=self.most
        )


@dataclass(frozen=True, kw_only=True)
class EMS:
    """Expectation-maximisation with smoothing after each step.

    Neighbouring intervals are averaged with weights 1, 2, 1; points are not.

    Parameters
    ----------
    tolerance : float
        Stop when a step changes the log-likelihood by less than this.
    most : int
        Stop after so many steps at the latest.

    Notes
    -----
    Li et al., SIGMOD 2020, after Silverman et al. 1990. The smoothing has a bias
    that depends on the width of the cells and does not vanish with more reports.
    """

    name: ClassVar[str] = "ems"
    tolerance: float = 1e-3
    most: int = 10_000

    def fit(self, counts: FloatArray, channel: Channel) -> Fit:
        """Return the shares of the truth cells."""
        smooth = _smoother(channel)
        return iterate(counts, channel, tolerance=self.tolerance, most=self.most, smooth=smooth)


def iterate(
    counts: FloatArray,
    channel: Channel,
    *,
    tolerance: float,
    most: int,
    movement: float = math.inf,
    smooth: Callable[[FloatArray], FloatArray] | None = None,
) -> Fit:
    """Iterate Bayes' rule from equal shares until the log-likelihood rests."""
    observed = Observed(counts, channel.matrix)
    shares = np.full(len(channel.truth), 1 / len(channel.truth))
    expected = observed.expected(shares)
    before = observed.log_likelihood(expected)
    for iteration in range(1, most + 1):
        moved = shares
        shares = observed.step(shares, expected)
        if smooth is not None:
            shares = smooth(shares)
        moved = shares - moved
        expected = observed.expected(shares)
        after = observed.log_likelihood(expected)
        if abs(after - before) < tolerance and np.abs(moved).sum() < 2 * movement:
            return Fit(shares, iterations=iteration)
        before = after
    return Fit(shares, iterations=most, converged=False)


def _smoother(channel: Channel) -> Callable[[FloatArray], FloatArray] | None:
    if not isinstance(channel.truth, Cells):
        return None
    intervals = ~channel.truth.is_point
    if intervals.sum() < 3:
        intervals = channel.truth.is_point

    def smooth(shares: FloatArray) -> FloatArray:
        run = shares[intervals]
        padded = np.concatenate((run[:1], run, run[-1:]))
        shares = shares.copy()
        shares[intervals] = (padded[:-2] + 2 * run + padded[2:]) / 4
        return shares

    return smooth
