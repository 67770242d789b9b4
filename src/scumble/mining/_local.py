"""Local: reconstruct again at every node that has records enough (AS 4.2)."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scumble.engines import Rows, Splits
from scumble.mining._reports import Reports
from scumble.reconstruction import published_interval_count

FloatArray = NDArray[np.float64]


class LocalSource:
    """Counts of cells that reports are associated with anew at each level.

    An attribute that a path has split on keeps its cells: the split has cut its
    reports off, so that they no longer look like what the channel makes of any truths.

    Parameters
    ----------
    rows : Rows
        The records; the fine report codes of the disguised attributes follow the
        attributes.
    disguised : sequence of (int, Reports)
        The disguised attributes and their places.
    least : float
        Nodes of fewer records keep the cells of the node above.
    cells : int, optional
        The number of cells to reconstruct at every node; by default as published, by
        the number of its records.
    """

    def __init__(
        self,
        rows: Rows,
        disguised: Sequence[tuple[int, Reports]],
        *,
        least: float,
        cells: int | None = None,
    ) -> None:
        self.rows, self.disguised, self.least, self.cells = rows, disguised, least, cells
        self.offsets = rows.offsets
        self.settled = np.zeros((1, len(rows.offsets) - 1), dtype=bool)

    def counts(self) -> Iterator[FloatArray]:
        """Yield the counts of the nodes by cell and class, batch by batch."""
        sizes = self.rows.node_weights
        for place, (j, reports) in enumerate(self.disguised):
            nodes = np.flatnonzero((sizes >= self.least) & ~self.settled[:, j])
            if len(sizes) == 1:
                nodes = np.array([0])  # the root, however small
            cells = np.array(
                [self.cells or published_interval_count(round(sizes[n])) for n in nodes]
            )
            for count in np.unique(cells):
                reports.associate(
                    self.rows,
                    nodes[cells == count],
                    column=self.settled.shape[1] + place,
                    codes=self.rows.codes,
                    place=j,
                    cells=int(count),
                )
        return self.rows.counts()

    def split(self, splits: Splits) -> None:
        """Move every record of a node that is split to its children."""
        inner = np.flatnonzero(splits.attribute >= 0)
        settled = self.settled[inner]
        settled[np.arange(len(inner)), splits.attribute[inner]] = True
        self.settled = np.repeat(settled, splits.children[inner], axis=0)
        self.rows.split(splits)
