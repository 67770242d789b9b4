"""The chances of the classes in each leaf, by maximum likelihood, all else given."""

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves._model import STRAY, LeafModel

FloatArray = NDArray[np.float64]
_ZERO = 1e-6
_ENOUGH = 0.02


def fit_classes(model: LeafModel, *, steps: int = 4) -> LeafModel:
    """Return the model with better chances of the classes.

    Notes
    -----
    The likelihood of a record is linear in the chances, so that its logarithm is concave
    and Newton's steps are safe; chances stay between 0 and 1 and sum to one in a leaf.
    Most end at 0 or 1 where classes follow a rule.
    """
    for _ in range(steps):
        slope, curvature = _derivatives(model)
        step = _newton_step(model.chances, slope, curvature)
        better = _along(model, step)
        if better is None:
            return model
        gain = better.log_likelihood - model.log_likelihood
        model = better
        if gain < _ENOUGH:
            return model
    return model


def nearer_classes(model: LeafModel, *, steps: int) -> LeafModel:
    """Return the model with chances of the classes nearer to the likeliest, by steps of EM.

    Of very many leaves that is faster than Newton's steps, which end at the first chance
    that becomes zero.
    """
    labels, matrix, counts = model.reports.labels, model.reports.label_matrix, model.patterns.counts
    rows = [np.flatnonzero(labels == label) for label in range(len(matrix))]
    masses = [model.masses[own] for own in rows]
    chances = model.chances
    for _ in range(steps):
        weights = (chances * model.scales) @ matrix
        back = np.zeros_like(chances)
        for label, (own, mass) in enumerate(zip(rows, masses, strict=True)):
            likelihoods = mass @ weights[:, label].astype(np.float32) + np.float32(STRAY)
            back += np.outer((counts[own] / likelihoods) @ mass, matrix[:, label])
        behind = chances * back  # over the scales: how often each class is behind, unscaled
        total = behind.sum(axis=1, keepdims=True)
        # A leaf in which nobody can be says what it did.
        chances = np.where(total > 0, behind / np.maximum(total, 1e-300), chances)
    return model.with_classes(chances)


def _derivatives(model: LeafModel) -> tuple[FloatArray, FloatArray]:
    """Return the first derivative by chance, and minus the second."""
    leaves, classes = model.chances.shape
    labels, matrix = model.reports.labels, model.reports.label_matrix
    slope = np.zeros((leaves, classes))
    curvature = np.zeros((leaves * classes, leaves * classes))
    for label in range(classes):
        own = labels == label
        shares = model.masses[own] / model.likelihoods[own, None]
        counts = model.patterns.counts[own]
        weights = matrix[:, label] * model.scales
        slope += np.outer((counts @ shares).astype(float), weights)
        square = (shares * counts[:, None]).T @ shares
        curvature += np.kron(square.astype(float), np.outer(weights, weights))
    slope -= model.patterns.total * np.outer(model.shares, model.scales) / model.norm
    return slope, curvature


def _newton_step(chances: FloatArray, slope: FloatArray, curvature: FloatArray) -> FloatArray:
    """Return the step to the maximum of a parabola; chances at 0 that would fall stay."""
    leaves, classes = chances.shape
    given, score = chances.ravel(), slope.ravel()
    curvature = curvature.copy()
    diagonal = np.diag_indices_from(curvature)
    curvature[diagonal] = curvature[diagonal] * (1 + 1e-6) + 0.01
    sums = np.kron(np.eye(leaves), np.ones(classes))
    free = (given > _ZERO) | (score > np.repeat((slope * chances).sum(axis=1), classes) + _ZERO)
    while True:
        places = np.flatnonzero(free)
        size = len(places)
        system = np.zeros((size + leaves, size + leaves))
        system[:size, :size] = curvature[np.ix_(places, places)]
        system[:size, size:] = sums[:, places].T
        system[size:, :size] = sums[:, places]
        system[size:, size:] = -1e-9 * np.eye(leaves)
        step = np.linalg.solve(system, np.append(score[places], np.zeros(leaves)))[:size]
        falling = (given[places] + step < -1e-9) & (given[places] <= _ZERO)
        if not falling.any():
            break
        free[places[falling]] = False
    found = np.zeros(len(given))
    found[places] = step
    return found.reshape(chances.shape)


def _along(model: LeafModel, step: FloatArray) -> LeafModel | None:
    """Return the model some way along a step, if that is better."""
    falling = step < -1e-12
    length = min(1.0, float((model.chances[falling] / -step[falling]).min(initial=1.0)))
    for _ in range(6):
        chances = np.maximum(model.chances + length * step, 0)
        better = model.with_classes(chances / chances.sum(axis=1, keepdims=True))
        if better.log_likelihood > model.log_likelihood - 1e-9:
            return better
        length /= 3
    return None
