"""Pruning by description length: a split stays where it saves more bits than it costs."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from scumble.mining._cuts import Column
from scumble.mining._nodes import Nodes
from scumble.schema import Categorical

FloatArray = NDArray[np.float64]
PruningName = Literal["both", "mdl", "sliq"]


class Pruning(ABC):
    """A way to count the bits of a tree and of the classes given the tree.

    A subclass states the bits of the classes in a leaf and of a test; one bit more
    says of each node whether it is a leaf.
    """

    name: ClassVar[str]

    @abstractmethod
    def class_bits(self, counts: FloatArray) -> FloatArray:
        """Return the bits of the classes of the records, for each node as a leaf."""

    @abstractmethod
    def test_bits(self, columns: Sequence[Column], uses: NDArray[np.int64]) -> FloatArray:
        """Return the bits of a test, by attribute, in a tree that uses each so often."""

    @abstractmethod
    def pure_bits(self, weight: FloatArray, classes: int) -> FloatArray:
        """Return the bits of the classes of records that are all of one class."""

    def hopeless(self, counts: FloatArray, columns: Sequence[Column]) -> NDArray[np.bool_]:
        """Say which nodes would be pruned whatever the tree below them.

        At best two pure leaves replace a node; if even these cost no less than the
        node as a leaf, growing it is wasted work (Rastogi and Shim, 1998).
        """
        weight = counts.sum(axis=1)
        test = self.test_bits(columns, np.zeros(len(columns), dtype=np.int64)).min()
        one = np.minimum(weight / 2, 1)
        two = self.pure_bits(one, counts.shape[1])
        two += self.pure_bits(weight - one, counts.shape[1])
        hopeless: NDArray[np.bool_] = self.class_bits(counts) <= two + test + 2
        return hopeless

    def prune(self, nodes: Nodes, columns: Sequence[Column]) -> Nodes:
        """Return the tree with every subtree that does not pay turned into a leaf."""
        parents = nodes.parents
        uses = np.bincount(nodes.attribute[parents], minlength=len(columns))
        test = self.test_bits(columns, uses).tolist()
        bits = (1 + self.class_bits(nodes.counts)).tolist()
        attribute, child = nodes.attribute.tolist(), nodes.child.tolist()
        leaves = np.zeros(len(nodes), dtype=bool)
        for node in parents[::-1].tolist():
            below = child[node]
            kept = 1 + test[attribute[node]] + bits[below] + bits[below + 1]
            leaves[node] = bits[node] <= kept
            bits[node] = min(bits[node], kept)
        return nodes.cut_back(leaves)


class Mdl(Pruning):
    """Stochastic complexity: what the classes of a leaf cost with their shares unknown.

    Notes
    -----
    The classes of a leaf are coded by the estimator of Krichevsky and Trofimov; its
    length is the stochastic complexity up to a vanishing term, and never negative. A
    test costs half the bits that name its attribute and its cut or subset exactly, for
    a cut nearby, or an attribute that goes along, serves almost as well.
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

    def test_bits(self, columns: Sequence[Column], uses: NDArray[np.int64]) -> FloatArray:
        cuts = [
            len(c) - 1.0
            if isinstance(c, Categorical) and not c.ordered
            else math.log2(max(1, len(c) - 1))
            for c in columns
        ]
        return (math.log2(len(columns)) + np.array(cuts)) / 2


class Sliq(Pruning):
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

    def test_bits(self, columns: Sequence[Column], uses: NDArray[np.int64]) -> FloatArray:
        categories = np.array([isinstance(c, Categorical) for c in columns])
        return np.where(categories, np.log(np.maximum(uses, 1)), 1.0)


class Both(Mdl):
    """A split stays where it pays by stochastic complexity, and by errors too.

    The first cuts what noise has grown, the second what decides nothing: it joins
    leaves of one class whose shares differ.
    """

    name = "both"

    def prune(self, nodes: Nodes, columns: Sequence[Column]) -> Nodes:
        return Sliq().prune(super().prune(nodes, columns), columns)


PRUNINGS: dict[str, Pruning] = {pruning.name: pruning for pruning in (Both(), Mdl(), Sliq())}
