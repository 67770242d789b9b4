"""Truths in pieces: how much of each class lies where a tree answers what."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scumble.population import Box, CodedReports, Population, box_chances, confined

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
_LEAST = 1e-9


class Seen(NamedTuple):
    """The different reports of records that report the same class.

    Attributes
    ----------
    chance : array, (classes,)
        P(reported class | class).
    table : array of float32, (reports, pieces)
        P(report | piece), up to a factor for each report.
    counts : array of float32, (reports,)
        How many records sent it.
    """

    chance: FloatArray
    table: NDArray[np.float32]
    counts: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Pieces:
    """A population in pieces: the truths that one of its classes has in a leaf of a tree.

    How truths are spread within a piece is taken from the population; how many of the
    records of each class lie in which piece is left open.

    Attributes
    ----------
    mass : array, (pieces,)
        The share of the population in each piece.
    kind : array of int, (pieces,)
        The class of the population that each piece is of.
    right : array of bool, (classes, pieces)
        Whether the answer in a piece is the class.
    seen : list of Seen
        The reports of each reported class.
    """

    mass: FloatArray
    kind: IntArray
    right: NDArray[np.bool_]
    seen: list[Seen]

    def __len__(self) -> int:
        """Return the number of records."""
        return round(sum(float(own.counts.sum()) for own in self.seen))

    def start(self) -> FloatArray:
        """Return P(class, piece) where classes and pieces have nothing to do with each other."""
        reported = np.array([own.counts.sum() for own in self.seen])
        chances = np.array([own.chance / own.chance.sum() for own in self.seen])
        classes = reported @ chances / reported.sum()
        return np.outer(classes, self.mass / self.mass.sum())

    def as_fitted(self) -> float:
        """Return the share of right answers that the population itself says, given the reports."""
        classes = np.arange(len(self.right))[:, None]
        joint, _ = self.step(np.where(self.kind == classes, self.mass, 0))
        return float(joint[self.right].sum())

    def step(self, joint: FloatArray) -> tuple[FloatArray, float]:
        """Return P(class, piece) after a step of EM, and the log-likelihood before it."""
        from scumble.mining._pieces_kernel import shared_out

        moved, level = np.zeros_like(joint), 0.0
        for chance, table, counts in self.seen:
            given = chance[:, None] * joint
            found = np.zeros(len(self.mass))
            level += shared_out(table, given.sum(axis=0).astype(np.float32), counts, found)
            moved += given * found
        return moved / moved.sum(), level


def pieces_of(
    population: Population, reports: CodedReports, boxes: Sequence[Box], answers: IntArray
) -> Pieces:
    """Cut a population into pieces: one for each of its classes in each box.

    Parameters
    ----------
    population : Population
        The distribution of the truths.
    reports : CodedReports
        The reports, and the classes that they report.
    boxes : sequence of mapping
        The boxes.
    answers : array of int
        The place of the class that is answered in each.
    """
    parts = _by_class(population)
    inside = [confined(part, box).weights.sum() for part in parts for box in boxes]
    mass = np.array(inside) + _LEAST
    kind = np.repeat([part.classes[0] for part in parts], len(boxes))
    right = np.tile(answers, len(parts)) == np.arange(len(reports.label_matrix))[:, None]
    seen = []
    for label in np.unique(reports.labels).tolist():
        own = reports.some(np.flatnonzero(reports.labels == label))
        _, first, counts = np.unique(own.codes, axis=0, return_index=True, return_counts=True)
        table = (_chances(population, parts, own.some(first), boxes) / mass).astype(np.float32)
        chance = reports.label_matrix[:, label]
        seen.append(Seen(chance, np.ascontiguousarray(table), counts.astype(np.float32)))
    return Pieces(mass, kind, right, seen)


def _by_class(population: Population) -> list[Population]:
    """Return the part of each class that occurs."""
    parts = []
    for c in range(population.class_count):
        own = population.classes == c
        if population.weights[own].sum() > _LEAST:
            shares = [share[own] for share in population.shares]
            weights, classes = population.weights[own], population.classes[own]
            parts.append(replace(population, weights=weights, classes=classes, shares=shares))
    return parts


def _chances(
    population: Population,
    parts: Sequence[Population],
    reports: CodedReports,
    boxes: Sequence[Box],
) -> FloatArray:
    """Return P(class and box | report), one row for each record."""
    classes = population.report_class_probabilities(reports)
    found = [classes[:, part.classes[:1]] * box_chances(part, reports, boxes) for part in parts]
    return np.hstack(found)
