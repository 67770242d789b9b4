"""The densities of attributes that the tree does not test, from counts of their reports."""

import numpy as np

from scumble.mining.leaves._density import Density
from scumble.mining.leaves._model import LeafModel


def fitted_densities(model: LeafModel) -> tuple[Density, ...]:
    """Return all densities, those of untested attributes fitted to the reports.

    Classes are weighed as they occur among all people, not as in the table. (For a
    disguised class this holds for the reported one, which is near enough for a start.)
    """
    reports = model.reports
    weights = 1 / model.scales
    counts = (weights / weights.mean()) @ model.patterns.code_counts()
    densities = list(model.densities)
    for f, factor in enumerate(reports.factors):
        start = reports.offsets[f]
        own = counts[start : start + factor.size].copy()
        if len(factor.attributes) == 1:
            own[0] = 0  # a missing report says nothing
        for j in factor.attributes:
            if j in model.tested:
                continue
            shares = [density.shares[None] for density in densities]
            shares[j] = np.ones((1, len(densities[j].shares)))
            densities[j] = densities[j].fitted(own, factor.by_cell(shares, j)[:, :, 0])
    return tuple(densities)
