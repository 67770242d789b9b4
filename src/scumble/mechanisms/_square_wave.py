"""The square wave: near the truth more often, elsewhere less (Li et al. 2020)."""

import math
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
from scumble.mechanisms._uniform import UniformNoise
from scumble.schema import Cells, CellSet, Domain, Mechanism, Numeric
from scumble.schema._parameters import budget, positive, share


@dataclass(frozen=True, kw_only=True)
class SquareWave(Mechanism):
    """A report that is e^epsilon times as dense near the truth as elsewhere.

    Parameters
    ----------
    epsilon : float
        What a report may tell: the log-ratio of the two densities.
    grid : float
        Reports are multiples of it; by default a power of ten, at most a thousandth
        of the range and of the half-width of the wave.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import SquareWave
    >>> wave = SquareWave(epsilon=1.0)
    >>> round(wave.half_width_on(Numeric(0, 1)), 4), wave.epsilon_on(Numeric(0, 1))
    (0.2561, 1.0)

    Notes
    -----
    On a domain of unit width: half-width
    b = (eps e^eps - e^eps + 1) / (2 e^eps (e^eps - 1 - eps)), densities
    p = e^eps q within b of the truth and q = 1 / (2 b e^eps + 1) elsewhere, reports
    from -b to 1 + b. The half-width maximises the mutual information of report and
    truth (Li et al., Estimating Numerical Distributions under Local Differential
    Privacy, SIGMOD 2020).
    """

    name: ClassVar[str] = "square-wave"
    kinds: ClassVar[tuple[str, ...]] = ("numeric", "date")
    epsilon: float
    grid: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", budget("epsilon", self.epsilon))
        if self.grid is not None:
            object.__setattr__(self, "grid", positive("grid", self.grid))

    def check(self, domain: Domain) -> None:
        super().check(domain)
        if not math.isfinite(cast("Numeric", domain).width):
            raise SpecificationError("mechanism: a square wave needs finite bounds; declare them")
        check_grid(self.grid, largest=self._largest(cast("Numeric", domain)))
        if cast("Numeric", domain).unit is not None:
            reports = self.report_domain(domain)
            check_unit(self.grid, cast("Numeric", domain), reports=reports)

    def half_width_on(self, domain: Numeric) -> float:
        """Return how far from the truth the wave is high."""
        eps = self.epsilon
        # For small epsilon the closed form loses all digits; its limit is 1/2.
        unit = (eps + math.expm1(-eps)) / (2 * (math.expm1(eps) - eps)) if eps > 1e-4 else 0.5
        return unit * domain.width

    def _near_share(self, domain: Numeric) -> float:
        """Return how often a report comes from the extra height near the truth."""
        reach = 2 * self.half_width_on(domain) / domain.width
        return reach * math.expm1(self.epsilon) / (reach * math.exp(self.epsilon) + 1)

    def grid_on(self, domain: Numeric) -> float:
        """Return the grid on which reports are released."""
        extent = min(domain.width, self.half_width_on(domain))
        return self.grid or domain.unit or default_grid(extent, largest=self._largest(domain))

    def _largest(self, domain: Numeric) -> float:
        return max(abs(domain.low), abs(domain.high)) + self.half_width_on(domain)

    def report_domain(self, domain: Domain) -> Numeric:
        domain = cast("Numeric", domain)
        grid, reach = self.grid_on(domain), self.half_width_on(domain)
        ends = np.array([domain.low - reach - grid / 2, domain.high + reach + grid / 2])
        low, high = snap(ends, grid)
        return domain.between(low, high)

    def disguise(
        self, truth: NDArray[Any], domain: Domain, stream: Stream, *, coin: Stream | None = None
    ) -> NDArray[Any]:
        domain = cast("Numeric", domain)
        draw = stream.uniform(len(truth))
        near, reach = self._near_share(domain), self.half_width_on(domain)
        # One draw decides and places: what is left of it is uniform again.
        extra = truth + (2 * draw / near - 1) * reach
        anywhere = domain.low - reach + (draw - near) / (1 - near) * (domain.width + 2 * reach)
        reports = np.where(draw < near, extra, anywhere + 0 * truth)
        return snap(reports, self.grid_on(domain))

    def report_cells(self, domain: Domain, truth: CellSet) -> Cells:
        domain, truth = cast("Numeric", domain), cast("Cells", truth)
        grid, reach = self.grid_on(domain), self.half_width_on(domain)
        # Cells wider than half the wave would blur its edges.
        width = min(float(np.median(np.diff(truth.edges))), reach / 2)
        width = max(1, round(width / grid)) * grid
        # Cells of several possible values begin half a step below the first.
        low, high = min(domain.low, truth.edges[0]), max(domain.high, truth.edges[-1])
        start = float(half_way(np.array(low - reach - grid / 2), grid))
        count = math.ceil((high + reach - start) / width - 1e-9)
        return Cells.between(start + width * np.arange(count + 1))

    def matrix(self, domain: Domain, truth: CellSet, report: CellSet) -> NDArray[np.float64]:
        domain, report = cast("Numeric", domain), cast("Cells", report)
        near, reach = self._near_share(domain), self.half_width_on(domain)
        wave = UniformNoise(half_width=reach).matrix(domain, truth, report)
        low, high = domain.low - reach, domain.high + reach
        inside = np.clip(report.upper, low, high) - np.clip(report.lower, low, high)
        return near * wave + (1 - near) * inside / (high - low)

    def epsilon_on(self, domain: Domain) -> float:
        return self.epsilon

    def interval_privacy(self, domain: Domain, *, confidence: float = 0.95) -> float:
        domain = cast("Numeric", domain)
        reach, near = self.half_width_on(domain), self._near_share(domain)
        low_density = (1 - near) / (domain.width + 2 * reach)
        within = 2 * reach * low_density * math.exp(self.epsilon)
        if share("confidence", confidence) <= within:
            return confidence / (low_density * math.exp(self.epsilon))
        return 2 * reach + (confidence - within) / low_density

    def with_noise(self, factor: float) -> Self:
        return replace(self, epsilon=self.epsilon / factor)
