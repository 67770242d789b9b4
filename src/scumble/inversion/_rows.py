"""Records in memory whose counts at the nodes of a tree are inverted (MRR 4.5)."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.engines import Splits
from scumble.inversion._evidence import evidence_of_splits
from scumble.inversion._factors import InvertedFactor
from scumble.inversion._kinds import Codes, kinds_of
from scumble.inversion._packed import packed

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
# Counts of one batch of nodes stay in the cache of a core.
_BATCH = 1 << 17
# So many counts of a level are kept, to be subtracted from in the next one.
_KEPT = 1 << 24
Estimates = tuple[FloatArray, FloatArray]


class InvertedRows:
    """Who counts records by node, class and attribute where all is disguised, the class too.

    Nodes are split in two.
    Records that report the same are one kind; they are counted once. A kind counts for
    each node whose truths could have been behind it, so it may be in several.

    Parameters
    ----------
    codes : array of uint16, (records, attributes + 1)
        The cell of each report; 0 is missing. The last column is the class.
    factors : sequence of InvertedFactor
        How to invert them; the class is the last attribute.
    weights : array of float, optional
        The weight of each record.

    Examples
    --------
    >>> from scumble import Categorical, Specification
    >>> from scumble.inversion._factors import inverse_factors
    >>> from scumble.mechanisms import Warner
    >>> answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.75, group="health"))
    >>> spec = Specification({"smoker": answer, "healthy": answer})
    >>> codes = np.array([[1, 2]] * 3 + [[2, 1]], dtype=np.uint16)
    >>> rows = InvertedRows(codes, inverse_factors(spec, ["smoker", "healthy"], [2, 2]))
    >>> next(rows.counts())[0].round(2).tolist()
    [[0.0, 0.0], [0.0, 4.0], [0.0, 0.0]]
    """

    def __init__(
        self, codes: Codes, factors: Sequence[InvertedFactor], *, weights: FloatArray | None = None
    ) -> None:
        self.packed = packed(factors)
        sizes = np.diff(self.packed.offsets)
        self.kinds, self.kind_of = kinds_of(codes, sizes)
        self.weights = np.bincount(self.kind_of, weights=weights).astype(float)
        self.records = float(self.weights.sum())
        self.offsets: IntArray = self.packed.offsets[:-1]
        self.classes = int(sizes[-1]) - 1
        self.present = np.ones(self.offsets[-1], dtype=np.uint8)
        # Where nothing is missing, there is no such cell.
        for j, cell in enumerate(self.offsets[:-1].tolist()):
            self.present[cell] = not self.kinds.codes(j).all()
        self.rows = np.arange(len(self.weights), dtype=np.int32)
        self.ends = np.array([[0, len(self.weights)]])
        self.allowed = self.present[None].copy()
        self.above = np.ones((1, self.classes))
        self._totals: list[FloatArray] = []
        self._raw: list[Estimates] = []
        self._parents: Estimates | None = None

    def __len__(self) -> int:
        """Return the number of nodes of the level."""
        return len(self.ends)

    def batches(self) -> Iterator[slice]:
        """Yield the nodes in batches that bound the memory of their counts, siblings together."""
        size = 2 * max(1, _BATCH // int(2 * self.offsets[-1] * self.classes))
        for first in range(0, len(self), size):
            yield slice(first, min(first + size, len(self)))

    def estimates(self, nodes: slice) -> Estimates:
        """Return unbiased counts of nodes by class, and by cell and class.

        Of an attribute of which one cell is left, those by cell mean nothing.
        """
        if self._parents is None:
            return self._counted(np.arange(len(self))[nodes])
        # Counts of siblings add up to those of their parent: the shorter list is counted.
        sizes = (self.ends[nodes, 1] - self.ends[nodes, 0]).reshape(-1, 2)
        pairs = np.arange(len(sizes))
        counted = np.where(sizes[:, 0] <= sizes[:, 1], 0, 1)
        own = self._counted(nodes.start + 2 * pairs + counted)
        found = []
        for part, parents in zip(own, self._parents, strict=True):
            both = np.empty((len(pairs), 2, *part.shape[1:]))
            both[pairs, counted] = part
            both[pairs, 1 - counted] = parents[nodes.start // 2 + pairs] - part
            found.append(both.reshape(-1, *part.shape[1:]))
        found[1] *= self.allowed[nodes, :, None]
        return found[0], found[1]

    def _counted(self, nodes: IntArray) -> Estimates:
        from scumble.inversion import _kernels

        invert_counts: Any = _kernels.invert_counts
        totals = np.zeros((len(nodes), self.classes))
        counts = np.zeros((len(nodes), int(self.offsets[-1]), self.classes))
        invert_counts(*self._state(nodes), totals, counts)
        return totals, counts

    def counts(self) -> Iterator[FloatArray]:
        """Yield the counts of the nodes by cell and class, batch by batch.

        As published, estimates below zero are cut at zero. The counts of each attribute are
        then scaled, class by class, so that all attributes agree on how many there are.
        """
        from scumble.inversion._kernels import make_possible

        self._totals, self._raw = [], []
        kept = len(self) * int(self.offsets[-1]) * self.classes <= _KEPT
        for nodes in self.batches():
            totals, counts = self.estimates(nodes)
            if kept:
                self._raw.append((totals.copy(), counts.copy()))
            make_possible(
                self.packed, self.allowed[nodes], self.above[nodes], self.records, totals, counts
            )
            self._totals.append(totals)
            yield counts

    def evidence(self, splits: Splits) -> FloatArray:
        """Return by how many standard errors the sides of each split differ; 0 of no split."""
        from scumble.inversion import _moments

        weigh_splits: Any = _moments.weigh_splits
        found = np.zeros(len(self))
        for nodes in self.batches():
            shape = (len(self.ends[nodes]), 2 * self.classes)
            totals, squares = np.zeros(shape), np.zeros((*shape, 2 * self.classes))
            attribute = splits.attribute[nodes]
            left = splits.left[nodes]
            weigh_splits(*self._state(nodes), attribute, left, totals, squares)
            split = attribute >= 0
            found[nodes][split] = evidence_of_splits(
                totals[split], squares[split], records=self.records
            )
        return found

    def add_answers(self, labels: IntArray, found: FloatArray) -> None:
        """Add what a record of each kind counts for the right answers of nodes.

        Parameters
        ----------
        labels : array of int
            The class that each node of the level answers; -1 where it does not.
        found : array, (kinds,)
            It is added to this.
        """
        self._weighed(labels, found, products=False)

    def moments(self) -> Estimates:
        """Return unbiased counts of the nodes by class, and how much each pair varies together.

        Returns
        -------
        array, (nodes, classes)
            The sums over records of what each counts for the classes.
        array, (nodes, classes, classes)
            The sums over records of products of that.
        """
        return self._weighed(np.full(len(self), -1), np.empty(0), products=True)

    def _weighed(self, labels: IntArray, found: FloatArray, *, products: bool) -> Estimates:
        from scumble.inversion import _moments

        weigh_nodes: Any = _moments.weigh_nodes
        totals = np.zeros((len(self), self.classes))
        squares = np.zeros((len(self) if products else 0, self.classes, self.classes))
        weigh_nodes(*self._state(slice(None)), labels, totals, squares, found)
        return totals, squares

    def _state(self, nodes: Any) -> Any:
        """Return what the compiled loops need to know of some nodes."""
        return (
            self.packed,
            self.kinds,
            self.weights,
            self.rows,
            self.ends[nodes],
            self.allowed[nodes],
            self.present,
        )

    def split(self, splits: Splits) -> None:
        """Narrow the cells of every node that is split to those of its children."""
        from scumble.inversion._dealing import deal_rows

        inner = np.flatnonzero(splits.attribute >= 0)
        attribute, ends = splits.attribute[inner], self.ends[inner]
        if self._totals:
            self.above = np.repeat(np.concatenate(self._totals)[inner], 2, axis=0)
        self._parents = None
        if self._raw:
            totals, counts = (
                np.concatenate(parts)[inner] for parts in zip(*self._raw, strict=True)
            )
            self._parents = totals, counts
        self.allowed = self._narrowed(inner, splits)
        rows = np.empty(2 * int((ends[:, 1] - ends[:, 0]).sum()), dtype=np.int32)
        new_ends = np.zeros((2 * len(inner), 2), dtype=np.int64)
        size = deal_rows(
            self.packed,
            self.kinds,
            self.rows,
            ends,
            attribute,
            self.allowed,
            self.present,
            rows,
            new_ends,
        )
        self.rows, self.ends = rows[:size].copy(), new_ends

    def _narrowed(self, nodes: IntArray, splits: Splits) -> NDArray[np.uint8]:
        """Return the cells that are left in the children of nodes."""
        allowed = np.repeat(self.allowed[nodes], 2, axis=0)
        for j in np.unique(splits.attribute[nodes]).tolist():
            places = np.flatnonzero(splits.attribute[nodes] == j)
            cells = slice(self.offsets[j], self.offsets[j + 1])
            left = splits.left[nodes[places], : self.offsets[j + 1] - self.offsets[j]]
            allowed[2 * places, cells] &= left
            allowed[2 * places + 1, cells] &= 1 - left
        return allowed
