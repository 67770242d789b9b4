"""Fields: rules that give a class to each cell of a grid."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scumble.mining.fields._axis import FieldAxis
from scumble.mining.fields._state import AXES, MOST_SLABS
from scumble.mining.leaves import Axis, LeafModel, cut_out, grid_boxes, leaf_chances
from scumble.population import CodedReports, Population
from scumble.schema import Cells, CellSet

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Field:
    """A rule: lines through all of the space, and a class for each cell between them.

    Attributes
    ----------
    lines : tuple of array of int
        For each axis, how many of its cells lie below each line.
    classes : array of int, a dimension for each axis
        The class of each cell of the grid.
    error : float
        How often a class departs from the rule; then all are as likely.
    scales : array, (classes,)
        How much more often people of each class are in the table than others.
    log_posterior : float
        The logarithm of how likely the rule is, up to a constant.
    """

    lines: tuple[IntArray, ...]
    classes: IntArray
    error: float
    scales: FloatArray
    log_posterior: float

    @property
    def chances(self) -> FloatArray:
        """P(class | class of the cell) among all people, a row for each class of a cell."""
        count = len(self.scales)
        return np.asarray((1 - self.error) * np.eye(count) + self.error / count)

    @property
    def class_shares(self) -> FloatArray:
        """The same in the table."""
        weights = self.chances * self.scales
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))


@dataclass(frozen=True, eq=False)
class Fields:
    """Rules drawn as often as they are likely, given the reports.

    Attributes
    ----------
    model : LeafModel
        The reports, and the densities of the attributes.
    axes : sequence of FieldAxis
        The axes of the grids.
    draws : sequence of Field
        The rules. What they say is averaged: where they differ, nobody knows.
    best : Field
        The likeliest of them.
    """

    model: LeafModel
    axes: Sequence[FieldAxis]
    draws: Sequence[Field]
    best: Field

    @property
    def named_thresholds(self) -> dict[str, list[float]]:
        """The thresholds of each number, of all rules."""
        names = list(self.model.reports.attributes)
        found = {}
        for place, axis in enumerate(self.axes):
            if isinstance(self._cells(axis), Cells):
                lines = np.unique(np.concatenate([draw.lines[place] for draw in self.draws]))
                found[names[axis.attribute]] = axis.thresholds(self.model, lines).tolist()
        return found

    @cached_property
    def likeliest(self) -> LeafModel:
        """The leaves of the likeliest rule."""
        draw = self.best
        axes = [self._axis(*pair) for pair in zip(self.axes, draw.lines, strict=True)]
        chances = draw.chances[draw.classes.ravel()]
        model = self.model
        boxes = tuple(grid_boxes(axes))
        return cut_out(LeafModel(model.patterns, boxes, model.densities, chances, draw.scales))

    def chances_of(self, population: Population, codes: NDArray[np.uint16]) -> FloatArray:
        """Return P(class | truths), one row for each record.

        Parameters
        ----------
        population : Population
            Whose cells the codes are.
        codes : array of uint16, (records, attributes)
            The cell of each truth, from 1 on; 0 is missing, and then the likeliest rule
            speaks for all.
        """
        from scumble.mining.fields._kernel import add_chances

        names, own = list(population.attributes), list(self.model.reports.attributes)
        columns = [names.index(own[axis.attribute]) for axis in self.axes]
        here = np.zeros((len(codes), AXES), dtype=np.uint16)
        here[:, : len(columns)] = codes[:, columns]
        known = (here[:, : len(columns)] > 0).all(axis=1)
        most = max(len(population.cells[column]) for column in columns)
        slabs = np.zeros((len(self.draws), AXES, most + 1), dtype=np.int8)
        cells = np.zeros((len(self.draws), *(MOST_SLABS,) * AXES), dtype=np.int8)
        for f, draw in enumerate(self.draws):
            for a, (axis, column) in enumerate(zip(self.axes, columns, strict=True)):
                places = self._slabs(axis, draw.lines[a], population.cells[column])
                slabs[f, a, 1 : len(places) + 1] = places
            classes = draw.classes.reshape(draw.classes.shape + (1,) * (AXES - len(columns)))
            cells[f][tuple(map(slice, classes.shape))] = classes
        chances = np.array([draw.class_shares for draw in self.draws])
        found = np.zeros((len(codes), chances.shape[-1]))
        add_chances(here, slabs, cells, chances, found)
        found /= len(self.draws)
        if not known.all():
            found[~known] = leaf_chances(self.likeliest, population, codes[~known])
        return found

    def log_scores(self, reports: CodedReports) -> tuple[FloatArray, FloatArray]:
        """Return how likely each record is that reports its class.

        Returns
        -------
        joint, classes
            The logarithms of P(reports and class), and of P(class | reports).
        """
        from scumble.mining.fields._walk import Grid

        factors = [axis.factor(self.model) for axis in self.axes]
        grid, codes = Grid.of(self.model, self.axes), reports.codes[:, factors]
        logs = self.model.root_logs(reports, factors)
        by_label = np.zeros((grid.given.shape[1], len(reports)))
        for draw in self.draws:
            by_label += grid.likelihoods(draw, codes) / len(self.draws)
        own = by_label[reports.labels, np.arange(len(reports))]
        return logs + np.log(own), np.log(own / by_label.sum(axis=0))

    def joined(self, older: "Fields") -> "Fields":
        """Return these rules and older ones, which knew fewer reports, on the same axes."""
        return replace(self, draws=[*self.draws, *older.draws])

    def mixed(self, other: "Fields", weight: float) -> "Fields":
        """Return these rules and others on the same axes, which have so much of the weight.

        Parameters
        ----------
        other : Fields
            The others; as many as these.
        weight : float
            From 0 to 1.
        """
        kept = round(weight * len(other.draws))
        draws = [*_some(self.draws, len(self.draws) - kept), *_some(other.draws, kept)]
        return replace(self, draws=draws, best=self.best if weight < 0.5 else other.best)

    def without_reports(self) -> "Fields":
        """Return the same rules for whoever needs no more than what they say."""
        found = replace(self, model=self.model.without_reports())
        found.__dict__["likeliest"] = self.likeliest.without_reports()
        return found

    def _cells(self, axis: FieldAxis) -> CellSet:
        return self.model.reports.cells[axis.attribute]

    def _axis(self, axis: FieldAxis, lines: IntArray) -> Axis:
        if isinstance(self._cells(axis), Cells):
            thresholds = axis.thresholds(self.model, lines)
            return Axis(axis.attribute, thresholds, np.empty((0, 0), dtype=bool))
        slab = np.searchsorted(lines, np.argsort(axis.order), side="right")
        return Axis(axis.attribute, np.empty(0), np.arange(len(lines) + 1)[:, None] == slab)

    def _slabs(self, axis: FieldAxis, lines: IntArray, cells: CellSet) -> IntArray:
        """Return the slab of each cell, of cells that no line parts."""
        if isinstance(cells, Cells):
            thresholds = axis.thresholds(self.model, lines)
            return np.searchsorted(thresholds, cells.middles, side="right")
        return np.searchsorted(lines, np.argsort(axis.order), side="right")


def _some(draws: Sequence[Field], count: int) -> list[Field]:
    """Return so many of the rules, from all along the walk and of every heat."""
    return [draws[i] for i in np.sort(np.random.default_rng(0).permutation(len(draws))[:count])]
