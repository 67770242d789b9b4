"""Which nodes of a tree are shown when it is cut off at some depth."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scumble.errors import SpecificationError
from scumble.mining._tree import Tree


@dataclass(frozen=True)
class Shown:
    """A node that is shown.

    Attributes
    ----------
    node : int
        Its number.
    hidden : int
        How many leaves below it are not shown.
    children : tuple of int
        The nodes below it that are shown: all of its children, or none.
    """

    node: int
    hidden: int
    children: tuple[int, ...]


def visible(tree: Tree, *, depth: int | None) -> Iterator[Shown]:
    """Yield the nodes down to a depth in the order of reading: a branch, then the next.

    Parameters
    ----------
    tree : Tree
        The tree.
    depth : int, optional
        How many tests on a path are shown. None: all of them.
    """
    if depth is not None and (
        isinstance(depth, bool) or not isinstance(depth, int | np.integer) or depth < 0
    ):
        raise SpecificationError(f"depth: expected a whole number from 0 or None, got {depth!r}")
    leaves, waiting = _leaves_below(tree), [0]
    while waiting:
        node = waiting.pop()
        below = tuple(tree.children(node))
        cut = depth is not None and tree.depths[node] >= depth
        children = () if cut else below
        yield Shown(node, int(leaves[node]) if below and cut else 0, children)
        waiting.extend(reversed(children))


def _leaves_below(tree: Tree) -> NDArray[np.int64]:
    """Return the number of leaves below each node; a leaf has one, itself."""
    leaves = np.where(tree.child < 0, 1, 0)
    # Children have larger numbers than their parent, so theirs are complete by then.
    for node in range(len(tree) - 1, 0, -1):
        leaves[tree.parent[node]] += leaves[node]
    return leaves
