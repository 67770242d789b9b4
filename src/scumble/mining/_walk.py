"""The way of records down a tree; compiled.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numpy as np

from scumble.engines._kernels import compiled


@compiled
def step(value: float, threshold: float, branches: Any, first: int, size: int, missing: int) -> int:
    """Return the branch that a value takes: by the threshold, or by its category."""
    if np.isnan(value):
        return missing
    if np.isnan(threshold):
        return branches[first + int(value)] if value < size else missing
    return 0 if value < threshold else 1


@compiled
def walk(
    values: Any,
    attribute: Any,
    child: Any,
    ways: Any,
    threshold: Any,
    branches: Any,
    firsts: Any,
    missing: Any,
    weights: Any,
    probabilities: Any,
    found: Any,
    chances: Any,
) -> None:
    """Set found[i] to the leaf that record i reaches, and add up its chances in chances[i].

    Where a missing value goes down all branches, each takes the share of the weight that it
    has; then found[i] is the leaf of most weight, the first of several. With chances of no
    rows, only leaves are found.
    """
    nodes, parts = np.empty(len(attribute), np.int64), np.empty(len(attribute))
    for i in range(len(values)):
        nodes[0], parts[0] = 0, 1.0
        waiting, most = 1, -1.0
        while waiting > 0:
            waiting -= 1
            node, part = nodes[waiting], parts[waiting]
            while attribute[node] >= 0:
                branch = step(
                    values[i, attribute[node]],
                    threshold[node],
                    branches,
                    firsts[node],
                    firsts[node + 1] - firsts[node],
                    missing[node],
                )
                if branch < 0:
                    break
                node = child[node] + branch
            if attribute[node] < 0:
                if part > most:
                    most, found[i] = part, node
                if len(chances) > 0:
                    for c in range(probabilities.shape[1]):
                        chances[i, c] += part * probabilities[node, c]
                continue
            below = 0.0
            for k in range(child[node], child[node] + ways[node]):
                below += weights[k]
            # Backwards, so that the first branch is followed first.
            for k in range(child[node] + ways[node] - 1, child[node] - 1, -1):
                if weights[k] > 0:
                    nodes[waiting], parts[waiting] = k, part * weights[k] / below
                    waiting += 1
