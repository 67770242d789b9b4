"""The way of records down a tree; compiled.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numpy as np

from scumble.engines._kernels import compiled


@compiled
def step(
    value: float, threshold: float, left: Any, first: int, size: int, missing_left: bool
) -> bool:
    """Say whether a value goes left: below the threshold, or in a set of categories."""
    if np.isnan(value):
        return missing_left
    if np.isnan(threshold):
        return left[first + int(value)] if value < size else missing_left
    return value < threshold


@compiled
def leaves(
    values: Any,
    attribute: Any,
    child: Any,
    threshold: Any,
    left: Any,
    firsts: Any,
    missing_left: Any,
    found: Any,
) -> None:
    """Set found[i] to the leaf that record i of values reaches."""
    for i in range(len(values)):
        node = 0
        while attribute[node] >= 0:
            goes_left = step(
                values[i, attribute[node]],
                threshold[node],
                left,
                firsts[node],
                firsts[node + 1] - firsts[node],
                missing_left[node],
            )
            node = child[node] if goes_left else child[node] + 1
        found[i] = node
