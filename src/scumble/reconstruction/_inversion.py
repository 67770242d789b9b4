"""Solving the channel for the shares: unbiased, and sometimes negative."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from scumble.reconstruction._fit import Fit, NormalErrors
from scumble.schema import Channel

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Inversion:
    """The shares whose expected reports are the observed ones.

    Parameters
    ----------
    project : bool
        Move the solution to the nearest shares that are not negative and sum to
        one. Without it the estimate is unbiased, as its standard errors assume.
    """

    name: ClassVar[str] = "inversion"
    project: bool = True

    def fit(self, counts: FloatArray, channel: Channel) -> Fit:
        """Return the shares of the truth cells."""
        total = float(counts.sum())
        reported = counts / total
        if channel.mixture is not None:
            kept, base = channel.mixture
            shares = (reported - base) / kept
            errors = mixture_errors(shares, onto_simplex(shares), total, channel.mixture)
        else:
            solve = np.linalg.pinv(channel.matrix.T)
            scatter = np.diag(reported) - np.outer(reported, reported)
            covariance = np.asarray(solve @ scatter @ solve.T, dtype=float) / total
            errors = NormalErrors.from_covariance(np.asarray(solve @ reported), covariance)
        shares = onto_simplex(errors.shares) if self.project else errors.shares
        return Fit(shares, uncertainty=errors)


def mixture_errors(
    estimate: FloatArray, possible: FloatArray, total: float, mixture: tuple[float, FloatArray]
) -> NormalErrors:
    """Return the errors of an estimate through a channel a [same] + b, without a matrix.

    The spread is that of the reports which possible shares lead us to expect: a value
    that nobody happened to report is not a value that nobody can report.
    """
    kept, base = mixture
    expected = kept * possible + base
    running = np.cumsum(expected).clip(0, 1)
    scale = abs(kept) * np.sqrt(total)
    return NormalErrors(
        estimate,
        np.sqrt(np.clip(expected * (1 - expected), 0, None)) / scale,
        np.sqrt(running * (1 - running)) / scale,
    )


def onto_simplex(values: FloatArray) -> FloatArray:
    """Return the nearest shares that are not negative and sum to one.

    Examples
    --------
    >>> onto_simplex(np.array([0.7, 0.4, -0.1])).round(3).tolist()
    [0.65, 0.35, 0.0]
    """
    descending = np.sort(values)[::-1]
    excess = (np.cumsum(descending) - 1) / np.arange(1, len(values) + 1)
    kept = np.flatnonzero(descending > excess)[-1]
    return np.asarray(np.maximum(values - excess[kept], 0))
