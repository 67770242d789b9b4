"""One penalised fit of a log density, by Newton's method."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scumble.reconstruction._roughness import Prior

FloatArray = NDArray[np.float64]

_STEP_CAP = 6.0
_SETTLED = 1e-2  # of the squared Newton decrement, in nats
_DAMPED_ABOVE = 1.0  # the same, above which steps are damped
_MOST_STEPS, _LAST_STEPS = 30, 3
_STEP_BUDGET = 440  # for all fits with a basis that stays; beyond it a fit gets the last steps
_TINY = 1e-300


class Problem:
    """Counts, the channel, and how many steps have been spent on them.

    Parameters
    ----------
    counts : array of shape (reports,)
        The counts.
    rows : array of shape (truths, reports)
        The channel.
    log_widths : array of shape (truths,)
        The logarithm of the width of each cell: what is smooth is the density.
    """

    def __init__(self, counts: FloatArray, rows: FloatArray, log_widths: FloatArray) -> None:
        self.counts, self.rows, self.log_widths = counts, rows, log_widths
        self.total = float(counts.sum())
        self.steps_taken = 0
        self._hit = np.flatnonzero(counts > 0)
        self._hit_counts = counts[self._hit]

    @property
    def allowance(self) -> int:
        """How many steps the next fit may take."""
        return _MOST_STEPS if self.steps_taken < _STEP_BUDGET else _LAST_STEPS

    def shares(self, log_density: FloatArray) -> FloatArray:
        """Return the shares of a log density."""
        theta = log_density + self.log_widths
        weights = np.exp(theta - theta.max())
        return np.asarray(weights / weights.sum())

    def log_likelihood(self, expected: FloatArray) -> float:
        """Return the log-likelihood of the counts."""
        return float(self._hit_counts @ np.log(np.maximum(expected[self._hit], _TINY)))

    def slope(self, shares: FloatArray, expected: FloatArray) -> FloatArray:
        """Return the gradient of the log-likelihood in the log density."""
        ratio = np.zeros_like(expected)
        ratio[self._hit] = self._hit_counts / np.maximum(expected[self._hit], _TINY)
        return shares * (self.rows @ ratio - self.total)

    def information(
        self, shares: FloatArray, expected: FloatArray, basis: FloatArray | None
    ) -> FloatArray:
        """Return Fisher's information on the coefficients."""
        root = 1.0 / np.sqrt(np.maximum(expected, _TINY))
        if basis is None:
            half, lean = self.rows * shares[:, None] * root, shares
        else:
            half, lean = ((basis.T * shares) @ self.rows) * root, basis.T @ shares
        return np.asarray(self.total * (half @ half.T - np.outer(lean, lean)))


@dataclass(frozen=True, eq=False)
class Member:
    """One fit.

    Attributes
    ----------
    family : str
        The family it belongs to.
    roughness : float
        Its place there: 0 the smoothest, 1 rough, above it spiky.
    shares : array
        The shares that it found.
    log_density : array
        The logarithm of the density that it found, up to a constant.
    coefficients : array
        What was fitted.
    basis : array, optional
        How the log density moves with the coefficients; without it they are the log density.
    factor : array
        The lower Cholesky factor of the precision of the coefficients.
    evidence : float
        Laplace's approximation of the log-probability of the counts.
    steps : int
        How many steps it took.
    settled : bool
        Whether it came to rest.
    """

    family: str
    roughness: float
    shares: FloatArray
    log_density: FloatArray
    coefficients: FloatArray
    basis: FloatArray | None
    factor: FloatArray
    evidence: float
    steps: int
    settled: bool


@dataclass(frozen=True, eq=False)
class Place:
    """A place of the climb: coefficients and what follows from them."""

    at: FloatArray
    log_density: FloatArray
    basis: FloatArray | None
    shares: FloatArray
    expected: FloatArray
    height: float


