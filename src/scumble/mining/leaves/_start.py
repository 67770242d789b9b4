"""A first guess of the leaves: the best splits of draws from a population."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves._box import Box
from scumble.mining.leaves._candidates import cut_after
from scumble.population import Population
from scumble.schema import Cells

FloatArray = NDArray[np.float64]
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
    draws = _Draws(population, codes, population.class_probabilities(codes))
    leaves = [(Box(), np.arange(_DRAWS))]
    cuts = [draws.best_cut(leaves[0][1])]
    while len(leaves) < most:
        place = max(range(len(cuts)), key=lambda k: cuts[k].gain)
        cut = cuts[place]
        if cut.gain <= _LEAST_GAIN * _DRAWS:
            break
        box, rows = leaves[place]
        left = draws.goes_left(cut, rows)
        parts = box.cut(cut.attribute, draws.at(cut))
        leaves[place : place + 1] = [(parts[0], rows[left]), (parts[1], rows[~left])]
        cuts[place : place + 1] = [draws.best_cut(rows[left]), draws.best_cut(rows[~left])]
    return [box for box, _ in leaves]


@dataclass(frozen=True, eq=False)
class _Cut:
    gain: float
    attribute: int
    left: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Draws:
    population: Population
    codes: NDArray[np.uint16]
    chances: FloatArray

    def best_cut(self, rows: NDArray[np.int64]) -> _Cut:
        """Return the cut of some draws that gains most entropy."""
        chances = self.chances[rows]
        total = chances.sum(axis=0)
        best = _Cut(0.0, -1, np.empty(0, dtype=np.int64))
        for j, cells in enumerate(self.population.cells):
            codes = self.codes[rows, j].astype(np.int64) - 1
            counts = np.stack(
                [np.bincount(codes, weights=c, minlength=len(cells)) for c in chances.T], axis=1
            )
            order = np.arange(len(cells))
            if not isinstance(cells, Cells) and len(cells) > 2:
                place = counts @ np.arange(len(total)) / np.maximum(counts.sum(axis=1), 1e-9)
                order = np.argsort(place, kind="stable")
            below: FloatArray = np.cumsum(counts[order].astype(float), axis=0)[:-1]
            if not len(below):
                continue
            gain = _entropy(total) - _entropy(below) - _entropy(total - below)
            weight = below.sum(axis=1)
            least = _LEAST_SHARE * len(self.codes)
            gain[(weight < least) | (total.sum() - weight < least)] = -1
            k = int(gain.argmax())
            if gain[k] > best.gain:
                best = _Cut(float(gain[k]), j, order[: k + 1])
        return best

    def goes_left(self, cut: _Cut, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Say which draws lie on the left of a cut."""
        inside = np.zeros(len(self.population.cells[cut.attribute]) + 1, dtype=bool)
        inside[cut.left + 1] = True
        return np.asarray(inside[self.codes[rows, cut.attribute]])

    def at(self, cut: _Cut) -> float | tuple[bool, ...]:
        """Return a cut as a threshold or as values."""
        cells = self.population.cells[cut.attribute]
        if isinstance(cells, Cells):
            return cut_after(cells, int(cut.left.max()))
        return tuple(np.isin(np.arange(len(cells)), cut.left).tolist())


def _entropy(counts: FloatArray) -> FloatArray:
    """Return the nats of the classes, by row."""
    total = counts.sum(axis=-1, keepdims=True)
    logs = np.log(np.maximum(total, 1e-12) / np.maximum(counts, 1e-12))
    return np.asarray((np.maximum(counts, 0) * logs).sum(axis=-1))
