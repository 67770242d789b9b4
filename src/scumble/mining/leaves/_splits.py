"""The tree whose leaves are given boxes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.mining._tree import Tree
from scumble.mining.leaves._box import EVERYTHING, Box
from scumble.schema import Attribute

FloatArray = NDArray[np.float64]
Cut = tuple[int, float | tuple[bool, ...]]


def tree_of_leaves(
    boxes: Sequence[Box],
    counts: FloatArray,
    places: Sequence[int],
    *,
    attributes: Mapping[str, Attribute],
    classes: NDArray[Any],
    missing_seen: frozenset[str] = frozenset(),
    depth: int | None = None,
    least: float = 0,
) -> Tree:
    """Return the tree whose leaves are given boxes.

    Two leaves side by side that answer the same are made one.

    Parameters
    ----------
    boxes : sequence of Box
        The leaves; they fill the space and were made by cutting it.
    counts : array, (leaves, classes)
        The weight of each class.
    places : sequence of int
        The place, among all attributes, of each attribute of the boxes.
    attributes, classes, missing_seen
        As for `Tree`.
    depth : int, optional
        How deep the tree may get.
    least : float
        The least weight of a leaf.
    """
    root = _Node(list(boxes), counts, len(boxes) if depth is None else depth, least)
    nodes, child = [root], [-1]
    for node in nodes:  # grows while it is read: level by level, as a tree is numbered
        if node.cut is not None:
            child[nodes.index(node)] = len(nodes)
            nodes += node.parts
            child += [-1, -1]
    threshold = np.full(len(nodes), np.nan)
    left_values: dict[int, NDArray[np.int64]] = {}
    for place, node in enumerate(nodes):
        if node.cut is not None:
            at = node.cut[1]
            if isinstance(at, tuple):
                left_values[place] = np.flatnonzero(at)
            else:
                threshold[place] = at
    return Tree(
        attributes,
        classes,
        np.array([-1 if node.cut is None else places[node.cut[0]] for node in nodes]),
        np.array(child),
        threshold,
        left_values,
        np.array([node.larger_left for node in nodes]),
        np.array([node.total for node in nodes]),
        missing_seen,
    )


class _Node:
    """A node, cut where no leaf below it is cut; of several such cuts the most telling."""

    def __init__(self, boxes: list[Box], counts: FloatArray, depth: int, least: float) -> None:
        self.total = counts.sum(axis=0)
        self.cut: Cut | None = None
        self.parts: list[_Node] = []
        self.larger_left = False
        cuts = [(cut, left) for cut in _cuts(boxes) if (left := _sides(boxes, cut)) is not None]
        if len(boxes) < 2 or not cuts or depth < 1:
            return
        cut, left = max(cuts, key=lambda found: _purity(counts, found[1]))
        parts = [
            _Node([box for box, is_left in zip(boxes, left, strict=True) if is_left == side],
                  counts[left == side], depth - 1, least)
            for side in (True, False)
        ]  # fmt: skip
        alike = len({int(part.total.argmax()) for part in parts}) == 1
        if alike and all(part.cut is None for part in parts):
            return
        if min(float(part.total.sum()) for part in parts) < least:
            return
        self.cut, self.parts = cut, parts
        self.larger_left = bool(parts[0].total.sum() >= parts[1].total.sum())


def _cuts(boxes: list[Box]) -> list[Cut]:
    found: dict[Cut, None] = {}
    for box in boxes:
        for j, bounds in box.bounds.items():
            found.update({(j, end): None for end in bounds if np.isfinite(end)})
        found.update(dict.fromkeys(box.values.items()))
    return list(found)


def _sides(boxes: list[Box], cut: Cut) -> NDArray[np.bool_] | None:
    """Say which boxes lie on the left; None where a box lies on both sides, or a side is bare."""
    j, at = cut
    left = []
    for box in boxes:
        if isinstance(at, tuple):
            inside = box.values.get(j, (True,) * len(at))
            both = [a for a, b in zip(at, inside, strict=True) if b]
            if any(both) and not all(both):
                return None
            left.append(all(both))
        else:
            low, high = box.bounds.get(j, EVERYTHING)
            if low < at < high:
                return None
            left.append(high <= at)
    sides = np.array(left)
    return None if sides.all() or not sides.any() else sides


def _purity(counts: FloatArray, left: NDArray[np.bool_]) -> float:
    total = 0.0
    for part in (counts[left].sum(axis=0), counts[~left].sum(axis=0)):
        total += float((part**2).sum() / max(part.sum(), 1e-12))
    return total
