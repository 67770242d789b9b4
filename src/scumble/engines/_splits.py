"""What becomes of the nodes of a level: which child the records of each cell go to."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

ALL = -1
"""Instead of the number of a branch: down every branch, to each with its share."""


@dataclass(frozen=True, eq=False)
class Splits:
    """What becomes of each node of a level.

    Attributes
    ----------
    attribute : array of int
        The attribute that splits each node; -1 where it is a leaf.
    branch : array of int16, (nodes, cells)
        The branch that each cell of that attribute takes, from 0 on; cell 0 is the missing,
        which may be sent to `ALL`.
    ways : array of int
        How many branches each node has; what it says of leaves is not used.

    Examples
    --------
    >>> branch = np.array([[0, 0, 1, 2], [0, 0, 0, 0], [0, 1, 0, 0]], dtype=np.int16)
    >>> splits = Splits(np.array([1, -1, 0]), branch, ways=np.array([3, 0, 2]))
    >>> splits.children.tolist(), splits.first.tolist()
    ([3, 0, 2], [0, 3, 3])
    """

    attribute: NDArray[np.int64]
    branch: NDArray[np.int16]
    ways: NDArray[np.int64]

    @classmethod
    def in_two(cls, attribute: NDArray[np.int64], left: NDArray[Any]) -> Self:
        """Return splits in two, told by which cells go left."""
        branch = np.where(left, 0, 1).astype(np.int16)
        return cls(attribute, branch, np.full(len(attribute), 2))

    @cached_property
    def left(self) -> NDArray[np.uint8]:
        """Which cells go left, for those who only know splits in two."""
        return np.asarray(self.branch == 0).astype(np.uint8)

    @cached_property
    def children(self) -> NDArray[np.int64]:
        """How many children each node gets."""
        return np.where(self.attribute >= 0, self.ways, 0)

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """The place of the first child of each node among the nodes of the next level."""
        return np.cumsum(self.children) - self.children
