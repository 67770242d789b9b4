"""Coded records in memory, kept together by the node of a tree that they have reached."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from scumble.engines._splits import Splits

FloatArray = NDArray[np.float64]
Codes = NDArray[np.uint16]
T = TypeVar("T")
# Counts of one batch of nodes stay in the cache of a core.
_BATCH = 1 << 17
_ROWS_PER_THREAD = 50_000


class Source(Protocol):
    """Who counts records by node, class and attribute while a tree grows."""

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where the cells of each attribute begin among all cells, and their number."""
        ...

    def counts(self) -> Iterator[FloatArray]:
        """Yield the counts of the nodes by cell and class, batch by batch."""
        ...

    def split(self, splits: Splits) -> None:
        """Move every record of a node that is split to its children; the rest rest."""
        ...


class TellingSource(Source, Protocol):
    """A source that knows how sure its counts are."""

    def evidence(self, splits: Splits) -> FloatArray:
        """Return by how many standard errors the sides of each split differ; 0 of no split."""
        ...


class Rows:
    """Records in memory: one row of codes each, with a class and a weight.

    The arrays are taken over: they are written to.

    The rows of a node are neighbours, and stay so when it is split, so that counting
    reads memory in order. Rows of leaves are left behind.

    Parameters
    ----------
    codes : array of uint16, (records, attributes and more)
        The cell of each value; 0 is missing. Columns beyond the attributes that
        `sizes` tells of are carried along.
    labels : array of uint16
        The class of each record.
    sizes : sequence of int
        The number of cells of each attribute, the missing one included.
    classes : int
        The number of classes.
    weights : array of float, optional
        The weight of each record.
    workers : int
        How many threads may count at once.

    Examples
    --------
    >>> codes = np.array([[1, 2], [2, 0], [2, 2]], dtype=np.uint16)
    >>> rows = Rows(codes, np.array([0, 1, 1], dtype=np.uint16), sizes=[3, 3], classes=2)
    >>> next(rows.counts()).tolist()
    [[[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [0.0, 1.0], [0.0, 0.0], [1.0, 1.0]]]
    """

    def __init__(
        self,
        codes: Codes,
        labels: NDArray[np.uint16],
        *,
        sizes: Any,
        classes: int,
        weights: FloatArray | None = None,
        workers: int = 1,
    ) -> None:
        self.codes, self.labels, self.classes, self.workers = codes, labels, classes, workers
        self.weights = np.empty(0) if weights is None else weights
        self.offsets: NDArray[np.int64] = np.cumsum([0, *sizes])
        self.starts = np.array([0, len(codes)])
        self._spare = np.empty_like(codes), np.empty_like(labels), np.empty_like(self.weights)

    def __len__(self) -> int:
        """Return the number of nodes of the level."""
        return len(self.starts) - 1

    @property
    def node_weights(self) -> FloatArray:
        """The weight of the records of each node of the level."""
        if not len(self.weights):
            return np.diff(self.starts).astype(float)
        running = np.append(0, np.cumsum(self.weights))
        return np.diff(running[self.starts])

    def counts(self) -> Iterator[FloatArray]:
        """Yield the counts of the nodes by cell and class, batch by batch."""
        size = max(1, _BATCH // int(self.offsets[-1] * self.classes))
        for first in range(0, len(self), size):
            nodes = np.arange(first, min(first + size, len(self)))
            yield self.count(nodes, offsets=self.offsets)

    def count(
        self, nodes: NDArray[np.int64], *, offsets: NDArray[np.int64], column: int = 0
    ) -> FloatArray:
        """Return the counts of some nodes by cell and class, from a column on."""
        from scumble.engines._kernels import count_nodes

        starts, stops = self.starts[nodes], self.starts[nodes + 1]

        def part(ends: NDArray[np.int64]) -> FloatArray:
            counts = np.zeros((len(nodes), int(offsets[-1]), self.classes))
            count_nodes(
                self.codes,
                column,
                self.labels,
                self.weights,
                starts.clip(ends[0], ends[1]),
                stops.clip(ends[0], ends[1]),
                offsets,
                counts,
            )
            return counts

        # Counts of parts add up.
        return reduce(np.add, self._each(part, self._parts(starts[0], stops[-1])))

    def split(self, splits: Splits) -> None:
        """Move the rows of every node that is split to its children."""
        from scumble.engines._kernels import count_branches

        sizes = np.zeros(int(splits.children.sum()), dtype=np.int64)
        count_branches(
            self.codes,
            self.starts,
            splits.attribute,
            splits.branch,
            splits.ways,
            splits.first,
            sizes,
        )
        starts = np.append(0, np.cumsum(sizes))
        self._deal(splits, starts)
        self.starts = starts

    def _deal(self, splits: Splits, places: NDArray[np.int64]) -> None:
        from scumble.engines._kernels import deal

        total = int(places[-1])
        codes, labels, weights = self._spare
        codes, labels, weights = codes[:total], labels[:total], weights[:total]
        first, places = splits.first, places[:-1].copy()

        def part(ends: NDArray[np.int64]) -> None:
            # Whole nodes: those that begin in this part.
            begin, end = np.searchsorted(self.starts[:-1], ends)
            nodes = slice(begin, end)
            deal(
                self.codes,
                self.labels,
                self.weights,
                self.starts[begin : end + 1],
                splits.attribute[nodes],
                splits.branch[nodes],
                splits.ways[nodes],
                first[nodes],
                places,
                codes,
                labels,
                weights,
            )

        self._each(part, self._parts(0, int(self.starts[-1])))
        # What was read is what is written next: memory is taken once and no more.
        self._spare = self.codes, self.labels, self.weights
        self.codes, self.labels, self.weights = codes, labels, weights

    def _parts(self, first: int, last: int) -> NDArray[np.int64]:
        """Return the ends of equal parts of a range of rows, one for each thread it pays for."""
        threads = max(1, min(self.workers, (last - first) // _ROWS_PER_THREAD))
        if threads == 1:
            return np.array([[first, last]])
        ends = np.linspace(first, last, threads + 1).astype(np.int64)
        return np.column_stack((ends[:-1], ends[1:]))

    def _each(self, work: Callable[[NDArray[np.int64]], T], parts: NDArray[np.int64]) -> list[T]:
        if len(parts) == 1:
            return [work(parts[0])]
        with ThreadPoolExecutor(len(parts)) as pool:
            return list(pool.map(work, parts))
