"""Coded records in memory that count, in part, for several nodes of a tree."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.engines._rows import Codes, Rows
from scumble.engines._splits import Splits

FloatArray = NDArray[np.float64]
# A branch of a smaller share of the records gets nothing of those that go everywhere.
LEAST_SHARE = 1e-6


class SharedRows(Rows):
    """Records of which some go down every branch of a split, each branch with its share.

    Where a split sends a cell, that of the missing, to `ALL`, a record of it counts for
    each child with the share of the weight that goes there otherwise (Quinlan 1993). So
    there may be more rows on a level than on the one above.

    Parameters
    ----------
    codes, labels, sizes, classes, weights, workers
        As for `Rows`.

    Examples
    --------
    >>> codes = np.array([[1], [1], [2], [0]], dtype=np.uint16)
    >>> rows = SharedRows(codes, np.array([0, 0, 1, 1], dtype=np.uint16), sizes=[3], classes=2)
    >>> rows.split(Splits(np.array([0]), np.array([[-1, 0, 1]], dtype=np.int16), np.array([2])))
    >>> rows.node_weights.round(3).tolist()
    [2.667, 1.333]
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
        weights = np.ones(len(codes)) if weights is None else weights
        super().__init__(
            codes, labels, sizes=sizes, classes=classes, weights=weights, workers=workers
        )

    def split(self, splits: Splits) -> None:
        """Move the rows of every node that is split to its children."""
        from scumble.engines._share_kernels import deal_shares, weigh_branches

        inner = np.flatnonzero(splits.attribute >= 0)
        parent = np.repeat(inner, splits.children[inner])
        known, sizes = np.zeros(len(parent)), np.zeros(len(parent), dtype=np.int64)
        everywhere = np.zeros(len(self), dtype=np.int64)
        how = splits.attribute, splits.branch
        weigh_branches(
            self.codes, self.weights, self.starts, *how, splits.first, known, sizes, everywhere
        )
        shares = _shares(known, parent, len(self))
        starts = np.append(0, np.cumsum(sizes + (shares > 0) * everywhere[parent]))
        moved = tuple(
            np.empty((int(starts[-1]), *old.shape[1:]), dtype=old.dtype)
            for old in (self.codes, self.labels, self.weights)
        )
        deal_shares(
            self.codes,
            self.labels,
            self.weights,
            self.starts,
            *how,
            splits.ways,
            splits.first,
            shares,
            starts[:-1].copy(),
            *moved,
        )
        self.codes, self.labels, self.weights = moved
        self.starts = starts


def _shares(known: FloatArray, parent: NDArray[np.int64], nodes: int) -> FloatArray:
    """Return the share of each child; all have the same where nothing is known."""
    total = np.bincount(parent, weights=known, minlength=nodes)[parent]
    number = np.bincount(parent, minlength=nodes)[parent]
    shares = np.where(total > 0, known / np.where(total > 0, total, 1), 1 / number)
    return np.where(shares > LEAST_SHARE, shares, 0.0)
