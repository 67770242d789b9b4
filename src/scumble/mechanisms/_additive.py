"""Value distortion: truth plus noise (AS section 2), whatever the noise."""

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Stream
from scumble.errors import SpecificationError
from scumble.mechanisms._grid import (
    check_grid,
    check_unit,
    default_grid,
    half_way,
    snap,
)
from scumble.schema import Cells, CellSet, Domain, Mechanism, Numeric
from scumble.schema._parameters import positive, share

FloatArray = NDArray[np.float64]
_FURTHEST = 10.0


@dataclass(frozen=True, kw_only=True)
class AdditiveNoise(Mechanism):
    """Noise of one symmetric shape and one scale, added to the truth.

    A subclass states the shape at scale one: its cdf, the integral of the cdf, its
    quantiles, its standard deviation and how far it reaches.
    """

    kinds: ClassVar[tuple[str, ...]] = ("numeric", "date")
    reach: ClassVar[float]
    unit_sd: ClassVar[float]
    privacy: float | None = None
    confidence: float = 0.95
    grid: float | None = None

    @abstractmethod
    def unit_cdf(self, t: FloatArray) -> FloatArray:
        """Return the cdf of the noise at scale one."""

    @abstractmethod
    def unit_cdf_integral(self, t: FloatArray) -> FloatArray:
        """Return the integral of the cdf from minus infinity."""

    @abstractmethod
    def unit_quantile(self, share: FloatArray) -> FloatArray:
        """Return the quantiles of the noise at scale one."""

    @property
    @abstractmethod
    def own_scale(self) -> float | None:
        """The scale where it is given as a parameter."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "confidence", share("confidence", self.confidence))
        for name in ("privacy", "grid"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, positive(name, getattr(self, name)))

    def check(self, domain: Domain) -> None:
        super().check(domain)
        if self.own_scale is None and not math.isfinite(cast("Numeric", domain).width):
            raise SpecificationError(
                "mechanism.privacy: a share of the range needs finite bounds; declare them or "
                "give the noise by its own parameter"
            )
        positive("mechanism: the scale of the noise", self.scale_on(cast("Numeric", domain)))
        check_grid(self.grid, largest=self._largest(cast("Numeric", domain)))
        if cast("Numeric", domain).unit is not None:
            reports = self.report_domain(domain)
            check_unit(self.grid, cast("Numeric", domain), reports=reports)

    def scale_on(self, domain: Numeric) -> float:
        """Return the scale of the noise on this domain."""
        if self.own_scale is not None:
            return self.own_scale
        spread = 2 * float(self.unit_quantile(np.array((1 + self.confidence) / 2)))
        return cast("float", self.privacy) * domain.width / spread

    def grid_on(self, domain: Numeric) -> float:
        """Return the grid on which reports are released."""
        extent = min(domain.width, self.scale_on(domain))
        return self.grid or domain.unit or default_grid(extent, largest=self._largest(domain))

    def _largest(self, domain: Numeric) -> float:
        """Return how large a report gets, as far as anyone will see."""
        ends = [abs(end) for end in (domain.low, domain.high) if math.isfinite(end)]
        return max(ends, default=0.0) + _FURTHEST * self.scale_on(domain)

    def report_domain(self, domain: Domain) -> Numeric:
        domain = cast("Numeric", domain)
        grid, reach = self.grid_on(domain), self.scale_on(domain) * self._furthest
        if not math.isfinite(reach):
            return domain.between(-math.inf, math.inf)
        ends = np.array([domain.low - reach - grid / 2, domain.high + reach + grid / 2])
        low, high = snap(ends, grid)
        return domain.between(low, high)

    @property
    def _furthest(self) -> float:
        """How far noise of scale one can get."""
        return float(self.unit_quantile(np.array(1.0)))

    def disguise(
        self, truth: NDArray[Any], domain: Domain, stream: Stream, *, coin: Stream | None = None
    ) -> NDArray[Any]:
        domain = cast("Numeric", domain)
        reports = self.unit_quantile(stream.uniform(len(truth)))
        reports *= self.scale_on(domain)
        reports += truth
        return snap(reports, self.grid_on(domain))

    def report_cells(self, domain: Domain, truth: CellSet) -> Cells:
        domain, truth = cast("Numeric", domain), cast("Cells", truth)
        scale, grid = self.scale_on(domain), self.grid_on(domain)
        low, high = truth.edges[0] - scale * self.reach, truth.edges[-1] + scale * self.reach
        # Reports beyond what can be written are written as the ends: in the open cells.
        low, high = max(low, domain.extent[0] + 2 * grid), min(high, domain.extent[1] - 2 * grid)
        # Noise that ends abruptly tells most where it ends: cells are finer there.
        finest = scale * self.unit_sd / (10 if math.isinf(self._furthest) else 20)
        width = max(float(np.median(np.diff(truth.edges))), finest)
        # A whole number of grid steps, or cells would not hold equally many reports.
        width = max(1, round(width / grid)) * grid
        start = half_way(np.array(low - grid / 2), grid)
        count = max(1, math.ceil((high - float(start)) / width - 1e-9))
        edges = float(start) + width * np.arange(count + 1)
        if math.isinf(self._furthest):
            edges = np.concatenate(([-math.inf], edges, [math.inf]))
        return Cells.between(edges)

    def matrix(self, domain: Domain, truth: CellSet, report: CellSet) -> FloatArray:
        scale = self.scale_on(cast("Numeric", domain))
        truth, report = cast("Cells", truth), cast("Cells", report)
        matrix = np.empty((len(truth), len(report)))
        points = truth.is_point
        matrix[points] = self._from_points(truth.lower[points] / scale, report, scale)
        matrix[~points] = self._from_intervals(
            truth.lower[~points] / scale, truth.upper[~points] / scale, report, scale
        )
        return matrix

    def _from_points(self, at: FloatArray, report: Cells, scale: float) -> FloatArray:
        below = report.lower / scale - at[:, None]
        above = report.upper / scale - at[:, None]
        # By symmetry a cell in the upper tail is its mirror in the lower one, where
        # a difference of cdfs does not cancel.
        mirrored = below > 0
        below, above = np.where(mirrored, -above, below), np.where(mirrored, -below, above)
        return self.unit_cdf(above) - self.unit_cdf(below)

    def _from_intervals(
        self, lower: FloatArray, upper: FloatArray, report: Cells, scale: float
    ) -> FloatArray:
        edges = np.append(report.lower, report.upper[-1:]) / scale
        finite = np.isfinite(edges)
        below = np.where(edges > 0, 1.0, 0.0) * np.ones((len(lower), 1))
        inner = edges[finite]
        area = self.unit_cdf_integral(inner - lower[:, None])
        area -= self.unit_cdf_integral(inner - upper[:, None])
        below[:, finite] = area / (upper - lower)[:, None]
        return np.diff(below, axis=1).clip(min=0)

    def epsilon_on(self, domain: Domain) -> float:
        """Infinite: some reports are possible, or nearly so, for one truth only."""
        return math.inf

    def interval_privacy(self, domain: Domain, *, confidence: float = 0.95) -> float:
        quantile = self.unit_quantile(np.array((1 + share("confidence", confidence)) / 2))
        return 2 * float(quantile) * self.scale_on(cast("Numeric", domain))

    def with_noise(self, factor: float) -> Self:
        if self.privacy is not None:
            return replace(self, privacy=self.privacy * factor)
        return self._with_scale(factor)

    @abstractmethod
    def _with_scale(self, factor: float) -> Self:
        """Return the mechanism with its own parameter changed by a factor."""
