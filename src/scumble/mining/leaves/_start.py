"""A first guess of the leaves: the best splits of draws from a population."""

import numpy as np

from scumble.mining.leaves._box import Box
from scumble.mining.leaves._candidates import cut_after
from scumble.mining.leaves._cutting import Axis, cut_boxes
from scumble.population import Population
from scumble.schema import Cells, CellSet

_DRAWS = 60_000
_LEAST_SHARE = 0.004
_LEAST_GAIN = 0.00025


def first_boxes(population: Population, *, most: int = 24, seed: int | None = None) -> list[Box]:
    """Return the leaves of a tree grown best first from draws of a population.

    Parameters
    ----------
    population : Population
        What the tree is to say.
    most : int
        The most leaves.
    seed : int, optional
        Makes the draws repeatable.
    """
    codes, _ = population.sample(_DRAWS, seed=seed)
    return cut_boxes(
        codes.astype(np.int64) - 1,
        population.class_probabilities(codes),
        [_axis(j, cells) for j, cells in enumerate(population.cells)],
        most=most,
        least_gain=_LEAST_GAIN,
        least_share=_LEAST_SHARE,
    )


def _axis(attribute: int, cells: CellSet) -> Axis:
    if isinstance(cells, Cells):
        thresholds = np.array([cut_after(cells, place) for place in range(len(cells) - 1)])
        return Axis(attribute, thresholds, np.empty((0, 0), dtype=bool))
    return Axis(attribute, np.empty(0), np.eye(len(cells), dtype=bool))
