"""Uniform value distortion."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from scumble.mechanisms._additive import AdditiveNoise
from scumble.schema._parameters import exactly_one, positive


@dataclass(frozen=True, kw_only=True)
class UniformNoise(AdditiveNoise):
    """Truth plus noise that is uniform on an interval around zero.

    Parameters
    ----------
    privacy : float
        The width of the interval that holds the truth with the given confidence, as
        a share of the attribute's range: 1.0 is 100 %.
    confidence : float
        The confidence that `privacy` speaks of.
    half_width : float
        Instead of `privacy`, the largest noise.
    grid : float
        Reports are multiples of it; by default a power of ten, at most a thousandth
        of the range and of the half-width.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import UniformNoise
    >>> round(UniformNoise(privacy=1.0).scale_on(Numeric(20, 80)), 2)
    31.58

    Notes
    -----
    AS section 2, with alpha for `half_width`: the interval at confidence c is
    2 alpha c wide. No finite epsilon: a report near the end of its domain rules out
    most truths.
    """

    name: ClassVar[str] = "uniform"
    reach: ClassVar[float] = 1.0
    unit_sd: ClassVar[float] = 1 / math.sqrt(3)
    half_width: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if exactly_one(privacy=self.privacy, half_width=self.half_width) == "half_width":
            object.__setattr__(self, "half_width", positive("half_width", self.half_width))

    @property
    def own_scale(self) -> float | None:
        return self.half_width

    def unit_cdf(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.clip((t + 1) / 2, 0, 1)

    def unit_cdf_integral(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        inside = np.clip(t, -1, 1)
        return (inside + 1) ** 2 / 4 + np.maximum(t - 1, 0)

    def unit_quantile(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(2 * share - 1)

    def _with_scale(self, factor: float) -> Self:
        assert self.half_width is not None
        return replace(self, half_width=self.half_width * factor)
