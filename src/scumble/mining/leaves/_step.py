"""Steps that improve a model as a whole: densities, scales, chances and thresholds at once."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves._box import Box, thresholds
from scumble.mining.leaves._classes import fit_classes
from scumble.mining.leaves._model import LeafModel
from scumble.schema import Cells, CellSet

FloatArray = NDArray[np.float64]
Scores = NDArray[np.float32]
_ENOUGH = 0.1
_INNER = 1e-3
# How far a step may go: the log of a density, the log of a scale, a chance; a threshold, in cells.
_FARTHEST = (1.0, 0.5, 1.0, 6.0)
_THRESHOLD_SPREAD = 20.0


@dataclass(frozen=True, eq=False)
class Improved:
    """A model, its thresholds, and how uncertain these are.

    Attributes
    ----------
    model : LeafModel
        The model.
    keys : list of (int, float)
        The thresholds: attribute and value.
    covariance : array
        Their covariance.
    """

    model: LeafModel
    keys: list[tuple[int, float]]
    covariance: FloatArray


def cell_width(cells: CellSet) -> float:
    """Return the width of a typical cell: what a threshold is moved by."""
    if not isinstance(cells, Cells) or len(cells.edges) < 2:
        return 1.0
    return float(np.median(np.diff(cells.edges)))


def improve(model: LeafModel, *, rounds: int) -> Improved:
    """Improve a model by Gauss-Newton steps on all that it has.

    One thing at a time would stick: a threshold can only move when the density beside
    it gives way.
    """
    keys: list[tuple[int, float]] = []
    covariance = np.zeros((0, 0))
    for _ in range(rounds):
        if not model.tested:
            break
        step = _Step(model)
        better, moved = step.taken()
        covariance = step.covariance[step.parts[3], step.parts[3]]
        if better is None:
            keys = step.keys
            break
        keys = moved
        gain = better.objective - model.objective
        model = step.relaxed(better)
        if gain < _ENOUGH:
            break
    return Improved(model, keys, covariance)


class _Step:
    """One Gauss-Newton step.

    The scores of the records by parameter stand side by side: coefficients of the
    densities of tested attributes, logs of the scales but the last, chances that are
    neither 0 nor 1, and thresholds.
    """

    def __init__(self, model: LeafModel) -> None:
        self.model = model
        self.behind = _behind(model)
        self.widths = [cell_width(cells) for cells in model.reports.cells]
        self.ends = thresholds(model.boxes, model.reports.cells)
        self.keys = list(self.ends)
        last = model.chances[:, -1] > _INNER
        self.inner = [
            (leaf, c)
            for leaf, c in np.argwhere((model.chances > _INNER) & (model.chances < 1 - _INNER))
            if last[leaf] and c < model.chances.shape[1] - 1
        ]
        blocks = [self._density_scores(), self._scale_scores(), self._chance_scores()]
        blocks.append(self._threshold_scores())
        ends = np.cumsum([0, *(block.shape[1] for block in blocks)])
        self.parts = [slice(a, b) for a, b in pairwise(ends.tolist())]
        self._solve(np.concatenate(blocks, axis=1))

    def _solve(self, scores: Scores) -> None:
        model, counts = self.model, self.model.patterns.counts
        weighted = scores * counts[:, None]
        information = (scores.T @ weighted).astype(float)
        tested = [model.densities[j] for j in model.tested]
        spreads = [np.full(len(density.coefficients), density.spread) for density in tested]
        precision = np.concatenate(
            (
                1 / np.concatenate(spreads) ** 2,
                np.ones(len(model.scales) - 1),
                np.full(len(self.inner), 1e-3),
                [(_THRESHOLD_SPREAD * self.widths[j]) ** -2 for j, _ in self.keys],
            )
        )
        at = np.zeros(len(precision))
        at[self.parts[0]] = np.concatenate([density.coefficients for density in tested])
        at[self.parts[1]] = np.log(model.scales[:-1] / model.scales[-1])
        gradient = weighted.sum(axis=0, dtype=float) - precision * at
        self.covariance = np.linalg.inv(information + np.diag(precision + 1e-9))
        self.step = self.covariance @ gradient

    def _density_scores(self) -> Scores:
        """Return the scores by coefficient: what is expected of a feature, less its average."""
        model, tables, factors, average = self.model, [], [], []
        leaf_weights = model.shares * model.weights.sum(axis=1) / model.norm
        for j in model.tested:
            f = self._factor_of(j)
            found, inside = _expected_features(model, f, j)
            tables.append(found)
            factors += [f] * found.shape[0]
            average.append(leaf_weights @ inside)
        return self._scores(factors, tables) - np.concatenate(average).astype(np.float32)

    def _scale_scores(self) -> Scores:
        model = self.model
        classes = _class_chances(model)[:, :-1]
        shares = (model.shares @ model.weights / model.norm)[:-1]
        return np.asarray(classes - shares, dtype=np.float32)

    def _chance_scores(self) -> Scores:
        model, labels = self.model, self.model.reports.labels
        columns = [np.empty((len(labels), 0), dtype=np.float32)]
        for leaf, c in self.inner:
            change = model.reports.label_matrix[c] * model.scales[c]
            change = change - model.reports.label_matrix[-1] * model.scales[-1]
            own = model.masses[:, leaf] * change[labels] / model.likelihoods
            all_of_it = model.shares[leaf] * (model.scales[c] - model.scales[-1]) / model.norm
            columns.append((own - all_of_it).astype(np.float32)[:, None])
        return np.concatenate(columns, axis=1)

    def _threshold_scores(self) -> Scores:
        """Return the scores by threshold, from tables a little above and below it."""
        model, tables, factors, average = self.model, [], [], []
        weights = model.weights.sum(axis=1)
        for (j, at), places in self.ends.items():
            f = self._factor_of(j)
            beside = 0.75 * self.widths[j]
            found = np.zeros((1, model.reports.factors[f].size, len(model.boxes)), np.float32)
            change = 0.0
            for place in places:
                box = model.boxes[place]
                table, share = model.part(f, box)
                low, high = (model.part(f, box.moved(j, at, at + d)) for d in (-beside, beside))
                found[0, :, place] = (high[0] - low[0]) / np.maximum(table, 1e-12) / (2 * beside)
                more = (high[1] - low[1]) / max(share, 1e-12) / (2 * beside)
                change += more * model.shares[place] * weights[place] / model.norm
            tables.append(found)
            factors.append(f)
            average.append(change)
        return self._scores(factors, tables) - np.array(average, dtype=np.float32)

    def _factor_of(self, attribute: int) -> int:
        factors = self.model.reports.factors
        return next(f for f, factor in enumerate(factors) if attribute in factor.attributes)

    def _scores(self, factors: list[int], tables: list[Scores]) -> Scores:
        """Return the average over the leaves that can be behind each record."""
        from scumble.mining.leaves._kernels import record_scores

        codes = self.model.reports.codes
        found = np.zeros((len(codes), len(factors)), dtype=np.float32)
        if factors:
            deepest = max(table.shape[1] for table in tables)
            padded = [np.pad(t, ((0, 0), (0, deepest - t.shape[1]), (0, 0))) for t in tables]
            record_scores(codes, np.array(factors), self.behind, np.concatenate(padded), found)
        return found

    def taken(self) -> tuple[LeafModel | None, list[tuple[int, float]]]:
        """Return the model some way along the step, if that is better, and its thresholds."""
        farthest = np.concatenate(
            [
                np.full(part.stop - part.start, most)
                for part, most in zip(self.parts, _FARTHEST, strict=True)
            ]
        )
        farthest[self.parts[0]] /= np.concatenate(
            [self.model.densities[j].reach for j in self.model.tested]
        )
        farthest[self.parts[3]] *= [self.widths[j] for j, _ in self.keys]
        length = min(1.0, 1 / max(1e-12, float((np.abs(self.step) / farthest).max())))
        for _ in range(5):
            better, keys = self._at(length * self.step)
            if better is not None and better.objective > self.model.objective:
                return better, keys
            length /= 2.5
        return None, self.keys

    def _at(self, step: FloatArray) -> tuple[LeafModel | None, list[tuple[int, float]]]:
        model = self.model
        densities, start = list(model.densities), 0
        for j in model.tested:
            size = len(densities[j].coefficients)
            densities[j] = densities[j].moved(step[self.parts[0]][start : start + size])
            start += size
        logs = np.log(model.scales[:-1] / model.scales[-1]) + step[self.parts[1]]
        scales = np.append(np.exp(logs), 1.0)
        chances = model.chances.copy()
        for (leaf, c), change in zip(self.inner, step[self.parts[2]], strict=True):
            change = np.clip(change, -chances[leaf, c], chances[leaf, -1])
            chances[leaf, c] += change
            chances[leaf, -1] -= change
        boxes, keys = _all_moved(model.boxes, self.keys, step[self.parts[3]])
        if any(box.empty for box in boxes):
            return None, self.keys
        found = replace(
            model,
            boxes=boxes,
            densities=tuple(densities),
            chances=chances,
            scales=scales / np.exp(np.log(scales).mean()),
        )
        found.__dict__["roots"] = model.roots
        return fit_classes(found, steps=2), keys

    def relaxed(self, better: LeafModel) -> LeafModel:
        """Return the model with densities as smooth as their coefficients suggest."""
        variances = np.diag(self.covariance)[self.parts[0]]
        densities, start = list(better.densities), 0
        for j in better.tested:
            size = len(densities[j].coefficients)
            densities[j] = densities[j].relaxed(variances[start : start + size])
            start += size
        found = replace(better, densities=tuple(densities))
        for name in (
            "_masses",
            "_parts",
            "roots",
            "tested",
            "factors",
            "likelihoods",
            "log_likelihood",
        ):
            found.__dict__[name] = getattr(better, name)
        return found


def _behind(model: LeafModel) -> Scores:
    """Return P(leaf | report and class), one row for each record."""
    found = model.masses * model.label_weights.T[model.reports.labels]
    return np.asarray(found / model.likelihoods[:, None])


def _class_chances(model: LeafModel) -> FloatArray:
    """Return P(class | report and reported class), one row for each record."""
    odds = (model.masses @ model.weights.astype(np.float32)) * model.reports.label_matrix.T[
        model.reports.labels
    ]
    return np.asarray(odds / np.maximum(odds.sum(axis=1, keepdims=True), 1e-30))


def _expected_features(model: LeafModel, f: int, j: int) -> tuple[Scores, FloatArray]:
    """Return E(feature | code, leaf) by feature, code and leaf, and E(feature | leaf)."""
    factor, features = model.reports.factors[f], model.densities[j].features
    found = np.zeros((features.shape[1], factor.size, len(model.boxes)), dtype=np.float32)
    inside = np.zeros((len(model.boxes), features.shape[1]))
    known: dict[object, tuple[FloatArray, FloatArray]] = {}
    for place, box in enumerate(model.boxes):
        key = tuple((box.bounds.get(i), box.values.get(i)) for i in factor.attributes)
        if key not in known:
            shares = model.confined(box, factor.attributes)
            cells = factor.by_cell(shares, j)[:, :, 0]
            own = shares[j][0]
            known[key] = (
                features.T @ cells / np.maximum(cells.sum(axis=0), 1e-30),
                own @ features / max(float(own.sum()), 1e-30),
            )
        found[:, :, place], inside[place] = known[key]
    return found, inside


def _all_moved(
    boxes: tuple[Box, ...], keys: list[tuple[int, float]], steps: FloatArray
) -> tuple[tuple[Box, ...], list[tuple[int, float]]]:
    moved = []
    for (j, at), step in zip(keys, steps.tolist(), strict=True):
        moved.append((j, at + step))
        boxes = tuple(box.moved(j, at, at + step) for box in boxes)
    return boxes, moved
