"""Boxes cut out of the space best first, by the weight of each class in each cell."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves._box import Box

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Axis:
    """The cells of an attribute, and the cuts between them.

    Attributes
    ----------
    attribute : int
        The place of the attribute.
    thresholds : array
        Of a number, the threshold after each cell but the last.
    values : array of bool, (cells, values)
        Of an attribute of categories, the values that each cell holds; of a number none.
    """

    attribute: int
    thresholds: FloatArray
    values: NDArray[np.bool_]

    def __len__(self) -> int:
        return max(len(self.values), len(self.thresholds) + 1)

    @property
    def ordered(self) -> bool:
        """Whether a cut parts lower cells from higher ones."""
        return not len(self.values)

    def at(self, left: IntArray) -> float | tuple[bool, ...]:
        """Return the cut that has some cells on its left, as a threshold or as values."""
        if self.ordered:
            return float(self.thresholds[left.max()])
        inside = np.any(self.values[left], axis=0)
        return tuple(bool(value) for value in inside)


def cut_boxes(
    places: IntArray,
    weights: FloatArray,
    axes: Sequence[Axis],
    *,
    most: int,
    least_gain: float,
    least_share: float,
    ahead: bool = False,
) -> list[Box]:
    """Return the leaves of a tree grown best first.

    Parameters
    ----------
    places : array of int, (rows, axes)
        The cell of each row on each axis.
    weights : array, (rows, classes)
        How much each row weighs in each class.
    axes : sequence of Axis
        The axes.
    most : int
        The most leaves.
    least_gain : float
        The least gain of a cut, in nats for a weight of one.
    least_share : float
        The least share of the weight on either side of a cut.
    ahead : bool
        Whether a cut that gains too little may be the first of two that gain enough: parts of
        which a class is that differ in one of two ways. It takes time for each cell of each axis.

    Examples
    --------
    >>> salary = Axis(0, np.array([50.0, 100.0]), np.empty((0, 0), dtype=bool))
    >>> weights = np.array([[3.0, 0.0], [0.0, 2.0], [0.0, 4.0]])
    >>> boxes = cut_boxes(np.array([[0], [1], [2]]), weights, [salary],
    ...     most=4, least_gain=0.01, least_share=0.01)
    >>> [box.bounds for box in boxes]
    [{0: (-inf, 50.0)}, {0: (50.0, inf)}]
    """
    whole = float(weights.sum())
    rows = _Rows(places, weights, axes, least_share * whole)

    def best_cut(own: IntArray) -> _Cut:
        cut = rows.best_cut(own)
        return rows.best_of_two(own) if ahead and cut.gain <= least_gain * whole else cut

    leaves = [(Box(), np.arange(len(places)))]
    cuts = [best_cut(leaves[0][1])]
    while len(leaves) < most:
        place = max(range(len(cuts)), key=lambda k: cuts[k].gain)
        cut = cuts[place]
        if cut.gain <= least_gain * whole:
            break
        box, own = leaves[place]
        left = np.isin(places[own, cut.axis], cut.left)
        axis = axes[cut.axis]
        parts = box.cut(axis.attribute, axis.at(cut.left))
        leaves[place : place + 1] = [(parts[0], own[left]), (parts[1], own[~left])]
        cuts[place : place + 1] = [best_cut(own[left]), best_cut(own[~left])]
    return [box for box, _ in leaves]


@dataclass(frozen=True, eq=False)
class _Cut:
    gain: float
    axis: int
    left: IntArray


@dataclass(frozen=True, eq=False)
class _Rows:
    places: IntArray
    weights: FloatArray
    axes: Sequence[Axis]
    least: float

    def best_cut(self, rows: IntArray) -> _Cut:
        """Return the cut of some rows that gains most entropy."""
        best = _Cut(0.0, -1, np.empty(0, dtype=np.int64))
        for a in range(len(self.axes)):
            order, gain = self._gains(rows, a)
            if len(gain) and gain.max() > best.gain:
                k = int(gain.argmax())
                best = _Cut(float(gain[k]), a, order[: k + 1])
        return best

    def best_of_two(self, rows: IntArray) -> _Cut:
        """Return the cut of some rows that gains most together with the best on either side."""
        best = _Cut(0.0, -1, np.empty(0, dtype=np.int64))
        for a in range(len(self.axes)):
            order, gain = self._gains(rows, a)
            for k in np.flatnonzero(np.isfinite(gain)).tolist():
                left = np.isin(self.places[rows, a], order[: k + 1])
                after = sum(self.best_cut(own).gain for own in (rows[left], rows[~left]))
                if gain[k] + after > best.gain:
                    best = _Cut(float(gain[k] + after), a, order[: k + 1])
        return best

    def _gains(self, rows: IntArray, a: int) -> tuple[IntArray, FloatArray]:
        """Return the cells of an axis in order, and what a cut after each gains."""
        weights, axis, places = self.weights[rows], self.axes[a], self.places[rows, a]
        total = weights.sum(axis=0)
        counts = np.stack(
            [np.bincount(places, weights=c, minlength=len(axis)) for c in weights.T], axis=1
        )
        order = np.arange(len(axis))
        if not axis.ordered and len(axis) > 2:
            mean = counts @ np.arange(len(total)) / np.maximum(counts.sum(axis=1), 1e-9)
            order = np.argsort(mean, kind="stable")
        below: FloatArray = np.cumsum(counts[order].astype(float), axis=0)[:-1]
        if not len(below):
            return order, np.empty(0)
        gain = _entropy(total) - _entropy(below) - _entropy(total - below)
        weight = below.sum(axis=1)
        gain[(weight < self.least) | (total.sum() - weight < self.least)] = -np.inf
        return order, gain


def _entropy(counts: FloatArray) -> FloatArray:
    """Return the nats of the classes, by row."""
    total = counts.sum(axis=-1, keepdims=True)
    logs = np.log(np.maximum(total, 1e-12) / np.maximum(counts, 1e-12))
    return np.asarray((np.maximum(counts, 0) * logs).sum(axis=-1))
