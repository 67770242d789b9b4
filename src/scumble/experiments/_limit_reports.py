"""How likely reports are, given where the truth lies: what a rule's likelihood is made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scumble.datasets import QUEST_DOMAINS
from scumble.mechanisms import GaussianNoise, UniformNoise

FloatArray = NDArray[np.float64]
_NOISES: Mapping[str, type[GaussianNoise] | type[UniformNoise]] = MappingProxyType(
    {"gaussian": GaussianNoise, "uniform": UniformNoise}
)
_DENSITIES: Mapping[str, Callable[[FloatArray], FloatArray]] = MappingProxyType(
    {
        "gaussian": lambda t: np.exp(-t * t / 2) / np.sqrt(2 * np.pi),
        "uniform": lambda t: np.where(np.abs(t) <= 1, 0.5, 0.0),
    }
)


class Seen(Protocol):
    """What is known of one attribute of some records."""

    def between(self, low: FloatArray | float, high: FloatArray | float) -> FloatArray:
        """Return the likelihood of the reports, integrated over truths of an interval."""

    def at(self, truth: FloatArray | float) -> FloatArray:
        """Return the likelihood of the reports at one truth."""


@dataclass(frozen=True, eq=False)
class Reported:
    """Reports of one attribute, a column, and the noise that they carry.

    Attributes
    ----------
    reports : array
        One for each record, as a column, so that truths may stand side by side.
    mechanism : GaussianNoise or UniformNoise
        What was added.
    scale : float
        Its scale on the attribute.

    Examples
    --------
    >>> seen = Reported(np.array([[30.0]]), UniformNoise(privacy=1.0), 10.0)
    >>> seen.between(20.0, 30.0).tolist(), seen.at(45.0).tolist()
    ([[0.5]], [[0.0]])
    """

    reports: FloatArray
    mechanism: GaussianNoise | UniformNoise
    scale: float

    def between(self, low: FloatArray | float, high: FloatArray | float) -> FloatArray:
        cdf = self.mechanism.unit_cdf
        above = cdf((self.reports - low) / self.scale)
        return np.maximum(above - cdf((self.reports - high) / self.scale), 0.0)

    def at(self, truth: FloatArray | float) -> FloatArray:
        density = _DENSITIES[self.mechanism.name]
        return density((self.reports - truth) / self.scale) / self.scale


class Unreported:
    """An attribute that nothing is known of: likelihoods become the masses of truths.

    Examples
    --------
    >>> Unreported().between(20.0, 30.0).tolist()
    [[10.0]]
    """

    def between(self, low: FloatArray | float, high: FloatArray | float) -> FloatArray:
        return np.atleast_2d(np.maximum(np.subtract(high, low), 0.0))

    def at(self, truth: FloatArray | float) -> FloatArray:
        return np.atleast_2d(np.ones_like(truth, dtype=float))


def reported(
    columns: Mapping[str, FloatArray], *, noise: str, privacy: float, rng: np.random.Generator
) -> dict[str, Seen]:
    """Return columns of truths as reports with noise of the given privacy.

    Reports are not rounded to the grid that `disguise` rounds to, a thousandth of the
    noise: the likelihood of a number is simpler than that of a cell.
    """
    mechanism = _NOISES[noise](privacy=privacy)
    seen: dict[str, Seen] = {}
    for name, truths in columns.items():
        scale = mechanism.scale_on(QUEST_DOMAINS[name])
        noisy = truths + scale * mechanism.unit_quantile(rng.random(len(truths)))
        seen[name] = Reported(noisy[:, None], mechanism, scale)
    return seen
