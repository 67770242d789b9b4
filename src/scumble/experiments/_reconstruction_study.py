"""Which method recovers best? The measurement behind the default of `reconstruct`."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from scumble.datasets import PLATEAU, TRIANGLES
from scumble.entropy import Seeded
from scumble.mechanisms import GaussianNoise, LaplaceNoise, SquareWave, UniformNoise
from scumble.reconstruction import MethodName, Reconstruction, reconstruct
from scumble.schema import Mechanism, Numeric

FloatArray = NDArray[np.float64]
Quantile = Callable[[FloatArray], FloatArray]
_UNIT = Numeric(0, 1)
_FINE = 100_000


def _truncated(law: str, *parameters: float, low: float, high: float) -> Quantile:
    """Return the quantiles of a law of scipy, cut to an interval and moved to 0..1."""

    def quantile(shares: FloatArray) -> FloatArray:
        from scipy import stats

        frozen = getattr(stats, law)(*parameters)
        below, above = frozen.cdf([low, high])
        return np.asarray((frozen.ppf(below + shares * (above - below)) - low) / (high - low))

    return quantile


def _mixed(parts: Sequence[tuple[float, Quantile]]) -> Quantile:
    """Return the quantiles of a mixture, read off a fine sample of each part."""
    samples: list[FloatArray] = []

    def quantile(shares: FloatArray) -> FloatArray:
        if not samples:
            sizes = [round(weight * _FINE) for weight, _ in parts]
            drawn = [
                part((np.arange(size) + 0.5) / size)
                for size, (_, part) in zip(sizes, parts, strict=True)
            ]
            samples.append(np.sort(np.concatenate(drawn)))
        levels = (np.arange(len(samples[0])) + 0.5) / len(samples[0])
        return np.asarray(np.interp(shares, levels, samples[0]))

    return quantile


def _between(low: float, high: float) -> Quantile:
    return lambda shares: low + (high - low) * shares


SHAPES: Mapping[str, Quantile] = {
    "uniform": _between(0, 1),
    "beta 5 2": _truncated("beta", 5, 2, low=0, high=1),
    "arcsine": _truncated("beta", 0.5, 0.5, low=0, high=1),
    "exponential": _truncated("expon", low=0, high=6),
    "lognormal": _truncated("lognorm", 0.8, low=0, high=8),
    "cauchy": _truncated("cauchy", low=-8, high=12),
    "bell": _truncated("norm", low=-4, high=4),
    "plateau": PLATEAU.quantile,
    "triangles": TRIANGLES.quantile,
    "two bells": _mixed(
        [
            (0.4, _truncated("norm", 0.25, 0.06, low=0, high=1)),
            (0.6, _truncated("norm", 0.7, 0.1, low=0, high=1)),
        ]
    ),
    "steps": _mixed(
        [(0.5, _between(0, 0.25)), (0.2, _between(0.25, 0.6)), (0.3, _between(0.6, 1))]
    ),
    "blocks": _mixed([(0.6, _between(0.1, 0.3)), (0.4, _between(0.7, 0.8))]),
    "spike": _mixed([(0.3, _between(0.45, 0.47)), (0.7, _between(0, 1))]),
}
"""Laws of a truth on 0..1, by their quantiles."""

NOISES: Mapping[str, Mechanism] = {
    **{f"gaussian {p:.0%}": GaussianNoise(privacy=p) for p in (0.25, 0.5, 1.0, 2.0)},
    **{f"uniform {p:.0%}": UniformNoise(privacy=p) for p in (0.25, 0.5, 1.0, 2.0)},
    **{f"laplace {e:g}": LaplaceNoise(epsilon=e) for e in (1.0, 4.0)},
    **{f"square wave {e:g}": SquareWave(epsilon=e) for e in (0.5, 1.0, 2.0)},
}
"""Noises on 0..1, by name."""


@dataclass(frozen=True)
class StudyRow:
    """One method on one case.

    Attributes
    ----------
    shape, noise, n, seed, method
        The case and the method.
    distance : float
        The Wasserstein distance between the recovered and the true law.
    covered, covered_shares : float
        The part of the cells at whose end the 95 % band holds the true cdf, and in
        which it holds the true share; nan where they were not asked for.
    """

    shape: str
    noise: str
    n: int
    seed: int
    method: str
    distance: float
    covered: float
    covered_shares: float


def reconstruction_study(
    *,
    shapes: Mapping[str, Quantile] = SHAPES,
    noises: Mapping[str, Mechanism] = NOISES,
    sizes: Sequence[int] = (1_000, 10_000, 100_000, 1_000_000),
    seeds: Sequence[int] = (1, 2, 3),
    methods: Sequence[MethodName] = ("auto", "bayes", "ems"),
    band_of: Sequence[MethodName] = ("auto",),
) -> Iterator[StudyRow]:
    """Measure methods of reconstruction, case by case.

    Every method gets the same reports, on 100 cells. Rows come as they are
    measured, so that the work can be watched and broken off.

    Examples
    --------
    >>> from scumble.experiments import reconstruction_study
    >>> rows = list(reconstruction_study(sizes=[1000], seeds=[1], methods=["bayes"],
    ...     shapes={"uniform": lambda shares: shares}))
    >>> len(rows), rows[0].noise
    (13, 'gaussian 25%')
    """
    fine = (np.arange(_FINE) + 0.5) / _FINE
    for (shape, law), (noise, mechanism), n, seed in product(
        shapes.items(), noises.items(), sizes, seeds
    ):
        true = law(fine)
        truth = law(np.random.default_rng([seed, n]).random(n))
        stream = Seeded(seed).stream(f"{shape} {noise} {n}")
        reports = mechanism.disguise(truth.clip(0, 1), _UNIT, stream)
        for method in methods:
            found = reconstruct(reports, mechanism, domain=_UNIT, cells=100, method=method)
            covered = _coverage(found, true) if method in band_of else (math.nan, math.nan)
            yield StudyRow(shape, noise, n, seed, method, found.wasserstein(true), *covered)


def _coverage(found: Reconstruction, true: FloatArray) -> tuple[float, float]:
    """Return how often the bands of the cdf and of the shares hold the truth."""
    cdf = np.searchsorted(true, found.cells.upper) / len(true)
    inside = []
    for at, (lower, upper) in (
        (cdf, found.band(of="cdf")),
        (np.diff(cdf, prepend=0.0), found.band(of="shares")),
    ):
        # A fine sample stands for the law: half a value more or less is no miss.
        slack = 0.5 / len(true)
        inside.append(float(np.mean((at >= lower - slack) & (at <= upper + slack))))
    return inside[0], inside[1]


def distance_by_case(rows: Sequence[StudyRow], method: str) -> dict[tuple[str, str, int], float]:
    """Return the distance of a method on each case, as the mean of its seeds."""
    found: dict[tuple[str, str, int], list[float]] = {}
    for row in rows:
        if row.method == method:
            found.setdefault((row.shape, row.noise, row.n), []).append(row.distance)
    return {case: float(np.mean(values)) for case, values in found.items()}


def mean_ratio(rows: Sequence[StudyRow], method: str, other: str) -> float:
    """Return the geometric mean over cases of one method's distance by another's."""
    ours, theirs = distance_by_case(rows, method), distance_by_case(rows, other)
    return float(np.exp(np.mean([np.log(ours[case] / theirs[case]) for case in ours])))
