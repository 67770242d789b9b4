"""Multiplicative noise: as much for a large value as for a small one, in proportion."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Stream
from scumble.errors import SpecificationError
from scumble.mechanisms._grid import check_grid, default_grid, half_way, snap
from scumble.mechanisms._normal import normal_cdf, normal_quantile
from scumble.schema import Cells, CellSet, Domain, Mechanism, Numeric
from scumble.schema._parameters import exactly_one, positive, share

FloatArray = NDArray[np.float64]
_REACH, _FURTHEST = 4.0, 6.0


@dataclass(frozen=True, kw_only=True)
class MultiplicativeNoise(Mechanism):
    """Truth times a log-normal factor of median one.

    Noise of one size for all is too much for a small salary and too little for a
    large one; a random factor disguises both alike. A truth of zero stays zero: use
    additive noise, or an atom in clear conscience, where zero is sensitive.

    Parameters
    ----------
    privacy : float
        The width of the interval that holds the truth with the given confidence, as
        a share of the truth itself: 1.0 is 100 %.
    confidence : float
        The confidence that `privacy` speaks of.
    sd : float
        Instead of `privacy`, the standard deviation of the factor's logarithm.
    grid : float
        Reports are multiples of it; by default a power of ten, at most a thousandth
        of the smallest truth (of the range where that is zero).

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import MultiplicativeNoise
    >>> noise = MultiplicativeNoise(privacy=1.0)
    >>> round(noise.interval_privacy(Numeric(1000, 5000)), 6)
    1000.0

    Notes
    -----
    Li, Shaw and Lin's answer to the scale problem. With log-sd s the interval for a
    truth x at confidence c is 2 x sinh(s z) wide, z = Phi^-1((1 + c) / 2). No finite
    epsilon.
    """

    name: ClassVar[str] = "multiplicative"
    kinds: ClassVar[tuple[str, ...]] = ("numeric",)
    privacy: float | None = None
    confidence: float = 0.95
    sd: float | None = None
    grid: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "confidence", share("confidence", self.confidence))
        exactly_one(privacy=self.privacy, sd=self.sd)
        for name in ("privacy", "sd", "grid"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, positive(name, getattr(self, name)))

        if self.log_sd > 10:
            raise SpecificationError("sd: expected at most 10; more would leave nothing to learn")

    def check(self, domain: Domain) -> None:
        super().check(domain)
        domain = cast("Numeric", domain)
        if domain.low < 0 or math.isinf(domain.high):
            raise SpecificationError(
                "mechanism: multiplicative noise needs a finite domain without negative values; "
                "use additive noise for this one"
            )
        check_grid(self.grid, largest=self._largest(domain))

    @property
    def log_sd(self) -> float:
        """The standard deviation of the logarithm of the factor."""
        if self.sd is not None:
            return self.sd
        assert self.privacy is not None
        return math.asinh(self.privacy / 2) / float(normal_quantile((1 + self.confidence) / 2))

    def grid_on(self, domain: Numeric) -> float:
        """Return the grid on which reports are released."""
        extent = domain.low if domain.low > 0 else domain.width
        extent = min(extent * min(1.0, self.log_sd), domain.width)
        return self.grid or default_grid(extent, largest=self._largest(domain))

    def _largest(self, domain: Numeric) -> float:
        """Return how large a report gets, as far as anyone will see."""
        return domain.high * math.exp(_FURTHEST * self.log_sd)

    def report_domain(self, domain: Domain) -> Numeric:
        return Numeric(0, math.inf)

    def disguise(
        self, truth: NDArray[Any], domain: Domain, stream: Stream, *, coin: Stream | None = None
    ) -> NDArray[Any]:
        reports = normal_quantile(stream.uniform(len(truth)))
        reports *= self.log_sd
        np.exp(reports, out=reports)
        reports *= truth
        return snap(reports, self.grid_on(cast("Numeric", domain)))

    def report_cells(self, domain: Domain, truth: CellSet) -> Cells:
        """Return cells of equal ratio, with one around zero and an open last one."""
        domain, truth = cast("Numeric", domain), cast("Cells", truth)
        grid = self.grid_on(domain)
        high = domain.high * math.exp(_REACH * self.log_sd)
        least = domain.low if domain.low > 0 else float(np.median(np.diff(truth.edges))) / 2
        low = max(least * math.exp(-_REACH * self.log_sd), grid)
        ratio = max(self.log_sd / 10, math.log(high / low) / 400)
        edges = np.exp(np.arange(math.log(low), math.log(high), ratio))
        edges = np.unique(half_way(edges, grid))
        return Cells.between(np.concatenate(([0.0], edges, [math.inf])))

    def matrix(self, domain: Domain, truth: CellSet, report: CellSet) -> FloatArray:
        truth, report = cast("Cells", truth), cast("Cells", report)
        edges = np.append(report.lower, report.upper[-1:])
        below = np.empty((len(truth), len(edges)))
        points = truth.is_point
        below[points] = self._below(truth.lower[points, None], edges)
        area = self._area(truth.upper[~points, None], edges)
        area -= self._area(truth.lower[~points, None], edges)
        below[~points] = area / (truth.upper - truth.lower)[~points, None]
        return np.diff(below, axis=1).clip(min=0)

    def _below(self, truth: FloatArray, edges: FloatArray) -> FloatArray:
        """Return P(report < edge | truth); a truth of zero is reported as zero."""
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.log(edges / truth) / self.log_sd
        return np.where(edges <= 0, 0.0, np.where(truth <= 0, 1.0, normal_cdf(z)))

    def _area(self, truth: FloatArray, edges: FloatArray) -> FloatArray:
        """Return the integral of P(report < edge | x) over x from 0 to the truth."""
        s = self.log_sd
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.log(truth / edges) / s
            area = truth * normal_cdf(-z) + edges * math.exp(s * s / 2) * normal_cdf(z - s)
        area = np.where(np.isinf(edges), truth, area)
        return np.where((edges <= 0) | (truth <= 0), 0.0, area)

    def epsilon_on(self, domain: Domain) -> float:
        """Infinite: a report far out tells a large truth from a small one."""
        return math.inf

    def interval_privacy(self, domain: Domain, *, confidence: float = 0.95) -> float:
        z = float(normal_quantile((1 + share("confidence", confidence)) / 2))
        return 2 * math.sinh(self.log_sd * z) * cast("Numeric", domain).low

    def with_noise(self, factor: float) -> Self:
        return replace(self, sd=self.log_sd * factor, privacy=None)
