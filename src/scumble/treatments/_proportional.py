"""Noise in proportion to the value, after Islam and Brankovic, and what it leaves to see."""

import numpy as np
from numpy.typing import NDArray

from scumble.schema import Numeric
from scumble.treatments._exposure import (
    Exposure,
    certain,
    exposure_of_groups,
    exposure_through,
    smallest,
)

FloatArray = NDArray[np.float64]
LAWS = ("normal", "discrete")
# Steps of ten percent. The figure of the paper that shows their law is lost; this one has
# the standard deviation that the text gives, 27.6 %.
STEPS = np.arange(-6, 7) / 10
_WIDTH = 3.047
_CELLS, _REACH = 100, 4.0
_ROUNDING = 1e-12


def step_chances() -> FloatArray:
    """Return the probability of each step of the discrete law.

    Examples
    --------
    >>> chances = step_chances()
    >>> round(float(np.sqrt(chances @ STEPS**2)), 3)
    0.276
    """
    chances = np.exp(-((10 * STEPS) ** 2) / (2 * _WIDTH**2))
    return np.asarray(chances / chances.sum())


def noise_of(uniform: FloatArray, *, law: str, sd: float) -> FloatArray:
    """Return a share of the value for each uniform draw."""
    if law == "discrete":
        return np.asarray(STEPS[np.searchsorted(np.cumsum(step_chances())[:-1], uniform)])
    from scipy.special import ndtri

    return np.asarray(sd * ndtri(uniform))


def snapped(values: FloatArray, attribute: Numeric) -> FloatArray:
    """Return the nearest multiples of the step of an attribute, beyond its bounds too.

    Examples
    --------
    >>> snapped(np.array([0.4, 3.3, 10.8]), Numeric(1, 10, step=1)).tolist()
    [0.0, 3.0, 11.0]
    """
    if attribute.step is None:
        return values
    start = attribute.low if np.isfinite(attribute.low) else 0.0
    return np.asarray(start + attribute.step * np.rint((values - start) / attribute.step))


def snapped_chances(
    true: float, reports: FloatArray, attribute: Numeric, *, law: str, sd: float
) -> FloatArray:
    """Return how likely noise on one value is to be released as each of some steps.

    Parameters
    ----------
    true : float
        The value.
    reports : array of float
        What may be released.
    attribute : Numeric
        Which has a step.
    law, sd
        As for `InnocentNoise`.

    Examples
    --------
    >>> grade = Numeric(1, 10, step=1)
    >>> chances = snapped_chances(1, np.array([0.0, 1, 2, 3]), grade, law="discrete", sd=1)
    >>> chances.round(2).tolist(), round(float(chances.sum()), 9)
    ([0.02, 0.96, 0.02, 0.0], 1.0)
    """
    step = float(attribute.step or 0)
    if law == "discrete":
        told = snapped(true * (1 + STEPS), attribute)
        near = np.abs(reports[:, None] - told[None, :]) <= _ROUNDING + step / 4
        return np.asarray(near @ step_chances())
    if true == 0:
        return (np.abs(reports) <= step / 2).astype(float)
    from scipy.special import ndtr

    ends = [(reports + side * step / 2 - true) / (sd * abs(true)) for side in (-1, 1)]
    return np.asarray(ndtr(ends[1]) - ndtr(ends[0]))


def exposure_of_noise(
    values: FloatArray, free: NDArray[np.bool_], *, law: str, sd: float
) -> Exposure:
    """Return the exposure of an attribute of which some values have got noise.

    Parameters
    ----------
    values : array of float
        The true values, nan where missing.
    free : array of bool
        Which of them got noise.
    law, sd
        As for `InnocentNoise`.
    """
    known = ~np.isnan(values)
    codes = np.full(len(values), -1)
    codes[known] = _codes(values[known])
    clear = exposure_of_groups(codes, codes)
    noisy = values[known & free]
    if not len(noisy):
        return clear
    part = _discrete(noisy) if law == "discrete" else _normal(noisy, sd)
    bare = int(known.sum()) - len(noisy)
    return Exposure(
        identified=(part.identified * len(noisy) + bare) / int(known.sum()),
        base=clear.base,
        disclosed=part.disclosed + bare,
        group=smallest(1 if bare else part.group, int(np.count_nonzero(~known))),
        records=int(known.sum()),
    )


def _codes(values: FloatArray) -> NDArray[np.int64]:
    return np.unique(values, return_inverse=True)[1].ravel()


def _discrete(values: FloatArray) -> Exposure:
    """Return the exposure of values times one of few factors: each is one of few values."""
    distinct, counts = np.unique(values, return_counts=True)
    reports = np.outer(distinct, 1 + STEPS).ravel()
    chances = np.outer(counts, step_chances()).ravel()
    owner = np.repeat(np.arange(len(distinct)), len(STEPS))
    order = np.lexsort((owner, reports))
    seen, owner = _alike(reports[order]), owner[order]
    # Of zero all reports are the same one: its chances add up.
    starts = np.flatnonzero((np.diff(seen, prepend=-1) != 0) | (np.diff(owner, prepend=-1) != 0))
    joint, seen = np.add.reduceat(chances[order], starts), seen[starts]
    most = np.zeros(int(seen.max()) + 1)
    np.maximum.at(most, seen, joint)
    alone = np.bincount(seen) == 1
    return Exposure(
        identified=float(most.sum() / len(values)),
        base=float(counts.max() / len(values)),
        disclosed=certain(float(joint[alone[seen]].sum())),
        group=1,
        records=len(values),
    )


def _alike(ascending: FloatArray) -> NDArray[np.int64]:
    """Return a code for each number: the same where rounding alone tells neighbours apart."""
    apart = np.diff(ascending) > _ROUNDING * np.abs(ascending[1:])
    return np.concatenate(([0], np.cumsum(apart)))


def _normal(values: FloatArray, sd: float) -> Exposure:
    """Return the exposure of values times a normal factor, to a hundredth of their range.

    A value of zero gets no noise, and no other is released as zero: all of them are known.
    """
    zeros = int(np.count_nonzero(values == 0))
    if zeros:
        rest = values[values != 0]
        if not len(rest):
            return Exposure(identified=1.0, base=1.0, disclosed=zeros, group=zeros, records=zeros)
        part = _normal(rest, sd)
        return Exposure(
            identified=(part.identified * len(rest) + zeros) / len(values),
            base=max(part.base * len(rest), zeros) / len(values),
            disclosed=part.disclosed + zeros,
            group=smallest(part.group, zeros),
            records=len(values),
        )
    edges = np.linspace(values.min(), values.max(), _CELLS + 1)
    counts = np.histogram(values, edges)[0].astype(float)
    return exposure_through(counts, _matrix(edges, sd))


def _matrix(edges: FloatArray, sd: float) -> FloatArray:
    """Return P(report | value) for values in the middle of cells, on a fine grid of reports."""
    from scipy.special import ndtr

    middles = (edges[1:] + edges[:-1]) / 2
    spread = np.maximum(sd * np.abs(middles), 1e-12)
    reach = _REACH * spread.max()
    reports = np.linspace(edges[0] - reach, edges[-1] + reach, 4 * _CELLS)
    cdf = ndtr((reports[None, :] - middles[:, None]) / spread[:, None])
    return np.asarray(np.diff(np.pad(cdf, ((0, 0), (1, 1)), constant_values=(0, 1)), axis=1))
