"""Pruning: ways to cut a tree back, and those by description length.

By these a split stays where it saves more bits than it costs.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from scumble.mining._cuts import Column, is_nominal
from scumble.mining._nodes import Nodes
from scumble.schema import Categorical

FloatArray = NDArray[np.float64]
PruningName = Literal["both", "mdl", "sliq", "significance", "reduced-error"]
# These need more than the counts of a finished tree: how sure they are, or other records.
WITH_INVERSION = ("significance", "reduced-error")


class Pruning(ABC):
    """A way to cut a tree back."""

    name: ClassVar[str]

    @abstractmethod
    def prune(self, nodes: Nodes, columns: Sequence[Column]) -> Nodes:
        """Return the tree with every subtree that does not pay turned into a leaf."""

    def hopeless(self, counts: FloatArray, columns: Sequence[Column]) -> NDArray[np.bool_]:
        """Say which nodes would be pruned whatever the tree below them; none that is known."""
        return np.zeros(len(counts), dtype=bool)


class DescriptionLength(Pruning):
    """A way to count the bits of a tree and of the classes given the tree.

    A subclass states the bits of the classes in a leaf and of a test; one bit more
    says of each node whether it is a leaf.
    """

    @abstractmethod
    def class_bits(self, counts: FloatArray) -> FloatArray:
        """Return the bits of the classes of the records, for each node as a leaf."""

    @abstractmethod
    def test_bits(self, nodes: Nodes, columns: Sequence[Column]) -> FloatArray:
        """Return the bits of the test of each node; what it says of leaves is not used."""

    @abstractmethod
    def least_test_bits(self, columns: Sequence[Column]) -> float:
        """Return the bits of the cheapest test."""

    @abstractmethod
    def pure_bits(self, weight: FloatArray, classes: int) -> FloatArray:
        """Return the bits of the classes of records that are all of one class."""

    def hopeless(self, counts: FloatArray, columns: Sequence[Column]) -> NDArray[np.bool_]:
        """Say which nodes would be pruned whatever the tree below them.

        At best two pure leaves replace a node; if even these cost no less than the
        node as a leaf, growing it is wasted work (Rastogi and Shim, 1998).
        """
        weight = counts.sum(axis=1)
        test = self.least_test_bits(columns)
        one = np.minimum(weight / 2, 1)
        two = self.pure_bits(one, counts.shape[1])
        two += self.pure_bits(weight - one, counts.shape[1])
        hopeless: NDArray[np.bool_] = self.class_bits(counts) <= two + test + 2
        return hopeless

    def prune(self, nodes: Nodes, columns: Sequence[Column]) -> Nodes:
        parents = nodes.parents
        test = self.test_bits(nodes, columns).tolist()
        bits = (1 + self.class_bits(nodes.counts)).tolist()
        child, ways = nodes.child.tolist(), nodes.ways.tolist()
        leaves = np.zeros(len(nodes), dtype=bool)
        for node in parents[::-1].tolist():
            below = child[node]
            kept = 1 + test[node]
            for place in range(below, below + ways[node]):
                kept += bits[place]
            leaves[node] = bits[node] <= kept
            bits[node] = min(bits[node], kept)
        return nodes.cut_back(leaves)


class Mdl(DescriptionLength):
    """Stochastic complexity: what the classes of a leaf cost with their shares unknown.

    Notes
    -----
    The classes of a leaf are coded by the estimator of Krichevsky and Trofimov; its
    length is the stochastic complexity up to a vanishing term, and never negative. A
    test of ordered cells costs half the bits that name its attribute and its cut exactly,
    for a cut nearby, or an attribute that goes along, serves almost as well. A subset of
    values has no such neighbours: it costs a bit for each value but one.
    """

    name = "mdl"

    def class_bits(self, counts: FloatArray) -> FloatArray:
        from scipy.special import gammaln

        classes = counts.shape[1]
        nats = gammaln(counts.sum(axis=1) + classes / 2) - gammaln(classes / 2)
        nats -= (gammaln(counts + 0.5) - gammaln(0.5)).sum(axis=1)
        return np.asarray(nats / math.log(2))

    def pure_bits(self, weight: FloatArray, classes: int) -> FloatArray:
        counts = np.zeros((len(weight), classes))
        counts[:, 0] = weight
        return self.class_bits(counts)

    def test_bits(self, nodes: Nodes, columns: Sequence[Column]) -> FloatArray:
        cuts = np.array([_cut_bits(column) for column in columns])
        subset = np.array([is_nominal(column) for column in columns])[nodes.attribute]
        seen = nodes.ends[:, 0]  # of a nominal attribute, how many values the node has
        choice = np.where(subset, seen - 1, cuts[nodes.attribute])
        return np.asarray(math.log2(len(columns)) / 2 + choice)

    def least_test_bits(self, columns: Sequence[Column]) -> float:
        least = min(1.0 if is_nominal(column) else _cut_bits(column) for column in columns)
        return math.log2(len(columns)) / 2 + least


def _cut_bits(column: Column) -> float:
    return math.log2(max(1, len(column) - 1)) / 2


class Sliq(DescriptionLength):
    """As published: a bit for each misclassified record (Mehta, Agrawal, Rissanen 1996).

    Notes
    -----
    A numeric test costs one bit. One on categories costs the logarithm of the number
    of times that the tree tests that attribute.
    """

    name = "sliq"

    def class_bits(self, counts: FloatArray) -> FloatArray:
        return np.asarray(counts.sum(axis=1) - counts.max(axis=1))

    def pure_bits(self, weight: FloatArray, classes: int) -> FloatArray:
        return np.zeros(len(weight))

    def test_bits(self, nodes: Nodes, columns: Sequence[Column]) -> FloatArray:
        categories = np.array([isinstance(column, Categorical) for column in columns])
        uses = np.bincount(nodes.attribute[nodes.parents], minlength=len(columns))
        bits = np.where(categories, np.log(np.maximum(uses, 1)), 1.0)
        return np.asarray(bits[nodes.attribute])

    def least_test_bits(self, columns: Sequence[Column]) -> float:
        return min(0.0 if isinstance(column, Categorical) else 1.0 for column in columns)


class Both(Mdl):
    """A split stays where it pays by stochastic complexity, and by errors too.

    The first cuts what noise has grown, the second what decides nothing: it joins
    leaves of one class whose shares differ.
    """

    name = "both"

    def prune(self, nodes: Nodes, columns: Sequence[Column]) -> Nodes:
        return Sliq().prune(super().prune(nodes, columns), columns)


PRUNINGS: dict[str, Pruning] = {pruning.name: pruning for pruning in (Both(), Mdl(), Sliq())}
