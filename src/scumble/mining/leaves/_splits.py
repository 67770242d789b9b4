"""The tree whose leaves are given boxes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.engines import ALL
from scumble.mining._tree import Tree
from scumble.mining.leaves._box import EVERYTHING, Box
from scumble.schema import Domain

FloatArray = NDArray[np.float64]
Cut = tuple[int, float | tuple[bool, ...]]


def tree_of_leaves(
    boxes: Sequence[Box],
    counts: FloatArray,
    places: Sequence[int],
    *,
    attributes: Mapping[str, Domain],
    classes: NDArray[Any],
    missing_seen: frozenset[str] = frozenset(),
    depth: int | None = None,
    least: float = 0,
) -> Tree:
    """Return the tree whose leaves are given boxes.

    Two leaves side by side that answer the same are made one. A missing value goes down every
    branch, by share.

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
    branches: dict[int, NDArray[np.int64]] = {}
    for place, node in enumerate(nodes):
        if node.cut is not None:
            at = node.cut[1]
            if isinstance(at, tuple):
                branches[place] = np.where(at, 0, 1)
            else:
                threshold[place] = at
    return Tree(
        attributes,
        classes,
        np.array([-1 if node.cut is None else places[node.cut[0]] for node in nodes]),
        np.array(child),
        np.array([len(node.parts) for node in nodes]),
        threshold,
        branches,
        np.full(len(nodes), ALL),
        np.array([node.total for node in nodes]),
        missing_seen,
    )


def is_tree(boxes: Sequence[Box]) -> bool:
    """Say whether boxes that fill the space can be made by cutting it, again and again."""
    if len(boxes) < 2:
        return True
    own = list(boxes)
    left = next((side for cut in _cuts(own) if (side := _sides(own, cut)) is not None), None)
    if left is None:
        return False
    return all(
        is_tree([box for box, is_left in zip(own, left, strict=True) if is_left == side])
        for side in (True, False)
    )


class _Node:
    """A node, cut where no leaf below it is cut; of several such cuts the most telling."""

    def __init__(self, boxes: list[Box], counts: FloatArray, depth: int, least: float) -> None:
        self.total = counts.sum(axis=0)
        self.cut: Cut | None = None
        self.parts: list[_Node] = []
        cuts = [(cut, left) for cut in _cuts(boxes) if (left := _sides(boxes, cut)) is not None]
        if len(boxes) < 2 or not cuts or depth < 1:
            return
        # A cut that leaves too little on a side is none, as long as there is a better one.
        cut, left = max(cuts, key=lambda found: (_lighter(counts, found[1]) >= least,
                                                 _purity(counts, found[1])))  # fmt: skip
        if _lighter(counts, left) < least:
            return
        parts = []
        for side in (True, False):
            own = [box for box, is_left in zip(boxes, left, strict=True) if is_left == side]
            parts.append(_Node(own, counts[left == side], depth - 1, least))
        alike = len({int(part.total.argmax()) for part in parts}) == 1
        if alike and all(part.cut is None for part in parts):
            return
        self.cut, self.parts = cut, parts


def _cuts(boxes: list[Box]) -> list[Cut]:
    """Return every threshold of some box, and the sets of values that no box parts."""
    found: dict[Cut, None] = {}
    for j in sorted({j for box in boxes for j in box.bounds}):
        ends = {end for box in boxes for end in box.bounds.get(j, ()) if np.isfinite(end)}
        found.update({(j, end): None for end in sorted(ends)})
    for j in sorted({j for box in boxes for j in box.values}):
        found.update({(j, together): None for together in _unparted(boxes, j)})
    return list(found)


def _unparted(boxes: list[Box], j: int) -> list[tuple[bool, ...]]:
    """Return the least sets of values that no box parts."""
    sets = [np.array(box.values[j]) for box in boxes if j in box.values]
    if len(sets) < len(boxes):
        return []  # some box holds all values
    joined: list[NDArray[np.bool_]] = []
    for own in sets:
        touching = [other for other in joined if (other & own).any()]
        joined = [other for other in joined if not (other & own).any()]
        joined.append(np.logical_or.reduce([own, *touching]))
    return [tuple(own.tolist()) for own in joined]


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


def _lighter(counts: FloatArray, left: NDArray[np.bool_]) -> float:
    return float(min(counts[left].sum(), counts[~left].sum()))


def _purity(counts: FloatArray, left: NDArray[np.bool_]) -> float:
    total = 0.0
    for part in (counts[left].sum(axis=0), counts[~left].sum(axis=0)):
        total += float((part**2).sum() / max(part.sum(), 1e-12))
    return total
