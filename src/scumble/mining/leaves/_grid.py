"""Leaves found anew on a grid, on which every threshold cuts through all of the space."""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves._box import EVERYTHING, Box
from scumble.mining.leaves._classes import nearer_classes
from scumble.mining.leaves._cutting import Axis, cut_boxes
from scumble.mining.leaves._model import LeafModel
from scumble.mining.leaves._search import tied
from scumble.mining.leaves._step import improve

FloatArray = NDArray[np.float64]
# Cells, and for each of them the chances of all classes but one.
_MOST_CHANCES = 300
_MOST_LEAVES = 60
_LEAST_GAIN = 0.001
_EXACT_GAIN = 1e-6
_LEAST_SHARE = 0.001
_FIRST_STEPS = 40
_ROUNDS = 4
# What a leaf says of the cells in it is a start; none is sure.
_UNSURE = 0.2


def regridded(model: LeafModel) -> LeafModel | None:
    """Return the model with leaves cut anew, from thresholds that were fitted on a grid.

    Leaves that were cut one after the other may be so many that each threshold is placed
    twice, on either side of where it is, and no move of one leaf mends that. On the grid of
    all thresholds the classes of each cell are free, so that thresholds can be moved and
    tied as they are. Then leaves are cut out of the grid.

    Parameters
    ----------
    model : LeafModel
        Leaves that are roughly right.

    Returns
    -------
    LeafModel or None
        None where the grid would have too many cells, or none.
    """
    axes = grid_axes(model.boxes)
    chances = math.prod(len(axis) for axis in axes) * (model.chances.shape[1] - 1)
    if not axes or chances > _MOST_CHANCES:
        return None
    grid = nearer_classes(on_grid(model, axes), steps=_FIRST_STEPS)
    return cut_out(tied(improve(grid, rounds=_ROUNDS)).model, exact=False)


def cut_out(grid: LeafModel, *, exact: bool = True) -> LeafModel:
    """Return the leaves of a tree that says what the cells of a grid say, but for tiny ones.

    Parameters
    ----------
    grid : LeafModel
        A leaf for each cell.
    exact : bool
        Whether it says all that they say, or what is worth a cut.
    """
    axes = grid_axes(grid.boxes)
    boxes = cut_boxes(
        np.array([[_place(box, axis) for axis in axes] for box in grid.boxes]),
        grid.shares[:, None] * grid.weights,
        axes,
        most=_MOST_LEAVES,
        least_gain=_EXACT_GAIN if exact else _LEAST_GAIN,
        least_share=_LEAST_SHARE,
        ahead=exact,
    )
    leaves = _leaves_of(grid.boxes, boxes)
    weights = np.equal.outer(np.arange(len(boxes)), leaves) * grid.shares
    chances = weights @ grid.chances / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    return grid.with_boxes(boxes, chances)


def grid_axes(boxes: Sequence[Box]) -> list[Axis]:
    """Return the thresholds of each number that boxes test, and the values they tell apart."""
    axes = []
    for j in sorted({j for box in boxes for j in box.bounds}):
        ends = {end for box in boxes for end in box.bounds.get(j, ()) if np.isfinite(end)}
        axes.append(Axis(j, np.array(sorted(ends)), np.empty((0, 0), dtype=bool)))
    for j in sorted({j for box in boxes for j in box.values}):
        inside = np.array([box.values[j] for box in boxes if j in box.values])
        _, group = np.unique(inside, axis=1, return_inverse=True)
        groups = np.arange(group.max() + 1)[:, None] == group.ravel()
        axes.append(Axis(j, np.empty(0), groups))
    return [axis for axis in axes if len(axis) > 1]


def on_grid(model: LeafModel, axes: Sequence[Axis]) -> LeafModel:
    """Return the model whose leaves are the cells of a grid."""
    boxes = grid_boxes(axes)
    chances = model.chances[_leaves_of(boxes, model.boxes)]
    return model.with_boxes(boxes, (1 - _UNSURE) * chances + _UNSURE / chances.shape[1])


def grid_boxes(axes: Sequence[Axis]) -> list[Box]:
    """Return the cells of a grid, those of the last axis first one after the other."""
    return [_cell(axes, place) for place in product(*(range(len(axis)) for axis in axes))]


def _leaves_of(cells: Sequence[Box], leaves: Sequence[Box]) -> list[int]:
    """Return the leaf that each cell of a grid lies in."""
    return [next(k for k, leaf in enumerate(leaves) if _holds(leaf, cell)) for cell in cells]


def _cell(axes: Sequence[Axis], place: Sequence[int]) -> Box:
    bounds, values = {}, {}
    for axis, k in zip(axes, place, strict=True):
        if axis.ordered:
            ends = np.concatenate(([-np.inf], axis.thresholds, [np.inf]))
            bounds[axis.attribute] = (float(ends[k]), float(ends[k + 1]))
        else:
            values[axis.attribute] = tuple(axis.values[k].tolist())
    return Box(bounds, values)


def _holds(leaf: Box, cell: Box) -> bool:
    """Say whether a cell of the grid lies in a leaf; no leaf parts one."""
    for j, (low, high) in leaf.bounds.items():
        own = cell.bounds.get(j, EVERYTHING)
        if own[0] < low or own[1] > high:
            return False
    return all(
        all(a or not b for a, b in zip(inside, cell.values[j], strict=True))
        for j, inside in leaf.values.items()
        if j in cell.values
    )


def _place(box: Box, axis: Axis) -> int:
    if axis.ordered:
        return int(np.searchsorted(axis.thresholds, box.bounds[axis.attribute][1]))
    inside = np.array(box.values[axis.attribute])
    return int((axis.values & inside).any(axis=1).argmax())
