"""Where a tree answers what: its leaves as boxes on the cells of a population."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scumble.mining._tree import Tree
from scumble.mining.leaves._box import share_below
from scumble.population import Box, OrMissing
from scumble.schema import Cells, CellSet

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def leaf_boxes(tree: Tree, cells: Mapping[str, CellSet]) -> tuple[list[Box], IntArray]:
    """Return the boxes of the leaves of a tree, and the place of the class that each answers.

    Parameters
    ----------
    tree : Tree
        The tree.
    cells : mapping of str to CellSet
        The cells of the attributes of a population, those that the tree tests among them.
    """
    leaves = np.flatnonzero(tree.attribute < 0)
    return [_box(tree, leaf, cells) for leaf in leaves.tolist()], tree.answers[leaves]


def _box(tree: Tree, leaf: int, cells: Mapping[str, CellSet]) -> Box:
    path, names = tree.path(leaf), list(cells)
    tests: dict[str, list[tuple[int, int]]] = {}
    for node, after in pairwise(path):
        name = tree.names[tree.attribute[node]]
        tests.setdefault(name, []).append((node, after - int(tree.child[node])))
    return {names.index(name): _inside(tree, ways, cells[name]) for name, ways in tests.items()}


def thresholds_by_name(tree: Tree) -> dict[str, FloatArray]:
    """Return the thresholds of each attribute that a tree tests; none of categories."""
    found = {}
    for j in sorted(tree.tested):
        thresholds = tree.threshold[tree.attribute == j]
        found[tree.names[j]] = np.unique(thresholds[np.isfinite(thresholds)])
    return found


def _inside(tree: Tree, ways: Sequence[tuple[int, int]], cells: CellSet) -> FloatArray:
    """Return how much of each cell passes tests: nodes, and the branch that is taken there."""
    if isinstance(cells, OrMissing):
        missing = math.prod(tree.missing_share(node, branch) for node, branch in ways)
        return np.append(missing, _inside(tree, ways, cells.cells))
    if isinstance(cells, Cells):
        high = min([tree.threshold[node] for node, branch in ways if branch == 0], default=np.inf)
        low = max([tree.threshold[node] for node, branch in ways if branch == 1], default=-np.inf)
        return np.maximum(share_below(cells, high) - share_below(cells, low), 0)
    inside = np.ones(len(cells), dtype=bool)
    for node, branch in ways:
        inside &= tree.branches[node] == branch
    return inside.astype(float)
