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
        The left child; the right one follows it.
    left : array of 0 and 1, (nodes, values + 1)
        Whether the missing go left, and of an attribute of categories which values do.
    ends : array of int, (nodes, 2)
        Of ordered cells, the last on the left and the first on the right that held
        records; of others the number of values that did.
    counts : array of float, (nodes, classes)
        The weight of each class.
    """

    attribute: NDArray[np.int64]
    child: NDArray[np.int64]
    left: NDArray[np.uint8]
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
        kept = np.zeros(len(self), dtype=bool)
        kept[0] = True
        for node in np.flatnonzero(attribute >= 0):
            if kept[node]:
                kept[self.child[node] : self.child[node] + 2] = True
        place = np.cumsum(kept) - 1
        attribute = attribute[kept]
        child = np.where(attribute >= 0, place[self.child[kept]], -1)
        return Nodes(attribute, child, self.left[kept], self.ends[kept], self.counts[kept])
