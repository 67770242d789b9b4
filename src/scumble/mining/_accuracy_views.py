"""Three views of the accuracy of a tree, on as many records as tell something."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scumble.mining._pieces import Pieces, pieces_of
from scumble.mining._profile import Profile
from scumble.mining._regions import leaf_boxes
from scumble.mining._stages import Stages
from scumble.mining._tree import Tree
from scumble.population import (
    CodedReports,
    MixtureFit,
    Population,
    fit_population,
    mean_log_likelihood,
)

IntArray = NDArray[np.int64]
# How many components at the most: what foretells reports best is taken.
_COMPONENTS = (1, 4, 16)
_HELD_OUT = 0.2
# So many records are looked at first, fewer where a tree has many leaves; and so many chances
# of reports are worked out first, and fit in memory.
_FIRST = 100_000
_FIRST_ENTRIES = 2**24
_MOST_ENTRIES = 2**26
# More records must lessen the error by a fifth, and by half of the last digit that is printed.
_LESSENED = 1.25
_PRINTED = 0.0005


class SeenAccuracy(NamedTuple):
    """What views of some records say: the accuracy, its error, and how many records they are.

    The error has two parts: `sampled` shrinks with more records, `apart` is how far the views
    differ.
    """

    accuracy: float
    sampled: float
    apart: float
    records: int

    @property
    def error(self) -> float:
        """The standard error."""
        return self.error_of(self.records)

    def error_of(self, records: int) -> float:
        """Return the standard error to be expected of so many records."""
        return float(np.hypot(self.sampled * np.sqrt(self.records / records), self.apart))


def seen_accuracy(
    tree: Tree, reports: CodedReports, answers: IntArray, seed: int, stages: Stages
) -> SeenAccuracy:
    """Return what three views say of as many records as tell something.

    Parameters
    ----------
    tree : Tree
        The tree.
    reports : CodedReports
        The reports, and the classes that they report.
    answers : array of int
        The place of each class of the tree.
    seed : int
        Makes the fits, and which records are taken of many, repeatable.
    stages : Stages
        Told how far it has come.
    """
    pieces = int(np.count_nonzero(tree.attribute < 0)) * reports.class_count
    first, most = (min(_FIRST, _FIRST_ENTRIES // pieces), _MOST_ENTRIES // pieces)
    order = np.arange(len(reports))
    if len(reports) > first:
        order = np.random.default_rng([seed, 5]).permutation(len(reports))
    views = _Views(tree, reports.some(order[:_FIRST]), answers, seed, stages)
    found = views.seen(reports.some(order[:first]))
    needed = min(records_needed(found, len(reports)), most)
    return found if needed <= found.records else views.seen(reports.some(order[:needed]))


def records_needed(seen: SeenAccuracy, available: int) -> int:
    """Return how many records tell as much as all of them, or nearly so.

    Examples
    --------
    >>> records_needed(SeenAccuracy(0.9, 0.01, 0.03, 100_000), 2_000_000)
    100000
    >>> records_needed(SeenAccuracy(0.9, 0.01, 0.003, 100_000), 2_000_000)
    776700
    """
    least = seen.error_of(available)
    enough = max(_LESSENED * least, least + _PRINTED)
    if seen.error <= enough:
        return seen.records
    return int(np.ceil(seen.records * seen.sampled**2 / (enough**2 - seen.apart**2)))


@dataclass(frozen=True, eq=False)
class _Views:
    """Populations fitted to some reports, and what they make of these and of others."""

    tree: Tree
    reports: CodedReports
    answers: IntArray
    seed: int
    stages: Stages

    @cached_property
    def _populations(self) -> list[Population]:
        """Of all records as of one class, and of each class."""
        self.stages.expect(2 * (len(_COMPONENTS) + 1))
        return [self._fitted(own) for own in (_of_all(self.reports), self.reports)]

    def seen(self, reports: CodedReports) -> SeenAccuracy:
        """Return what the views say of some reports."""
        self.stages.expect(2)
        of_all, by_class = (self._pieces(own, reports) for own in self._populations)
        (first, one), (second, two) = (
            Profile(own, self.stages).summary() for own in (of_all, by_class)
        )
        accuracies = np.array([first, second, by_class.as_fitted()])
        sampled = float(np.sqrt((one**2 + 2 * two**2) / 3))
        return SeenAccuracy(
            float(accuracies.mean()), sampled, float(accuracies.std()), len(reports)
        )

    def _pieces(self, population: Population, reports: CodedReports) -> Pieces:
        cells = dict(zip(reports.attributes, reports.cells, strict=True))
        boxes, places = leaf_boxes(self.tree, cells)
        found = pieces_of(population, reports, boxes, self.answers[places])
        self.stages.done("cut the population")
        return found

    def _fitted(self, reports: CodedReports) -> Population:
        """Fit populations of few and of more components to some reports; take what suits others.

        A fit too close would take the noise of these very reports for knowledge of them.
        """
        parts = np.random.default_rng([self.seed, 4]).random(len(reports)) < _HELD_OUT
        others, some = (reports.some(np.flatnonzero(rows)) for rows in (parts, ~parts))
        fits = [MixtureFit(components=most, runs=1, most=100) for most in _COMPONENTS]
        levels = []
        for fit in fits:
            fitted = fit_population(some, fit=fit, seed=self.seed)
            levels.append(mean_log_likelihood(fitted, others))
            self.stages.done("tried a mixture")
        best = fit_population(reports, fit=fits[int(np.argmax(levels))], seed=self.seed)
        self.stages.done("fitted the best to all records")
        return best


def _of_all(reports: CodedReports) -> CodedReports:
    """Return reports of one class: that of all."""
    return replace(reports, labels=np.zeros_like(reports.labels), label_matrix=np.eye(1))
