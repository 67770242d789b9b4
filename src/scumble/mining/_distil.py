"""A tree that says what a teacher says: grown from draws, labelled by their probabilities."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scumble.engines import ALL, Rows
from scumble.mining._cuts import Column, cuts_of_cells
from scumble.mining._grow import Growth, grow
from scumble.mining._nodes import Nodes
from scumble.mining._prune import Pruning
from scumble.schema import Categorical, Cells, CellSet

MOST_LEAVES = 200
_LESS = 0.8


def distil(
    codes: NDArray[np.uint16],
    chances: NDArray[np.float64],
    cells: Sequence[CellSet],
    growth: Growth,
    *,
    weight: float | None = None,
    leaves: int = MOST_LEAVES,
    workers: int = 1,
) -> tuple[Nodes, list[Column]]:
    """Grow a tree that says what a teacher says of draws.

    A draw belongs to each class with the probability that the teacher gives it, so
    that the tree learns probabilities and not coin tosses. No value of a draw is missing: one
    that is goes down every branch later, by share, which takes the mean over what it may be.

    Parameters
    ----------
    codes : array of uint16, (draws, attributes)
        The cells of the draws, from 1 on.
    chances : array, (draws, classes)
        What the teacher says of them.
    cells : sequence of CellSet
        The cells of each attribute.
    growth : Growth
        How the tree grows.
    weight : float, optional
        How many records the draws weigh together, which is what pruning sees. By default
        as many as they are.
    leaves : int
        A tree that is pruned has no more leaves than this.
    workers : int
        How many threads may count.

    Returns
    -------
    nodes, columns
        The tree on cells, and the cells.
    """
    draws, classes = chances.shape
    columns = [tree_column(own) for own in cells]
    rows = Rows(
        np.tile(codes, (classes, 1)),
        np.repeat(np.arange(classes, dtype=np.uint16), draws),
        sizes=[len(column) + 1 for column in columns],
        classes=classes,
        weights=chances.T.ravel() * (1.0 if weight is None else weight / draws),
        workers=workers,
    )
    nodes = grow(rows, columns, growth)
    if growth.pruning is not None:
        nodes = with_at_most(leaves, nodes, columns, growth.pruning)
    branch = nodes.branch.copy()
    branch[:, 0] = ALL
    return replace(nodes, branch=branch), columns


def with_at_most(leaves: int, nodes: Nodes, columns: Sequence[Column], pruning: Pruning) -> Nodes:
    """Return a tree cut back as if there were fewer records, until it has few enough leaves."""
    weight = nodes.counts.sum()
    share = 1.0
    while len(nodes) - len(nodes.parents) > leaves and share * weight > 1:
        share *= _LESS
        lighter = pruning.prune(replace(nodes, counts=share * nodes.counts), columns)
        nodes = replace(lighter, counts=lighter.counts / share)
    return nodes


def tree_column(cells: object) -> Column:
    """Return the cells of a population as a tree takes them."""
    if isinstance(cells, Categorical):
        return cells
    assert isinstance(cells, Cells)
    return cuts_of_cells(cells)
