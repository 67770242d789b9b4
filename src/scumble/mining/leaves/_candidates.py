"""Which split of which leaf promises most, from counts by leaf, class and code."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves._model import LeafModel
from scumble.schema import Cells

FloatArray = NDArray[np.float64]
_LEAST_SHARE = 1e-3
_SWEEPS = 4


@dataclass(frozen=True)
class Split:
    """A split that might be made.

    Attributes
    ----------
    promise : float
        The gain in log-likelihood, to the second order.
    leaf, attribute : int
        What is split, by what.
    at : float or tuple of bool
        The threshold, or the values on one side.
    """

    promise: float
    leaf: int
    attribute: int
    at: float | tuple[bool, ...]


def promising_splits(model: LeafModel) -> list[Split]:
    """Return the best split of each leaf by each attribute, the most promising first."""
    from scumble.mining.leaves._kernels import count_by_box

    reports = model.reports
    shape = (len(model.boxes), model.patterns.classes, len(model.roots))
    first, second = np.zeros(shape), np.zeros(shape)
    shares = model.masses / model.likelihoods[:, None]
    labels, counts = reports.labels, model.patterns.counts
    count_by_box(reports.codes, reports.offsets, shares, labels, counts, first, second)
    found = []
    for leaf in range(len(model.boxes)):
        for f, factor in enumerate(reports.factors):
            rows = slice(reports.offsets[f], reports.offsets[f] + factor.size)
            if first[leaf][:, rows].sum() <= 0:
                continue
            for j in factor.attributes:
                split = _best_split(model, leaf, f, j, first[leaf][:, rows], second[leaf][:, rows])
                if split is not None:
                    found.append(split)
    return sorted(found, key=lambda split: -split.promise)


def _best_split(
    model: LeafModel, leaf: int, f: int, j: int, first: FloatArray, second: FloatArray
) -> Split | None:
    factor, cells = model.reports.factors[f], model.reports.cells[j]
    shares = model.confined(model.boxes[leaf], factor.attributes)
    by_cell = factor.by_cell(shares, j)[:, :, 0]
    behind = by_cell / np.maximum(by_cell.sum(axis=0), 1e-30)  # P(cell | code, leaf)
    order = np.arange(len(behind))
    if not isinstance(cells, Cells) and len(order) > 2:
        wanted = first @ behind.T
        places = np.arange(len(wanted)) @ wanted / np.maximum(wanted.sum(axis=0), 1e-9)
        order = np.argsort(places, kind="stable")
    left = np.cumsum(behind[order], axis=0)[:-1]
    share = np.cumsum(shares[j][0][order])[:-1] / max(float(shares[j].sum()), 1e-30)
    if not len(left):
        return None
    gains = _gains(model, leaf, left, share, first, second)
    gains[(share < _LEAST_SHARE) | (share > 1 - _LEAST_SHARE)] = -1
    best = int(gains.argmax())
    if gains[best] <= 0:
        return None
    if isinstance(cells, Cells):
        return Split(float(gains[best]), leaf, j, cut_after(cells, best))
    inside = np.isin(np.arange(len(order)), order[: best + 1])
    return Split(float(gains[best]), leaf, j, tuple(inside.tolist()))


def cut_after(cells: Cells, place: int) -> float:
    """Return the threshold between a cell and the next."""
    if not cells.is_point[place]:
        return float(cells.upper[place])
    if cells.is_point[place + 1]:
        return float(cells.lower[place] + cells.lower[place + 1]) / 2
    return float(np.nextafter(cells.lower[place], np.inf))


def _gains(
    model: LeafModel,
    leaf: int,
    left: FloatArray,
    share: FloatArray,
    first: FloatArray,
    second: FloatArray,
) -> FloatArray:
    """Return the gain of each cut: the chances of both sides move to their parabola's top."""
    matrix = model.reports.label_matrix * model.scales[:, None]
    expected = model.patterns.total * model.shares[leaf] / model.norm
    sides = (left, 1 - left)
    slopes = [
        (matrix @ (first @ side.T)).T - expected * np.outer(part, model.scales)
        for side, part in zip(sides, (share, 1 - share), strict=True)
    ]
    curvatures = {
        (a, b): np.einsum("cy,dy,ty->tcd", matrix, matrix, (sides[a] * sides[b]) @ second.T)
        for a, b in ((0, 0), (0, 1), (1, 1))
    }
    curvatures[1, 0] = curvatures[0, 1]
    steps = [np.zeros_like(slope) for slope in slopes]
    for _ in range(_SWEEPS):
        for a in (0, 1):
            slope = slopes[a] - np.einsum("tcd,td->tc", curvatures[a, 1 - a], steps[1 - a])
            steps[a] = _step(slope, curvatures[a, a], model.chances[leaf])
    gain = sum((slope * step).sum(axis=1) for slope, step in zip(slopes, steps, strict=True))
    bend = sum(
        np.einsum("tc,tcd,td->t", steps[a], curvatures[a, b], steps[b])
        for a in (0, 1)
        for b in (0, 1)
    )
    return np.asarray(gain - bend / 2)


def _step(slope: FloatArray, curvature: FloatArray, chances: FloatArray) -> FloatArray:
    """Return the best step of the chances of one side, whose sum stays one."""
    size = slope.shape[1]
    ridge = 0.01 + 1e-6 * np.einsum("tcc->tc", curvature)
    inverse = np.linalg.inv(curvature + ridge[:, :, None] * np.eye(size))
    free = np.einsum("tcd,td->tc", inverse, slope)
    common = inverse.sum(axis=2)
    step = free - (free.sum(axis=1) / common.sum(axis=1))[:, None] * common
    with np.errstate(divide="ignore", invalid="ignore"):
        longest = np.where(step < 0, -chances / step, np.inf).min(axis=1)
    return np.asarray(step * np.minimum(1, longest)[:, None])
