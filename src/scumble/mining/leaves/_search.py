"""The search for leaves: split, tie thresholds that may be one, split again."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves._box import Box
from scumble.mining.leaves._candidates import Split, promising_splits
from scumble.mining.leaves._classes import fit_classes
from scumble.mining.leaves._merging import merged
from scumble.mining.leaves._model import LeafModel, one_leaf
from scumble.mining.leaves._patterns import Patterns
from scumble.mining.leaves._step import Improved, cell_width, improve
from scumble.mining.leaves._worth import price, worth

FloatArray = NDArray[np.float64]
MOST_LEAVES = 40
_TRIES = 3
_SURELY = 0.25


def start_leaves(patterns: Patterns, boxes: Sequence[Box]) -> Improved:
    """Return the model of given leaves, fitted to the reports.

    Parameters
    ----------
    patterns : Patterns
        The reports.
    boxes : sequence of Box
        The leaves of a tree that is roughly right.
    """
    start = one_leaf(patterns)
    model = start.with_boxes(boxes, np.tile(start.chances, (len(boxes), 1)))
    return improve(fit_classes(model, steps=8), rounds=5)


def rough_leaves(patterns: Patterns, boxes: Sequence[Box]) -> LeafModel:
    """Return the model of given leaves with thresholds tied that may be one."""
    return tied(start_leaves(patterns, boxes)).model


def search_leaves(start: Improved) -> LeafModel:
    """Return the model that the likelihood prefers, found from a first guess of the leaves.

    Notes
    -----
    Each parameter costs half the logarithm of the number of records (Schwarz 1978).
    Thresholds of one attribute that may as well be one are tied: it is this that makes
    them exact, since a rule often uses one threshold in several branches, and each branch
    alone has little to say of it.
    """
    grown = tied(improve(grow_leaves(tied(start).model), rounds=3))
    return improve(grown.model, rounds=3).model


def simplified(model: LeafModel) -> LeafModel:
    """Return the model in which leaves and thresholds are one that may as well be."""
    return improve(tied(improve(merged(model), rounds=2)).model, rounds=3).model


def grow_leaves(model: LeafModel) -> LeafModel:
    """Split leaves while the likelihood gains more than the parameters cost."""
    least = max(8.0, model.patterns.classes * price(model.patterns))
    while len(model.boxes) < MOST_LEAVES:
        better = _best_of(model, promising_splits(model), least)
        if better is None:
            break
        model = better.settled()
    return model


def _best_of(model: LeafModel, splits: list[Split], least: float) -> LeafModel | None:
    """Return the model after a split that gains enough; a few are tried."""
    tried = [_after(model, split) for split in splits[:_TRIES] if split.promise > 0.5]
    if not tried:
        return None
    best = improve(max(tried, key=lambda m: m.log_likelihood), rounds=2).model
    if best.log_likelihood >= model.log_likelihood + least:
        return best
    # A promise is of the second order only: look at some more, in earnest.
    for split in splits[_TRIES : 2 * _TRIES]:
        if split.promise > 0.5:
            other = improve(_after(model, split), rounds=2).model
            if other.log_likelihood >= model.log_likelihood + least:
                return other
    return None


def _after(model: LeafModel, split: Split) -> LeafModel:
    boxes = list(model.boxes)
    boxes[split.leaf : split.leaf + 1] = boxes[split.leaf].cut(split.attribute, split.at)
    chances = np.insert(model.chances, split.leaf, model.chances[split.leaf], axis=0)
    return fit_classes(model.with_boxes(boxes, chances), steps=5)


def tied(found: Improved) -> Improved:
    """Tie thresholds of one attribute that may be one, the nearest first.

    Those that are surely one are tied at once; of the others each is tried.
    """
    cost = price(found.model.patterns)
    refused: set[tuple[int, float, float]] = set()
    while True:
        pairs = [pair for pair in _pairs(found) if pair[1:] not in refused]
        if not pairs or pairs[0][0] > 2 * cost:
            return found
        sure = [pair for pair in _disjoint(pairs) if pair[0] < _SURELY]
        for together in ([sure] if len(sure) > 1 else []) + [pairs[:1]]:
            joint = _joined(found, together)
            if joint is None:
                continue
            other = improve(joint, rounds=2)
            better = worth(other.model) > worth(found.model)
            if better and len(other.keys) < len(found.keys):
                found = other
                break
        else:
            refused.add(pairs[0][1:])


def _pairs(found: Improved) -> list[tuple[float, int, float, float]]:
    """Return pairs of thresholds by what it would cost to tie them, to the second order."""
    pairs = []
    for a, (j, low) in enumerate(found.keys):
        least = 0.25 * cell_width(found.model.reports.cells[j])
        for b, (k, high) in enumerate(found.keys[:a]):
            if j == k:
                c = found.covariance
                variance = max(float(c[a, a] + c[b, b] - 2 * c[a, b]), least**2)
                pairs.append(((low - high) ** 2 / (2 * variance), j, low, high))
    return sorted(pairs)


def _disjoint(
    pairs: list[tuple[float, int, float, float]],
) -> list[tuple[float, int, float, float]]:
    seen: set[tuple[int, float]] = set()
    kept = []
    for pair in pairs:
        ends = {(pair[1], pair[2]), (pair[1], pair[3])}
        if not ends & seen:
            kept.append(pair)
            seen |= ends
    return kept


def _joined(found: Improved, pairs: list[tuple[float, int, float, float]]) -> LeafModel | None:
    """Return the model with thresholds tied at their mean, weighed by how sure they are.

    None where they would cross a third one between them.
    """
    variances = dict(zip(found.keys, np.diag(found.covariance).tolist(), strict=True))
    boxes = list(found.model.boxes)
    for _, j, low, high in pairs:
        a, b = (max(variances[j, end], 1e-12) for end in (low, high))
        mean = (low * b + high * a) / (a + b)
        boxes = [box.moved(j, low, mean).moved(j, high, mean) for box in boxes]
    if any(low > high for box in boxes for low, high in box.bounds.values()):
        return None
    return fit_classes(found.model.with_boxes(boxes, found.model.chances))
