"""How many errors a leaf will make at worst; compiled.

Importing this file imports numba, so it is imported where it is used.
"""

import math
from typing import Any

from scumble.engines._kernels import compiled

# A leaf of less weight holds nothing.
EMPTY = 1e-6


@compiled
def added_to_some(weight: float, errors: float, z: float) -> float:
    """Return what `added_errors` does for one error and more."""
    if errors + 0.5 >= weight:
        return max(weight - errors, 0.0)
    share, square = (errors + 0.5) / weight, z * z / weight
    spread = math.sqrt((share - share * share + square / 4) / weight)
    limit: float = (share + square / 2 + z * spread) / (1 + square)
    return weight * limit - errors


@compiled
def added_errors(weight: float, errors: float, confidence: float, z: float) -> float:
    """Return how many errors more than were seen a leaf will make at worst.

    The upper limit of a binomial at a confidence: exact for no errors; from one on by the
    normal law with a correction of one half, at `z` standard deviations; in between
    by a straight line, as J48 has it.
    """
    if errors >= 1:
        return added_to_some(weight, errors, z)
    none: float = weight * (1 - confidence ** (1 / weight))
    return none + errors * (added_to_some(weight, 1.0, z) - none)


@compiled
def leaf_errors(counts: Any, confidence: float, z: float) -> float:
    """Return how many errors a leaf will make at worst."""
    weight, most = 0.0, 0.0
    for c in range(len(counts)):
        weight += counts[c]
        most = max(most, counts[c])
    if weight < EMPTY:
        return 0.0
    return weight - most + added_errors(weight, weight - most, confidence, z)
