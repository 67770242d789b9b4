"""A decision tree: a value, to be read, drawn, shipped and applied where the truth is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.mining._cuts import Column, Cuts
from scumble.mining._nodes import Nodes
from scumble.schema import Categorical, Date, Domain

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Tree:
    """A binary tree over truths.

    Nodes are numbered from the root, node 0, down, level by level; the right child of
    a node follows its left one.

    Attributes
    ----------
    attributes : mapping of str to Numeric or Categorical
        What the tree may test, in the order of the columns.
    classes : array
        The labels.
    attribute : array of int
        The place of the attribute that a node tests; -1 in a leaf.
    child : array of int
        The left child of a node; -1 in a leaf.
    threshold : array of float
        Numbers below it go left; of dates a whole number of days. It is nan in a leaf and
        where categories are tested.
    left_values : mapping of int to array of int
        The categories that go left, as places in the list of values, by node.
    missing_left : array of bool
        Whether a missing value goes left.
    counts : array of float, (nodes, classes)
        The weight of the training records of each class.
    missing_seen : frozenset of str
        The attributes that had missing values in training.
    """

    attributes: Mapping[str, Domain]
    classes: NDArray[Any]
    attribute: IntArray
    child: IntArray
    threshold: FloatArray
    left_values: Mapping[int, IntArray]
    missing_left: NDArray[np.bool_]
    counts: FloatArray
    missing_seen: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        dates = [j for j, own in enumerate(self.attributes.values()) if isinstance(own, Date)]
        if dates:
            # As good a threshold, since a date is a whole day, and one that is a date itself.
            whole = np.where(np.isin(self.attribute, dates), np.ceil(self.threshold), np.nan)
            object.__setattr__(self, "threshold", np.where(np.isnan(whole), self.threshold, whole))

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.attribute)

    @cached_property
    def names(self) -> list[str]:
        """The names of the attributes."""
        return list(self.attributes)

    @cached_property
    def tested(self) -> frozenset[int]:
        """The places of the attributes that some node tests."""
        return frozenset(self.attribute[self.attribute >= 0].tolist())

    @property
    def leaf_count(self) -> int:
        """The number of leaves."""
        return int(np.count_nonzero(self.attribute < 0))

    @cached_property
    def parent(self) -> IntArray:
        """The parent of each node; -1 of the root."""
        parent = np.full(len(self), -1)
        inner = np.flatnonzero(self.attribute >= 0)
        parent[self.child[inner]] = inner
        parent[self.child[inner] + 1] = inner
        return parent

    @cached_property
    def depths(self) -> IntArray:
        """How many tests lead to each node."""
        depths = np.zeros(len(self), dtype=np.int64)
        # A parent stands before its children, so its own depth is known by then.
        for node in range(1, len(self)):
            depths[node] = depths[self.parent[node]] + 1
        return depths

    @cached_property
    def probabilities(self) -> FloatArray:
        """The share of each class in each node."""
        return np.asarray(self.counts / self.counts.sum(axis=1, keepdims=True))

    def label(self, node: int) -> Any:
        """Return the most frequent class of a node, the first of several."""
        return self.classes[int(self.counts[node].argmax())]

    def leaves(self, values: FloatArray) -> IntArray:
        """Return the leaf that each record reaches.

        Parameters
        ----------
        values : array of float, (records, attributes)
            Numbers, or places in the list of values; nan where missing.
        """
        from scumble.mining._walk import leaves

        found = np.empty(len(values), dtype=np.int64)
        leaves(
            np.ascontiguousarray(values),
            self.attribute,
            self.child,
            self.threshold,
            *self._left_flags,
            self.missing_left,
            found,
        )
        return found

    @cached_property
    def _left_flags(self) -> tuple[NDArray[np.bool_], IntArray]:
        """Whether each category goes left, node after node, and where each node begins."""
        sizes = np.zeros(len(self), dtype=np.int64)
        attributes = list(self.attributes.values())
        for node in self.left_values:
            attribute = attributes[self.attribute[node]]
            assert isinstance(attribute, Categorical)
            sizes[node] = len(attribute)
        firsts = np.append(0, np.cumsum(sizes))
        flags = np.zeros(int(firsts[-1]), dtype=bool)
        for node, places in self.left_values.items():
            flags[firsts[node] + places] = True
        return flags, firsts

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root down to a node, both included."""
        path = [node]
        while path[-1] > 0:
            path.append(int(self.parent[path[-1]]))
        return path[::-1]

    def importances(self, criterion: str) -> FloatArray:
        """Return how much each attribute decreases the impurity; they sum to one.

        Of a single leaf they are all zero.
        """
        weighted = _impurity(self.counts, criterion) * self.counts.sum(axis=1)
        inner = np.flatnonzero(self.attribute >= 0)
        decrease = weighted[inner] - weighted[self.child[inner]] - weighted[self.child[inner] + 1]
        total = np.bincount(self.attribute[inner], weights=decrease, minlength=len(self.attributes))
        return np.asarray(total / total.sum() if total.sum() > 0 else total)


def _impurity(counts: FloatArray, criterion: str) -> FloatArray:
    """Return the impurity of each node."""
    shares = counts / counts.sum(axis=1, keepdims=True)
    if criterion == "gini":
        return np.asarray(1 - (shares**2).sum(axis=1))
    return np.asarray(-(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=1))


def tree_from_nodes(
    nodes: Nodes,
    columns: Sequence[Column],
    attributes: Mapping[str, Domain],
    *,
    classes: NDArray[Any],
    missing_seen: frozenset[str],
) -> Tree:
    """Return the tree that nodes on cells are: thresholds and values instead of codes."""
    threshold = np.full(len(nodes), np.nan)
    left_values: dict[int, IntArray] = {}
    for node in nodes.parents.tolist():
        column = columns[nodes.attribute[node]]
        if isinstance(column, Cuts):
            threshold[node] = column.threshold(*nodes.ends[node])
        else:
            left_values[node] = np.flatnonzero(nodes.left[node, 1 : len(column) + 1])
    return Tree(
        attributes,
        classes,
        nodes.attribute,
        nodes.child,
        threshold,
        left_values,
        nodes.left[:, 0] > 0,
        nodes.counts,
        missing_seen,
    )
