"""The nodes of a tree, as the grower makes them and pruning cuts them back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes in order of their depth; the root is node 0.

    Attributes
    ----------
    attribute : array of int
        The attribute that splits a node; -1 in a leaf.
    child : array of int
        The first child; the others follow it.
    ways : array of int
        The number of children; 0 of a leaf.
    branch : array of int16, (nodes, values + 1)
        The branch that the missing take, from 0 on or `ALL`, and of an attribute of
        categories that of each value.
    ends : array of int, (nodes, 2)
        Of ordered cells, the last on the left and the first on the right that held
        records; of others the number of values that did.
    counts : array of float, (nodes, classes)
        The weight of each class.
    """

    attribute: NDArray[np.int64]
    child: NDArray[np.int64]
    ways: NDArray[np.int64]
    branch: NDArray[np.int16]
    ends: NDArray[np.int64]
    counts: FloatArray

    def __len__(self) -> int:
        return len(self.attribute)

    @property
    def parents(self) -> NDArray[np.int64]:
        """The nodes that are split, the deepest last."""
        return np.flatnonzero(self.attribute >= 0)

    def cut_back(self, leaves: NDArray[np.bool_]) -> "Nodes":
        """Return the tree in which some nodes have become leaves."""
        attribute = np.where(leaves, -1, self.attribute)
        inner, first, ways = (attribute >= 0).tolist(), self.child.tolist(), self.ways.tolist()
        order = [0]
        for node in order:  # grows while it is read: level by level
            if inner[node]:
                order.extend(range(first[node], first[node] + ways[node]))
        place = np.empty(len(self), dtype=np.int64)
        place[order] = np.arange(len(order))
        split = attribute[order] >= 0
        return Nodes(
            attribute[order],
            np.where(split, place[self.child[order]], -1),
            np.where(split, self.ways[order], 0),
            self.branch[order],
            self.ends[order],
            self.counts[order],
        )
