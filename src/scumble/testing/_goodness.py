"""A goodness-of-fit test with a known chance of either error."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scumble.errors import MechanismCheckError

FloatArray = NDArray[np.float64]
_FEWEST_EXPECTED = 20.0
_SMALLEST_SAMPLE, _LARGEST_SAMPLE = 2_000, 5_000_000


def agrees(counts: NDArray[np.integer], probabilities: FloatArray, *, alpha: float) -> bool:
    """Say whether counts can have come from probabilities.

    A right mechanism is refused with probability `alpha` (Pearson's test on cells
    merged until each expects at least 20); a count where nothing can fall is always
    refused.

    Examples
    --------
    >>> agrees(np.array([480, 520]), np.array([0.5, 0.5]), alpha=1e-6)
    True
    >>> agrees(np.array([300, 700]), np.array([0.5, 0.5]), alpha=1e-6)
    False
    """
    from scipy.special import chdtri

    total = int(counts.sum())
    if counts[probabilities <= 0].any():
        return False
    groups = merged(probabilities, fewest=_FEWEST_EXPECTED / max(total, 1))
    expected = total * np.bincount(groups, weights=probabilities)
    observed = np.bincount(groups, weights=counts)
    if len(expected) < 2:
        return True
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return statistic <= float(chdtri(len(expected) - 1, alpha))


def sample_size(probabilities: FloatArray, wrong: list[FloatArray], *, alpha: float) -> int:
    """Return how many draws tell probabilities from each wrong alternative.

    With so many, either error has probability of about `alpha`.

    Examples
    --------
    >>> half = np.array([0.5, 0.5])
    >>> sample_size(half, [np.array([0.55, 0.45])], alpha=1e-6)
    9656
    """
    size = _SMALLEST_SAMPLE
    for other in wrong:
        if np.allclose(other, probabilities, atol=1e-9):
            continue
        size = max(size, _size_against(probabilities, other, alpha))
    if size > _LARGEST_SAMPLE:
        raise MechanismCheckError(
            f"sample: it would take more than {_LARGEST_SAMPLE:,} reports to see so small an error "
            "in so little noise; check the mechanism with more noise, or for a larger error"
        )
    return size


def _size_against(probabilities: FloatArray, other: FloatArray, alpha: float) -> int:
    stray = float(other[probabilities <= 0].sum())
    if stray > 1e-4:
        # One report where none can be is enough; it comes within so many draws.
        return math.ceil(math.log(alpha) / math.log1p(-min(0.5, stray)))
    size = _SMALLEST_SAMPLE
    while size <= _LARGEST_SAMPLE:
        # The cells that the test will merge at this size, so that its power is known.
        groups = merged(probabilities, fewest=_FEWEST_EXPECTED / size)
        right = np.bincount(groups, weights=probabilities)
        distance = float(((np.bincount(groups, weights=other) - right) ** 2 / right).sum())
        if len(right) > 1 and size * distance >= _noncentrality(len(right) - 1, alpha):
            return size
        size = math.ceil(1.3 * size)
    return size


@lru_cache(maxsize=1024)
def _noncentrality(freedom: int, alpha: float) -> float:
    """Return how non-central a chi-square must be to be refused almost surely."""
    from scipy.optimize import brentq
    from scipy.stats import chi2, ncx2

    threshold = chi2.isf(alpha, freedom)

    def excess(noncentrality: float) -> float:
        return float(ncx2.cdf(threshold, freedom, noncentrality) - alpha)

    return float(brentq(excess, 1.0, 100 * threshold))


def merged(probabilities: FloatArray, *, fewest: float) -> NDArray[np.int64]:
    """Return a group for each cell, so that each group has at least some probability."""
    groups = np.zeros(len(probabilities), dtype=np.int64)
    group, mass = 0, 0.0
    left = float(probabilities.sum())
    for place, probability in enumerate(probabilities):
        if mass >= fewest and left >= fewest:
            group, mass = group + 1, 0.0
        groups[place] = group
        mass += probability
        left -= probability
    return groups
