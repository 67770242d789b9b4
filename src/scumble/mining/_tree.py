"""A decision tree: a value, to be read, drawn, shipped and applied where the truth is."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.engines import ALL
from scumble.schema import Date, Domain

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree over truths.

    Nodes are numbered from the root, node 0, down, level by level; the children of a node
    follow each other. A number is tested by a threshold, so that there are two branches;
    categories may be parted into more.

    Attributes
    ----------
    attributes : mapping of str to Numeric or Categorical
        What the tree may test, in the order of the columns.
    classes : array
        The labels.
    attribute : array of int
        The place of the attribute that a node tests; -1 in a leaf.
    child : array of int
        The first child of a node; -1 in a leaf.
    ways : array of int
        The number of children; 0 in a leaf.
    threshold : array of float
        Numbers below it go to the first child; of dates a whole number of days. It is nan
        in a leaf and where categories are tested.
    branches : mapping of int to array of int
        The branch that each category takes, from 0 on, by node.
    missing : array of int
        The branch that a missing value takes; -1, which is `ALL`, where it goes down every
        branch with its share of the weight.
    counts : array of float, (nodes, classes)
        The weight of the training records of each class.
    missing_seen : frozenset of str
        The attributes that had missing values in training.
    """

    attributes: Mapping[str, Domain]
    classes: NDArray[Any]
    attribute: IntArray
    child: IntArray
    ways: IntArray
    threshold: FloatArray
    branches: Mapping[int, IntArray]
    missing: IntArray
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
        for node in inner.tolist():
            parent[self.child[node] : self.child[node] + self.ways[node]] = node
        return parent

    @cached_property
    def weights(self) -> FloatArray:
        """The weight of the training records of each node."""
        return np.asarray(self.counts.sum(axis=1))

    def children(self, node: int) -> range:
        """Return the children of a node."""
        first = int(self.child[node])
        return range(first, first + int(self.ways[node]))

    def missing_share(self, node: int, branch: int) -> float:
        """Return how much of a missing value takes a branch."""
        if self.missing[node] != ALL:
            return float(self.missing[node] == branch)
        below = self.weights[list(self.children(node))]
        return float(below[branch] / below.sum())

    @cached_property
    def depths(self) -> IntArray:
        """How many tests lead to each node."""
        depths = np.zeros(len(self), dtype=np.int64)
        # A parent stands before its children, so its own depth is known by then.
        for node in range(1, len(self)):
            depths[node] = depths[self.parent[node]] + 1
        return depths

    @cached_property
    def _grounds(self) -> FloatArray:
        """The counts that a node goes by: of a branch that no record took, those above it."""
        grounds = self.counts.copy()
        for node in np.flatnonzero(self.weights <= 0).tolist():
            grounds[node] = grounds[self.parent[node]]
        return grounds

    @cached_property
    def probabilities(self) -> FloatArray:
        """The share of each class in each node; where no record is, that of the node above."""
        return np.asarray(self._grounds / self._grounds.sum(axis=1, keepdims=True))

    @cached_property
    def answers(self) -> IntArray:
        """The place of the most frequent class of each node, the first of several."""
        return np.asarray(self._grounds.argmax(axis=1))

    def label(self, node: int) -> Any:
        """Return the most frequent class of a node, the first of several."""
        return self.classes[int(self.answers[node])]

    @property
    def shares_missing(self) -> bool:
        """Whether a missing value may go down every branch of a node."""
        return bool((self.missing[self.attribute >= 0] == ALL).any())

    def leaves(self, values: FloatArray) -> IntArray:
        """Return the leaf that each record reaches.

        Where a missing value goes down every branch, it is the leaf of most weight.

        Parameters
        ----------
        values : array of float, (records, attributes)
            Numbers, or places in the list of values; nan where missing.
        """
        return self._walked(values, np.empty((0, len(self.classes))))

    def chances(self, values: FloatArray) -> FloatArray:
        """Return the share of each class in the leaves that each record reaches.

        Parameters
        ----------
        values : array of float, (records, attributes)
            As for `leaves`.
        """
        chances = np.zeros((len(values), len(self.classes)))
        self._walked(values, chances)
        return chances

    def predicted(self, values: FloatArray) -> IntArray:
        """Return the place of the class of each record: the likeliest, the first of several.

        Parameters
        ----------
        values : array of float, (records, attributes)
            As for `leaves`.
        """
        if self.shares_missing:
            return np.asarray(self.chances(values).argmax(axis=1))
        return np.asarray(self.answers[self.leaves(values)])

    def _walked(self, values: FloatArray, chances: FloatArray) -> IntArray:
        from scumble.mining._walk import walk

        found = np.empty(len(values), dtype=np.int64)
        walk(
            np.ascontiguousarray(values),
            self.attribute,
            self.child,
            self.ways,
            self.threshold,
            *self._flat_branches,
            self.missing,
            self.weights,
            self.probabilities,
            found,
            chances,
        )
        return found

    @cached_property
    def _flat_branches(self) -> tuple[IntArray, IntArray]:
        """The branch of each category, node after node, and where each node begins."""
        sizes = np.zeros(len(self), dtype=np.int64)
        for node, branch in self.branches.items():
            sizes[node] = len(branch)
        firsts = np.append(0, np.cumsum(sizes))
        parts = [self.branches[node] for node in sorted(self.branches)]
        return np.concatenate([np.empty(0, dtype=np.int64), *parts]), firsts

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
        weighted = _impurity(self.probabilities, criterion) * self.weights
        inner = np.flatnonzero(self.attribute >= 0)
        below = np.bincount(self.parent[1:], weights=weighted[1:], minlength=len(self))
        decrease = weighted[inner] - below[inner]
        total = np.bincount(self.attribute[inner], weights=decrease, minlength=len(self.attributes))
        return np.asarray(total / total.sum() if total.sum() > 0 else total)


def _impurity(shares: FloatArray, criterion: str) -> FloatArray:
    """Return the impurity of each node."""
    if criterion == "gini":
        return np.asarray(1 - (shares**2).sum(axis=1))
    return np.asarray(-(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=1))
