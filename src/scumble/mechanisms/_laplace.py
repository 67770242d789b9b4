"""Laplace value distortion: the additive noise with a finite epsilon."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from scumble.errors import SpecificationError
from scumble.mechanisms._additive import AdditiveNoise
from scumble.schema import Domain, Numeric
from scumble.schema._parameters import budget, exactly_one, positive


@dataclass(frozen=True, kw_only=True)
class LaplaceNoise(AdditiveNoise):
    """Truth plus Laplace (two-sided exponential) noise.

    Parameters
    ----------
    privacy : float
        The width of the interval that holds the truth with the given confidence, as
        a share of the attribute's range: 1.0 is 100 %.
    confidence : float
        The confidence that `privacy` speaks of.
    scale : float
        Instead of `privacy`, the mean absolute noise.
    epsilon : float
        Instead of `privacy`, the epsilon that each report may spend.
    grid : float
        Reports are multiples of it; by default a power of ten, at most a thousandth
        of the range and of the scale.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import LaplaceNoise
    >>> age = Numeric(20, 80)
    >>> LaplaceNoise(epsilon=2.0).scale_on(age), LaplaceNoise(epsilon=2.0).epsilon_on(age)
    (30.0, 2.0)

    Notes
    -----
    With scale b the interval at confidence c is 2 b log(1 / (1 - c)) wide and
    epsilon is the range divided by b (local differential privacy), as far as draws
    of 52 bits can tell.
    """

    name: ClassVar[str] = "laplace"
    reach: ClassVar[float] = 8.0
    unit_sd: ClassVar[float] = math.sqrt(2)
    scale: float | None = None
    epsilon: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        given = exactly_one(privacy=self.privacy, scale=self.scale, epsilon=self.epsilon)
        check = budget if given == "epsilon" else positive
        object.__setattr__(self, given, check(given, getattr(self, given)))

    @property
    def own_scale(self) -> float | None:
        return self.scale

    def scale_on(self, domain: Numeric) -> float:
        return super().scale_on(domain) if self.epsilon is None else domain.width / self.epsilon

    def unit_cdf(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        tail = np.exp(-np.abs(t)) / 2
        return np.where(t < 0, tail, 1 - tail)

    def unit_cdf_integral(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.maximum(t, 0) + np.exp(-np.abs(t)) / 2

    def unit_quantile(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            return np.where(share < 0.5, np.log(2 * share), -np.log(2 - 2 * share))

    def epsilon_on(self, domain: Domain) -> float:
        domain = cast("Numeric", domain)
        return domain.width / self.scale_on(domain)

    def check(self, domain: Domain) -> None:
        if self.epsilon is not None and not math.isfinite(getattr(domain, "width", 0)):
            raise SpecificationError("mechanism.epsilon: expected finite bounds; declare them")
        super().check(domain)

    def _with_scale(self, factor: float) -> Self:
        if self.epsilon is not None:
            return replace(self, epsilon=self.epsilon / factor)
        assert self.scale is not None
        return replace(self, scale=self.scale * factor)
