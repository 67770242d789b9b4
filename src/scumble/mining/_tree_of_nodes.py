"""From nodes on cells to a tree over truths."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.mining._cuts import Column, Cuts
from scumble.mining._nodes import Nodes
from scumble.mining._tree import Tree
from scumble.schema import Domain


def tree_from_nodes(
    nodes: Nodes,
    columns: Sequence[Column],
    attributes: Mapping[str, Domain],
    *,
    classes: NDArray[Any],
    missing_seen: frozenset[str],
    at_values: bool = False,
) -> Tree:
    """Return the tree that nodes on cells are: thresholds and values instead of codes.

    With `at_values`, a threshold is a value that occurs, as C4.5 has it: the greatest of
    all records that is not above the middle between two of a node. Else it is that middle.
    """
    threshold = np.full(len(nodes), np.nan)
    branches: dict[int, NDArray[np.int64]] = {}
    for node in nodes.parents.tolist():
        column = columns[nodes.attribute[node]]
        if isinstance(column, Cuts):
            left, right = nodes.ends[node]
            threshold[node] = (
                column.threshold_after(column.last_not_above(left, right))
                if at_values
                else column.threshold(left, right)
            )
        else:
            branches[node] = nodes.branch[node, 1 : len(column) + 1].astype(np.int64)
    return Tree(
        attributes,
        classes,
        nodes.attribute,
        nodes.child,
        nodes.ways,
        threshold,
        branches,
        nodes.branch[:, 0].astype(np.int64),
        nodes.counts,
        missing_seen,
    )
