"""What leaves say of truths that are known by their cells."""

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves._box import Box
from scumble.mining.leaves._model import LeafModel
from scumble.population import Population
from scumble.schema import CellSet

FloatArray = NDArray[np.float64]


def leaf_chances(model: LeafModel, population: Population, codes: NDArray[np.uint16]) -> FloatArray:
    """Return P(class | truths) by leaves, one row for each record.

    Parameters
    ----------
    model : LeafModel
        The leaves.
    population : Population
        Whose cells the codes are.
    codes : array of uint16, (records, attributes)
        The cell of each truth, from 1 on; 0 is missing. Of a cell that a threshold parts,
        both leaves have their share.
    """
    names, own = list(population.attributes), list(model.reports.attributes)
    places = {j: names.index(own[j]) for j in model.tested}
    found = np.zeros((len(codes), model.class_shares.shape[1]))
    for box, chances in zip(model.boxes, model.class_shares, strict=True):
        inside = np.ones(len(codes))
        for j in (*box.bounds, *box.values):
            place = places[j]
            inside *= _inside(model, box, j, population.cells[place])[codes[:, place]]
        found += inside[:, None] * chances
    return np.asarray(found / np.maximum(found.sum(axis=1, keepdims=True), 1e-300))


def _inside(model: LeafModel, box: Box, j: int, cells: CellSet) -> FloatArray:
    """Return how much of each cell lies in a box, by code; of missing ones as much as of all."""
    share = float(model.confined(box, [j])[j].sum())
    known = box.inside(j, cells)
    assert known is not None  # the box restricts it
    return np.append(share, known)