@dataclass(frozen=True, eq=False)
class Climb:
    """The way to the top of a penalised likelihood.

    Parameters
    ----------
    problem : Problem
        The counts and the channel.
    prior : Prior
        The penalty.
    basis : array, optional
        Directions in which the log density may move.
    """

    problem: Problem
    prior: Prior
    basis: FloatArray | None = None

    def member(self, start: FloatArray, *, family: str, roughness: float) -> Member:
        """Climb from a start by Fisher scoring and return the fit at the top."""
        place = self._place(start)
        damped = place.basis is None
        allowed = self._allowance
        for steps in range(allowed + 1):
            last = steps == allowed
            slope, precision = self._local(place, damped=damped and not last)
            factor = _cholesky(precision)
            move = _solved(factor, slope)
            decrement = float(slope @ move)
            if last or (decrement < _SETTLED and not damped):
                break
            ahead = self._ahead(place, move)
            if ahead is None and not damped:
                break
            damped = damped and decrement > _DAMPED_ABOVE and ahead is not None
            place = place if ahead is None else ahead
        self.problem.steps_taken += steps
        evidence = place.height + self.prior.log_norm - float(np.log(np.diag(factor)).sum())
        evidence += self.prior.evidence_gap(place.at, factor)
        return Member(
            family,
            roughness,
            place.shares,
            place.log_density,
            place.at,
            place.basis,
            factor,
            evidence,
            steps,
            settled=decrement < _DAMPED_ABOVE,
        )

    @property
    def _allowance(self) -> int:
        return self.problem.allowance

    def _spanned(self, at: FloatArray) -> tuple[FloatArray, FloatArray | None]:
        """Return the log density, and how it moves with the coefficients."""
        return (at if self.basis is None else self.basis @ at), self.basis

    def _place(self, at: FloatArray) -> Place:
        log_density, basis = self._spanned(at)
        shares = self.problem.shares(log_density)
        expected = shares @ self.problem.rows
        height = self.problem.log_likelihood(expected) + self.prior.log_density(at)
        return Place(at, log_density, basis, shares, expected, height)

    def _local(self, place: Place, *, damped: bool) -> tuple[FloatArray, FloatArray]:
        """Return the slope and the precision at a place."""
        curvature = self.prior.curvature(place.at)
        pull = self.problem.slope(place.shares, place.expected)
        slope = (pull if place.basis is None else place.basis.T @ pull) - curvature @ place.at
        precision = self.problem.information(place.shares, place.expected, place.basis) + curvature
        if damped:
            # Where the data ask for less mass a full step would overshoot into nothing.
            precision[np.diag_indices(len(slope))] += np.maximum(-pull, 0.0)
        return slope, precision

    def _stretch(self, place: Place, move: FloatArray) -> float:
        """Return how many times as long as allowed a move is."""
        far = move if place.basis is None else place.basis @ move
        return float(np.abs(far).max()) / _STEP_CAP

    def _ahead(self, place: Place, move: FloatArray) -> Place | None:
        """Return the place after the longest of the capped step and its halves that climbs."""
        scale = min(1.0, 1.0 / max(self._stretch(place, move), _TINY))
        while scale > 1e-6:
            trial = self._place(place.at + scale * move)
            if trial.height >= place.height:
                return trial
            scale *= 0.5
        return None


def _cholesky(matrix: FloatArray) -> FloatArray:
    """Return the lower factor; a matrix on the edge of definiteness is lifted a little."""
    from scipy.linalg.lapack import dpotrf

    lifted, lift = matrix, 0.0
    for _ in range(8):
        factor, failed = dpotrf(lifted, lower=1, clean=1)
        if not failed:
            return np.asarray(factor)
        lift = max(100.0 * lift, 1e-12 * float(np.trace(matrix)) / len(matrix))
        lifted = matrix + lift * np.eye(len(matrix))
    raise np.linalg.LinAlgError("the posterior precision is not positive definite")


def _solved(factor: FloatArray, slope: FloatArray) -> FloatArray:
    from scipy.linalg.lapack import dpotrs

    return np.asarray(dpotrs(factor, slope, lower=1)[0])
