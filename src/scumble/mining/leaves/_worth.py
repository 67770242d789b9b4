"""What a model is worth: its likelihood, less the price of its parameters."""

import numpy as np

from scumble.mining.leaves._box import thresholds
from scumble.mining.leaves._model import LeafModel
from scumble.mining.leaves._patterns import Patterns

_INNER = 1e-3


def price(patterns: Patterns) -> float:
    """Return what a parameter must gain."""
    return float(np.log(max(patterns.total, 2.0))) / 2


def worth(model: LeafModel) -> float:
    """Return the log-likelihood less the price of the parameters."""
    inner = np.count_nonzero((model.chances > _INNER) & (model.chances < 1 - _INNER))
    free = inner * (1 - 1 / model.patterns.classes)
    found = len(thresholds(model.boxes, model.reports.cells)) + free
    return model.log_likelihood - price(model.patterns) * found
