"""Gaussian value distortion."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from scumble.mechanisms._additive import AdditiveNoise
from scumble.mechanisms._normal import normal_cdf, normal_quantile
from scumble.schema._parameters import exactly_one, positive


@dataclass(frozen=True, kw_only=True)
class GaussianNoise(AdditiveNoise):
    """Truth plus Gaussian noise.

    Parameters
    ----------
    privacy : float
        The width of the interval that holds the truth with the given confidence, as
        a share of the attribute's range: 1.0 is 100 %.
    confidence : float
        The confidence that `privacy` speaks of.
    sd : float
        Instead of `privacy`, the standard deviation.
    grid : float
        Reports are multiples of it; by default a power of ten, at most a thousandth
        of the range and of the standard deviation.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import GaussianNoise
    >>> age = Numeric(20, 80)
    >>> round(GaussianNoise(privacy=1.0).scale_on(age), 2)
    15.31
    >>> [round(GaussianNoise(sd=1).interval_privacy(age, confidence=c), 2) for c in (0.5, 0.95)]
    [1.35, 3.92]

    Notes
    -----
    AS section 2, with sigma for `sd`. The interval at confidence c is
    2 sigma Phi^-1((1 + c) / 2) wide. No finite epsilon: the further out a report
    lies, the more it tells.
    """

    name: ClassVar[str] = "gaussian"
    reach: ClassVar[float] = 4.0
    unit_sd: ClassVar[float] = 1.0
    sd: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if exactly_one(privacy=self.privacy, sd=self.sd) == "sd":
            object.__setattr__(self, "sd", positive("sd", self.sd))

    @property
    def own_scale(self) -> float | None:
        return self.sd

    def unit_cdf(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        return normal_cdf(t)

    def unit_cdf_integral(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        return t * normal_cdf(t) + np.exp(-t * t / 2) / math.sqrt(2 * math.pi)

    def unit_quantile(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        return normal_quantile(share)

    def _with_scale(self, factor: float) -> Self:
        assert self.sd is not None
        return replace(self, sd=self.sd * factor)
