"""The band of the default: what the fits leave open."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scumble.reconstruction._climb import Member
from scumble.reconstruction._fit import Of

FloatArray = NDArray[np.float64]
Bounds = tuple[FloatArray, FloatArray]

# The band also holds a rough fit of each order, with this share of its own half-width. It is
# the one before the roughest, under which hardly anything is known of single cells.
_ENVELOPE, _ROUGH = 0.65, -2
_NEGLIGIBLE = 1e-3
# A share of which at most so many reports speak may be nothing at all.
_FEW = 3.0


@dataclass(frozen=True, eq=False)
class PosteriorBand:
    """Posterior limits under the weights of the fits, widened to hold rough ones.

    Parameters
    ----------
    shares : array
        The estimate; the band always holds it.
    members : sequence of Member
        The fits.
    weights : array
        Their weights, tempered: an allowance for every fit being wrong.
    total : float
        The number of reports.
    fold : array of shape (cells, truths of a fit with ends)
        Adds what a fit found at the ends to the first and the last interval.
    """

    shares: FloatArray
    members: Sequence[Member]
    weights: FloatArray
    total: float
    fold: FloatArray

    def bounds(self, *, z: float, of: Of) -> Bounds:
        """Return the lower and upper bounds, z standard errors apart from the middle."""
        kept = self.weights >= _NEGLIGIBLE
        weights = self.weights[kept] / self.weights[kept].sum()
        moments = [self._moments(m, of) for m, keep in zip(self.members, kept, strict=True) if keep]
        means, variances = (np.array(part) for part in zip(*moments, strict=True))
        low, high = _mixed(weights, means, variances, z)
        if of == "shares":
            low, high = _skewed(weights, means, variances, z, (low, high))
        middle = np.cumsum(self.shares) if of == "cdf" else self.shares
        low, high = np.minimum(low, middle), np.maximum(high, middle)
        for member in self._rough:
            mean, variance = self._moments(member, of)
            margin = _ENVELOPE * z * np.sqrt(variance)
            low, high = np.minimum(low, mean - margin), np.maximum(high, mean + margin)
        if of == "shares":
            low = np.where(low * self.total < _FEW, 0.0, low)
        else:
            low[-1] = high[-1] = 1.0
        return low, high

    @property
    def _rough(self) -> list[Member]:
        """The rough fit of each Gaussian family, which the band is widened to hold."""
        families: dict[str, list[Member]] = {}
        for member in self.members:
            if member.family.startswith("gauss"):
                families.setdefault(member.family, []).append(member)
        return [fits[_ROUGH] for fits in families.values()]

    def _moments(self, member: Member, of: Of) -> Bounds:
        """Return mean and variance of the shares or of their running sum under one fit."""
        from scipy.linalg.lapack import dtrtrs

        shares = member.shares
        jacobian = np.diag(shares) - np.outer(shares, shares)
        if member.basis is not None:
            jacobian = jacobian @ member.basis
        if len(shares) > len(self.shares):
            shares, jacobian = self.fold @ shares, self.fold @ jacobian
        half = dtrtrs(member.factor, jacobian.T, lower=1)[0]
        if of == "cdf":
            shares, half = np.cumsum(shares), np.cumsum(half, axis=1)
        return shares, np.asarray((half**2).sum(axis=0))


def _mixed(weights: FloatArray, means: FloatArray, variances: FloatArray, z: float) -> Bounds:
    centre = weights @ means
    margin = z * np.sqrt(weights @ (variances + (means - centre) ** 2))
    return centre - margin, centre + margin


def _skewed(
    weights: FloatArray, means: FloatArray, variances: FloatArray, z: float, plain: Bounds
) -> Bounds:
    """Return the wider of the limits on the plain and on the log scale."""
    low, high = plain
    safe = np.maximum(means, 1e-12)
    spread = np.minimum(variances / safe**2, 25.0)
    log_low, log_high = _mixed(weights, np.log(safe), spread, z)
    return np.minimum(low, np.exp(log_low)), np.maximum(
        high, np.minimum(np.exp(log_high), 3.0 * high)
    )
