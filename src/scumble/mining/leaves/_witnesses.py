"""Attributes beside the tree that tell of those in it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scumble.mining._screen import bins_of, g_squared
from scumble.mining.leaves._box import Box
from scumble.mining.leaves._model import LeafModel
from scumble.mining.leaves._patterns import Patterns
from scumble.population import CodedReports
from scumble.schema import Cells

FloatArray = NDArray[np.float64]
_BINS = 24
_STEPS = 40


@dataclass(frozen=True, eq=False)
class _Witness:
    """What a factor tells of one attribute of the tree.

    Attributes
    ----------
    factor : int
        Its place among all factors.
    attribute : int
        The attribute of the tree that it tells of.
    bins : array of int
        The bin of each of its codes.
    given : array, (cells, bins)
        P(bin | cell of the attribute).
    """

    factor: int
    attribute: int
    bins: NDArray[np.int64]
    given: FloatArray


class Witnesses:
    """The other attributes, each as one more report of an attribute that the tree tests.

    A commission is no part of the rule, but tells of the salary, which is. If all that
    the other attributes tell of the class is explained so, the tree lacks nothing.

    Parameters
    ----------
    model : LeafModel
        The tree.
    reports : CodedReports
        The reports of all attributes, to learn from.
    own : list of int
        Which of their factors the model knows, in order.
    """

    def __init__(self, model: LeafModel, reports: CodedReports, own: list[int]) -> None:
        self.model, self.own = model, own
        bins = [bins_of(column) for column in reports.codes.T]
        weights = 1 / model.scales[np.maximum(reports.labels, 0)]
        self.witnesses = [
            self._learned(reports, bins, f, weights / weights.mean())
            for f in range(len(reports.factors))
            if f not in own
        ]

    def _learned(
        self,
        reports: CodedReports,
        bins: list[NDArray[np.int64]],
        f: int,
        weights: FloatArray,
    ) -> _Witness:
        size = int(bins[f].max()) + 1
        model = self.model
        told = [
            g_squared(bins[g], bins[f], size) - int(bins[g].max()) * (size - 1) for g in self.own
        ]
        place = int(np.argmax(told))
        factor = model.reports.factors[place]
        attribute = factor.attributes[0]
        fine = bins_of(reports.codes[:, f], most=_BINS)
        places = np.zeros(reports.factors[f].size, dtype=np.int64)
        places[reports.codes[:, f]] = fine
        counts = np.zeros((factor.size, int(fine.max()) + 1))
        np.add.at(counts, (reports.codes[:, self.own[place]], fine), weights)
        cells = model.reports.cells[attribute]
        shares = model.densities[attribute].shares
        given = factor.by_cell([d.shares[None] for d in model.densities], attribute)[:, :, 0]
        found = np.tile(counts.sum(axis=0) / counts.sum(), (len(shares), 1))
        for _ in range(_STEPS):
            seen = np.maximum(given.T @ found, 1e-300)
            found = found * (given @ (counts / seen))
            found /= np.maximum(found.sum(axis=1, keepdims=True), 1e-300)
            found = _smoothed(found, cells)
        return _Witness(f, attribute, places, found)

    def log_scores(self, reports: CodedReports) -> FloatArray:
        """Return the log-probability of the class that each record reports, given all reports."""
        model = self.model
        masses = np.ones((len(reports), len(model.boxes)))
        for f, factor in enumerate(model.reports.factors):
            codes = reports.codes[:, self.own[f]]
            if len(factor.attributes) > 1:
                masses *= self._of_group(f)[codes]
                continue
            attribute = factor.attributes[0]
            shares = [density.shares[None] for density in model.densities]
            behind = factor.by_cell(shares, attribute)[:, :, 0].T[codes]
            for witness in self.witnesses:
                if witness.attribute == attribute:
                    behind *= witness.given.T[witness.bins[reports.codes[:, witness.factor]]]
            behind /= np.maximum(behind.sum(axis=1, keepdims=True), 1e-300)
            cells = model.reports.cells[attribute]
            inside = enumerate(box.inside(attribute, cells) for box in model.boxes)
            cut = {place: own for place, own in inside if own is not None}
            if cut:
                masses[:, list(cut)] *= behind @ np.stack(list(cut.values())).T
        return class_log_scores(model, masses, reports)

    def _of_group(self, f: int) -> FloatArray:
        """Return P(truths in the box | code) of attributes that share a coin, by code and box."""
        factor = self.model.reports.factors[f]
        everything = factor.tables(self.model.confined(Box(), factor.attributes))
        inside = [
            factor.tables(self.model.confined(box, factor.attributes)) for box in self.model.boxes
        ]
        return np.concatenate(inside, axis=1) / np.maximum(everything, 1e-300)


def own_log_scores(model: LeafModel, reports: CodedReports) -> FloatArray:
    """Return the log-probability of the class of each record, given the model's own reports."""
    return class_log_scores(model, _on(model, reports).masses.astype(float), reports)


def joint_log_scores(model: LeafModel, reports: CodedReports) -> FloatArray:
    """Return the log-probability of the model's own reports together with the class."""
    here = _on(model, reports)
    logs = np.log(here.likelihoods.astype(float)) - np.log(here.norm)
    return np.asarray(logs + model.root_logs(reports, model.factors.tolist()))


def _on(model: LeafModel, reports: CodedReports) -> LeafModel:
    """Return the model for other reports, each of one record."""
    own = replace(model.reports, codes=reports.codes, labels=reports.labels)
    here = model.on(Patterns(own, np.ones(len(own), dtype=np.float32)))
    here.__dict__["roots"] = model.roots
    return here


def class_log_scores(model: LeafModel, masses: FloatArray, reports: CodedReports) -> FloatArray:
    """Return the log-probability of reported classes, from how likely each leaf is."""
    odds = masses @ model.label_weights.astype(float)
    known = np.flatnonzero(reports.labels >= 0)
    own = odds[known, reports.labels[known]] / np.maximum(odds[known].sum(axis=1), 1e-300)
    return np.asarray(np.log(np.maximum(own, 1e-12)))


def _smoothed(given: FloatArray, cells: object) -> FloatArray:
    if not isinstance(cells, Cells) or np.count_nonzero(~cells.is_point) < 3:
        return given
    intervals = ~cells.is_point
    run = given[intervals]
    padded = np.concatenate((run[:1], run, run[-1:]))
    given = given.copy()
    given[intervals] = 0.8 * run + 0.1 * (padded[:-2] + padded[2:])
    return given
