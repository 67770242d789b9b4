"""A tree that says what a population says: grown from draws, labelled by their probabilities."""

import numpy as np

from scumble.engines import Rows
from scumble.mining._cuts import Column, cuts_of_cells
from scumble.mining._grow import Growth, grow
from scumble.mining._nodes import Nodes
from scumble.population import Population
from scumble.schema import Categorical, Cells

DRAWS = 300_000


def distil(
    population: Population,
    growth: Growth,
    *,
    draws: int = DRAWS,
    seed: int | None = None,
    workers: int = 1,
) -> tuple[Nodes, list[Column]]:
    """Grow a tree from draws of a population.

    A draw belongs to each class with the probability that the population gives it, so
    that the tree learns probabilities and not coin tosses.

    Parameters
    ----------
    population : Population
        What the tree is to say.
    growth : Growth
        How it grows.
    draws : int
        The number of draws.
    seed : int, optional
        Makes them repeatable.
    workers : int
        How many threads may count.

    Returns
    -------
    nodes, columns
        The tree on cells, and the cells.
    """
    codes, _ = population.sample(draws, seed=seed)
    chances = population.class_probabilities(codes)
    columns = [tree_column(cells) for cells in population.cells]
    classes = population.class_count
    rows = Rows(
        np.tile(codes, (classes, 1)),
        np.repeat(np.arange(classes, dtype=np.uint16), draws),
        sizes=[len(column) + 1 for column in columns],
        classes=classes,
        weights=chances.T.ravel().copy(),
        workers=workers,
    )
    return grow(rows, columns, growth), columns


def tree_column(cells: object) -> Column:
    """Return the cells of a population as a tree takes them."""
    if isinstance(cells, Categorical):
        return cells
    assert isinstance(cells, Cells)
    return cuts_of_cells(cells)
