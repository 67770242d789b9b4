"""What a method of reconstruction is, and what it gives back."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from scumble.schema import Channel

FloatArray = NDArray[np.float64]
Of = Literal["cdf", "shares"]


class Uncertainty(Protocol):
    """How far from the estimate the truth may lie."""

    def bounds(self, *, z: float, of: Of) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper bounds, z standard errors apart from the middle."""
        ...


@dataclass(frozen=True, eq=False)
class NormalErrors:
    """An estimate with errors that are normal.

    Attributes
    ----------
    shares, share_sd : array
        The share of each cell and its standard error.
    cumulative_sd : array
        The standard error of the sum of the shares up to each cell.
    """

    shares: FloatArray
    share_sd: FloatArray
    cumulative_sd: FloatArray

    @classmethod
    def from_covariance(cls, shares: FloatArray, covariance: FloatArray) -> "NormalErrors":
        """Return the standard errors that a covariance of the shares implies."""
        running = np.cumsum(np.cumsum(covariance, axis=0), axis=1)
        return cls(shares, _root(np.diag(covariance)), _root(np.diag(running)))

    @classmethod
    def from_draws(cls, shares: FloatArray, draws: FloatArray) -> "NormalErrors":
        """Return the standard errors that repeated answers show, one in each row."""
        return cls(shares, draws.std(axis=0), np.cumsum(draws, axis=1).std(axis=0))

    def bounds(self, *, z: float, of: Of) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper bounds, z standard errors apart from the middle."""
        middle = self.shares if of == "shares" else np.cumsum(self.shares)
        margin = z * (self.share_sd if of == "shares" else self.cumulative_sd)
        return middle - margin, middle + margin


@dataclass(frozen=True, eq=False)
class Fit:
    """The answer of a method, before it is tied to cells.

    Attributes
    ----------
    shares : array
        The share of each truth cell; they sum to one.
    iterations : int
        How many steps it took.
    converged : bool
        Whether the steps came to rest.
    uncertainty : Uncertainty, optional
        What the band is read off; without it the method is repeated on redrawn counts.
    """

    shares: FloatArray
    iterations: int = 0
    converged: bool = True
    uncertainty: Uncertainty | None = None


class Method(Protocol):
    """A way from counts through a channel to shares."""

    @property
    def name(self) -> str:
        """What `reconstruct` calls it."""
        ...

    def fit(self, counts: FloatArray, channel: Channel) -> Fit:
        """Return the shares of the truth cells."""
        ...


def _root(variance: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(np.maximum(variance, 0)))
