"""What is known about the truths after reconstruction."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from threadpoolctl import threadpool_limits

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

    def __repr__(self) -> str:
        return (
            f"<Reconstruction of {len(self.shares)} cells from {self.counts.total:,} reports "
            f"({self.counts.missing:,} missing) by {self.method.name!r}>"
        )

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
        numbers = self._numeric.numbers(np.ravel(values))
        return self._cdf(numbers.reshape(np.shape(values)), side="right")

    def _cdf(self, values: FloatArray, *, side: Literal["left", "right"]) -> FloatArray:
        """Return the share of truths below each value, with those at it or without."""
        points, at_points = self._points
        along = np.interp(values, self._numeric.edges, self._along)
        return np.asarray(along + at_points[np.searchsorted(points, values, side=side)])

    @cached_property
    def _along(self) -> FloatArray:
        """The share of truths that lie in intervals, up to each edge."""
        cells = self._numeric
        intervals = ~cells.is_point
        lower, width = cells.lower[intervals], (cells.upper - cells.lower)[intervals]
        within = np.clip((cells.edges[:, None] - lower) / width, 0, 1)
        return np.asarray(within @ self.shares[intervals])

    @cached_property
    def _points(self) -> tuple[FloatArray, FloatArray]:
        """The points, and the share of truths at the first none, one, two ... of them."""
        cells = self._numeric
        sums = np.cumsum(self.shares[cells.is_point])
        return cells.lower[cells.is_point], np.append(0.0, sums)

    def quantile(self, shares: ArrayLike) -> NDArray[Any]:
        """Return the value that each share of the truths does not exceed; a date of dates."""
        edges = self._numeric.edges
        levels = [self._cdf(edges, side="left"), self._cdf(edges, side="right")]
        rising = np.maximum.accumulate(np.column_stack(levels).ravel())
        found = np.interp(np.asarray(shares, dtype=float), rising, np.repeat(edges, 2))
        return self._numeric.shown(np.asarray(found))

    @property
    def mean(self) -> Any:
        """The mean of the truths; a date where they are dates."""
        return self._numeric.shown(np.array(self._mean)).item()

    @property
    def _mean(self) -> float:
        return float(self.shares @ self._numeric.middles)

    @property
    def sd(self) -> float:
        """The standard deviation of the truths; in days where they are dates."""
        cells = self._numeric
        second = cells.middles**2 + (cells.upper - cells.lower) ** 2 / 12
        return math.sqrt(max(0.0, float(self.shares @ second) - self._mean**2))

    def wasserstein(self, truth: ArrayLike) -> float:
        """Return the Wasserstein distance to a sample of truths.

        It is the area between the two cdfs, in the units of the attribute; in days of dates.
        """
        sample = self._numeric.numbers(truth)
        sample = np.sort(sample[~np.isnan(sample)])
        if not len(sample):
            raise ReconstructionError("truth: expected at least one value, got none")
        at = np.unique(np.concatenate((sample, self._numeric.edges)))
        true = np.searchsorted(sample, at[:-1], side="right") / len(sample)
        start = self._cdf(at[:-1], side="right") - true
        end = self._cdf(at[1:], side="left") - true
        return float(np.diff(at) @ _mean_distance(start, end))

    def band(
        self, *, confidence: float = 0.95, of: Of | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return a pointwise confidence band, one lower and one upper bound per cell.

        Parameters
        ----------
        confidence : float
            How often the truth lies inside, at each place.
        of : {"cdf", "shares"}, optional
            The share of the truths up to the end of each cell (the default for
            numbers), or within it (for categories the only one).

        Notes
        -----
        For the default method it is the envelope of the posterior of the average
        and of its least smooth members, which covers the bias of smoothing too. For
        `bayes`, `em` and `ems` it comes from 100 redraws of the counts and covers
        the sampling error alone: their bias is not in it.
        """
        from scipy.special import ndtri

        z = float(ndtri((1 + share("confidence", confidence)) / 2))
        if of is None:
            of = "cdf" if isinstance(self.cells, Cells) else "shares"
        if of == "cdf":
            self._numeric  # noqa: B018  categories have no order to sum them in
        with threadpool_limits(1, "blas"):
            lower, upper = self._uncertainty.bounds(z=z, of=of)
        estimate = np.cumsum(self.shares) if of == "cdf" else self.shares
        lower, upper = np.minimum(lower, estimate), np.maximum(upper, estimate)
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

    def to_dict(self) -> dict[str, Any]:
        """Return the shares, and for numbers and dates their mean, median and spread."""
        from scumble.reconstruction._plain import reconstruction_as_dict

        return reconstruction_as_dict(self)

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
