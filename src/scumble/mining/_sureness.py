"""How sure a teacher may be: as sure as the classes of records held out bear out."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scumble.mining._judged import Judges
from scumble.mining._regions import leaf_boxes
from scumble.mining._tree import Tree
from scumble.population import CodedReports, Population, box_chances

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
_MOST_JUDGED = 20_000
# The logarithm of the sureness is taken to be normal around zero.
_SPREAD = 0.35
_RANGE = (-1.0, 2.0)
_NONE = 1e-12


def sharpened(chances: FloatArray, sureness: float) -> FloatArray:
    """Return chances made more sure, or less; the likeliest class stays the likeliest.

    Examples
    --------
    >>> sharpened(np.array([[0.6, 0.4], [0.5, 0.5]]), 2.0).round(2).tolist()
    [[0.69, 0.31], [0.5, 0.5]]
    """
    if sureness == 1:
        return chances
    powers = (chances / chances.max(axis=1, keepdims=True)) ** sureness
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def sureness_of(
    tree: Tree, leaves: IntArray, chances: FloatArray, judges: Judges, *, workers: int = 1
) -> float:
    """Return how sure a teacher may be, by maximum likelihood through the channels.

    Parameters
    ----------
    tree : Tree
        A tree that says what the teacher says, of small leaves: in a wide one a report
        tells of the class beyond the leaf, which would be taken for sureness.
    leaves : array of int
        The leaf of each of some draws of truths.
    chances : array, (draws, classes)
        What the teacher says of them.
    judges : sequence of (Population, reports)
        Populations, and records held out from each.
    workers : int
        How many threads may work.

    Returns
    -------
    float
        The power to which chances are to be taken: above one where the teacher is not
        sure enough. One where nothing tells.

    Notes
    -----
    A mixture blurs where classes change, and so does whoever is taught by it: the
    teacher is right more often than it says. With q_l(s) the mean over draws in leaf l of
    what the teacher says, taken to the power s, P(class | report) is the sum over leaves of
    P(leaf | report) q_l(s). That is a likelihood of s, exact where leaves are small; one
    number is found well even through much noise. A mean over draws behind each report
    would not do: the logarithm of a mean of few draws favours the unsure.
    """
    from scipy.optimize import minimize_scalar

    told = _told(tree, judges, workers)
    if told is None:
        return 1.0
    behind, matrices = told

    def loss(log_sureness: float) -> float:
        by_leaf = _means(leaves, sharpened(chances, float(np.exp(log_sureness))), len(tree))
        own = by_leaf[tree.attribute < 0]
        found = np.einsum("il,lc,ic->i", behind, own, matrices, optimize=True)
        prior = log_sureness**2 / (2 * _SPREAD**2)
        return float(prior - np.log(np.maximum(found, _NONE)).sum())

    best = minimize_scalar(loss, bounds=_RANGE, method="bounded", options={"xatol": 0.02})
    return float(np.exp(best.x))


def with_chances(
    tree: Tree, leaves: IntArray, chances: FloatArray, *, counted: FloatArray | None = None
) -> Tree:
    """Return the tree whose leaves say what is said of the draws in them, on average.

    Parameters
    ----------
    tree : Tree
        The tree.
    leaves : array of int
        The leaf of each draw; one without draws stays as it is.
    chances : array, (draws, classes)
        What is said of them.
    counted : array, optional
        How much each draw counts. Then leaves weigh what the draws in them count; by
        default what they weighed.
    """
    means = _means(leaves, chances, len(tree), counted)
    means = np.where(means.sum(axis=1, keepdims=True) > 0, means, tree.probabilities)
    weights = tree.weights
    if counted is not None:
        held = np.bincount(leaves, weights=counted, minlength=len(tree))
        weights = weights[0] * held / held.sum()
    counts = np.where(tree.attribute[:, None] < 0, weights[:, None] * means, 0.0)
    for node in range(len(tree) - 1, 0, -1):
        counts[tree.parent[node]] += counts[node]
    return replace(tree, counts=counts)


def _means(
    places: IntArray, chances: FloatArray, size: int, counted: FloatArray | None = None
) -> FloatArray:
    each = np.ones(len(places)) if counted is None else counted
    sums = [np.bincount(places, weights=each * own, minlength=size) for own in chances.T]
    held = np.bincount(places, weights=each, minlength=size)
    return np.stack(sums, axis=1) / np.where(held > 0, held, 1)[:, None]


def _told(tree: Tree, judges: Judges, workers: int) -> tuple[FloatArray, FloatArray] | None:
    """Return, for records held out, P(leaf | report) and P(reported class | class).

    None where a class shares a coin with attributes, whose report then tells of both.
    """
    parts = [(judge, part) for judge, held_out in judges for part in held_out.parts]
    if tree.leaf_count < 2 or any(part.class_factor is not None for _, part in parts):
        return None
    step = -(-sum(len(part) for _, part in parts) // _MOST_JUDGED)
    found = [_told_of(tree, judge, part, step, workers) for judge, part in parts]
    if not sum(len(behind) for behind, _ in found):
        return None
    return np.concatenate([b for b, _ in found]), np.concatenate([m for _, m in found])


def _told_of(
    tree: Tree, judge: Population, reports: CodedReports, step: int, workers: int
) -> tuple[FloatArray, FloatArray]:
    known = np.flatnonzero(reports.labels >= 0)[::step]
    some = reports.some(known)
    boxes, _ = leaf_boxes(tree, dict(zip(judge.attributes, judge.cells, strict=True)))
    behind = box_chances(judge, some, boxes, workers=workers)
    behind /= np.maximum(behind.sum(axis=1, keepdims=True), _NONE)
    return behind, some.label_matrix.T[some.labels]
