"""Leaves side by side that may as well be one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves._box import EVERYTHING, Box
from scumble.mining.leaves._classes import fit_classes
from scumble.mining.leaves._model import LeafModel
from scumble.mining.leaves._splits import is_tree
from scumble.mining.leaves._worth import worth

FloatArray = NDArray[np.float64]
# Chances of leaves that are merged differ by no more than this.
_ALIKE = 0.6
# Models whose worths differ by less are worth the same: sums are rounded, and fits end before
# they gain this much.
_ROUNDING = 0.02


def merged(model: LeafModel) -> LeafModel:
    """Return the model in which leaves are one where the likelihood does not pay for two.

    What is left must be the leaves of a tree. Those that are most alike are tried first.
    """
    refused: set[object] = set()
    while True:
        least = worth(model) - _ROUNDING
        other = next((m for m in _merges(model, refused) if worth(m) >= least), None)
        if other is None:
            return model
        model = other


def _merges(model: LeafModel, refused: set[object]) -> Iterator[LeafModel]:
    """Yield the model with each pair of leaves side by side made one, the most alike first."""
    keys = [(tuple(sorted(b.bounds.items())), tuple(sorted(b.values.items()))) for b in model.boxes]
    pairs = []
    for a, b in combinations(range(len(keys)), 2):
        apart = float(np.abs(model.chances[a] - model.chances[b]).max())
        both = union(model.boxes[a], model.boxes[b]) if apart <= _ALIKE else None
        if both is not None and (keys[a], keys[b]) not in refused:
            pairs.append((apart, a, b, both))
    for _, a, b, both in sorted(pairs, key=lambda pair: pair[:3]):
        refused.add((keys[a], keys[b]))
        boxes = [box for place, box in enumerate(model.boxes) if place not in (a, b)]
        if is_tree([*boxes, both]):
            yield _with_one(model, a, b, [*boxes, both])


def _with_one(model: LeafModel, a: int, b: int, boxes: Sequence[Box]) -> LeafModel:
    shares = model.shares[[a, b]]
    one = shares @ model.chances[[a, b]] / max(float(shares.sum()), 1e-300)
    chances = np.vstack((np.delete(model.chances, (a, b), axis=0), one))
    return fit_classes(model.with_boxes(boxes, chances), steps=3)


def union(first: Box, second: Box) -> Box | None:
    """Return the box that two boxes side by side are together; None where they are none.

    Examples
    --------
    >>> from scumble.mining.leaves import Box
    >>> low, high = Box().cut(0, 40.0)
    >>> middle, high = high.cut(0, 60.0)
    >>> union(middle, low).bounds
    {0: (-inf, 60.0)}
    >>> union(low, high) is None
    True
    """
    numbers = [
        j
        for j in {*first.bounds, *second.bounds}
        if first.bounds.get(j, EVERYTHING) != second.bounds.get(j, EVERYTHING)
    ]
    values = [
        j for j in {*first.values, *second.values} if first.values.get(j) != second.values.get(j)
    ]
    if len(numbers) + len(values) != 1:
        return None
    if numbers:
        j = numbers[0]
        ends = sorted((first.bounds.get(j, EVERYTHING), second.bounds.get(j, EVERYTHING)))
        if ends[0][1] != ends[1][0]:
            return None
        joined = {**first.bounds, j: (ends[0][0], ends[1][1])}
        if joined[j] == EVERYTHING:
            del joined[j]
        return replace(first, bounds=joined)
    j = values[0]
    if j not in first.values or j not in second.values:
        return None
    both = tuple(a or b for a, b in zip(first.values[j], second.values[j], strict=True))
    kept = {place: inside for place, inside in first.values.items() if place != j}
    return replace(first, values=kept if all(both) else {**kept, j: both})
