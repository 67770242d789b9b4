"""The tree that guides noise: which records share a leaf, and what is innocent there."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Guide:
    """A C4.5 tree on the true records, as noise that must keep its rules needs it.

    Attributes
    ----------
    leaves : array of int
        The leaf of each record.
    classes : array of int
        The class of each record.
    tested : mapping of int to frozenset of str
        The attributes that are tested on the way to a leaf.
    anywhere : frozenset of str
        The attributes that the tree tests at all.
    certain : array of bool
        Which records reach one leaf alone; one that misses a value which the tree tests
        may be sent down several ways.
    """

    leaves: IntArray
    classes: IntArray
    tested: dict[int, frozenset[str]]
    anywhere: frozenset[str]
    certain: NDArray[np.bool_]

    def innocent(self, name: str, *, total: bool, leaf: bool) -> NDArray[np.bool_]:
        """Say for which records an attribute plays no part in the way to their leaf.

        Parameters
        ----------
        name : str
            The attribute.
        total : bool
            Whether attributes count that the tree tests nowhere.
        leaf : bool
            Whether those count that it tests elsewhere.
        """
        if name not in self.anywhere:
            return np.full(len(self.leaves), total)
        if not leaf:
            return np.zeros(len(self.leaves), dtype=bool)
        free = [place for place, names in self.tested.items() if name not in names]
        return np.asarray(np.isin(self.leaves, free) & self.certain)


def guide_of(model: Any, X: Any, classes: IntArray, *, missing: NDArray[np.bool_]) -> Guide:
    """Return what a fitted tree says of records.

    Parameters
    ----------
    model : C45Classifier
        The tree.
    X : DataFrame
        The records.
    classes : array of int
        The class of each.
    missing : array of bool
        Which records miss a value of an attribute that the tree tests.
    """
    tree = model.tree_
    leaves = np.asarray(model.apply(X), dtype=np.int64)
    tested = {
        leaf: frozenset(tree.names[tree.attribute[node]] for node in tree.path(leaf)[:-1])
        for leaf in np.flatnonzero(tree.attribute < 0).tolist()
    }
    anywhere = frozenset(tree.names[place] for place in tree.tested)
    return Guide(leaves, classes, tested, anywhere, ~missing)
