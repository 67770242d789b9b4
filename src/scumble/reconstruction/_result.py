"""What is known about the truths after reconstruction."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scumble.engines import Counts
from scumble.errors import ReconstructionError
from scumble.reconstruction._em import Observed
from scumble.reconstruction._fit import Fit, Method, NormalErrors, Of, Uncertainty
from scumble.schema import Cells, Channel
from scumble.schema._parameters import share

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FloatArray = NDArray[np.float64]
_REDRAWS = 100


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """The distribution of the truths, recovered from counts of reports.

    Attributes
    ----------
    channel : Channel
        The cells of truths and reports, and what leads from one to the other.
    counts : Counts
        The reports that were counted.
    method : Method
        How the shares were found.
    fit : Fit
        The shares, the number of iterations, whether they came to rest.
    """

    channel: Channel
    counts: Counts
    method: Method
    fit: Fit

    @property
    def cells(self) -> Any:
        """The truth cells: numeric `Cells`, or the values of a `Categorical`."""
        return self.channel.truth

    @property
    def shares(self) -> FloatArray:
        """The share of the truths in each cell."""
        return self.fit.shares

    @property
    def iterations(self) -> int:
        """How many steps the method took."""
        return self.fit.iterations

    @property
    def converged(self) -> bool:
        """Whether the method came to rest."""
        return self.fit.converged

    @property
    def missing(self) -> int:
        """How many reports were missing."""
        return self.counts.missing

    @cached_property
    def log_likelihood(self) -> float:
        """The log-likelihood of the counts under the shares."""
        counts = self.counts.cells.astype(float)
        if self.channel.mixture is not None:
            kept, base = self.channel.mixture
            expected = (kept * self.shares + base)[counts > 0]
            return float(counts[counts > 0] @ np.log(np.maximum(expected, 1e-300)))
        observed = Observed(counts, self.channel.matrix)
        return observed.log_likelihood(observed.expected(self.shares))

    def cdf(self, values: ArrayLike) -> FloatArray:
        """Return the share of truths up to each value."""
        cells, at = self._numeric, np.asarray(values, dtype=float)[..., None]
        widths = np.where(cells.is_point, 1, cells.upper - cells.lower)
        within = np.clip((at - cells.lower) / widths, 0, 1)
        return np.asarray(np.where(cells.is_point, at >= cells.lower, within) @ self.shares)

    def quantile(self, shares: ArrayLike) -> FloatArray:
        """Return the value that each share of the truths does not exceed."""
        knots, levels = self._knots
        return np.asarray(np.interp(np.asarray(shares, dtype=float), levels, knots))

    @cached_property
    def _knots(self) -> tuple[FloatArray, FloatArray]:
        """Where the cdf bends or jumps: each place twice, before and after."""
        cells = self._numeric
        after = self.cdf(cells.edges)
        points = np.bincount(
            np.searchsorted(cells.edges, cells.lower[cells.is_point]),
            weights=self.shares[cells.is_point],
            minlength=len(after),
        )
        levels = np.column_stack((after - points, after)).ravel()
        return np.repeat(cells.edges, 2), np.maximum.accumulate(levels)

    @property
    def mean(self) -> float:
        """The mean of the truths."""
        return float(self.shares @ self._numeric.middles)

    @property
    def sd(self) -> float:
        """The standard deviation of the truths."""
        cells = self._numeric
        second = cells.middles**2 + (cells.upper - cells.lower) ** 2 / 12
        return math.sqrt(max(0.0, float(self.shares @ second) - self.mean**2))

    def wasserstein(self, truth: ArrayLike) -> float:
        """Return the Wasserstein distance to a sample of truths.

        It is the area between the two cdfs, in the units of the attribute.
        """
        sample: FloatArray = np.array(truth, dtype=float)
        sample.sort()
        at = np.unique(np.concatenate((sample, self._numeric.edges)))
        true = np.searchsorted(sample, at[:-1], side="right") / len(sample)
        start = self.cdf(at[:-1]) - true
        end = self._cdf_before(at[1:]) - true
        return float(np.diff(at) @ _mean_distance(start, end))

    def _cdf_before(self, values: FloatArray) -> FloatArray:
        cells = self._numeric
        order = np.argsort(cells.lower[cells.is_point])
        points = cells.lower[cells.is_point][order]
        jumps = np.append(self.shares[cells.is_point][order], 0)
        place = np.searchsorted(points, values).clip(max=len(jumps) - 1)
        hit = np.append(points, np.nan)[place] == values
        return self.cdf(values) - np.where(hit, jumps[place], 0)

    def band(self, *, confidence: float = 0.95, of: Of = "cdf") -> tuple[FloatArray, FloatArray]:
        """Return a pointwise confidence band, one lower and one upper bound per cell.

        Parameters
        ----------
        confidence : float
            How often the truth lies inside, at each place.
        of : {"cdf", "shares"}
            The share of the truths up to the end of each cell, or within it.

        Notes
        -----
        For the default method it is the envelope of the posterior of the average
        and of its least smooth members, which covers the bias of smoothing too. For
        `bayes`, `em` and `ems` it comes from 100 redraws of the counts and covers
        the sampling error alone: their bias is not in it.
        """
        from scipy.special import ndtri

        z = float(ndtri((1 + share("confidence", confidence)) / 2))
        lower, upper = self._uncertainty.bounds(z=z, of=of)
        return np.clip(lower, 0, 1), np.clip(upper, 0, 1)

    @cached_property
    def _uncertainty(self) -> Uncertainty:
        if self.fit.uncertainty is not None:
            return self.fit.uncertainty
        expected = np.maximum(self.shares @ self.channel.matrix, 0)
        # Redraws of counts, not noise on anyone's answer: a fixed seed hides nothing.
        generator = np.random.default_rng(0)
        redraws = generator.multinomial(self.counts.total, expected / expected.sum(), _REDRAWS)
        draws = [self.method.fit(redraw.astype(float), self.channel).shares for redraw in redraws]
        return NormalErrors.from_draws(self.shares, np.array(draws))

    def plot(self, *, truth: ArrayLike | None = None, ax: "Axes | None" = None) -> "Axes":
        """Draw the reported and the recovered distribution, and the true one if known."""
        from scumble.reconstruction._plot import plot_reconstruction

        return plot_reconstruction(self, truth=truth, ax=ax)

    @property
    def _numeric(self) -> Cells:
        if not isinstance(self.channel.truth, Cells):
            raise ReconstructionError(
                "reconstruction: expected a numeric attribute; categories have shares and a band "
                "of shares, but no order to sum them in"
            )
        return self.channel.truth


def _mean_distance(start: FloatArray, end: FloatArray) -> FloatArray:
    """Return the mean of |t| along a straight line from start to end."""
    crossing = start * end < 0
    total = np.abs(start) + np.abs(end)
    square = start**2 + end**2
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(crossing, square / (2 * total), total / 2)
