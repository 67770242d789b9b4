"""What a tree is distilled from."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scumble.mining._boosted import Boosted, boosted
from scumble.mining._drawn_trees import DrawnTrees, drawn_trees
from scumble.mining._sureness import sharpened
from scumble.mining.leaves import LeafModel, leaf_chances, thresholds_of
from scumble.population import Population, Reports, cut_at

FloatArray = NDArray[np.float64]
Codes = NDArray[np.uint16]
# From so many records on, boosted trees taught on draws know more than the population.
_MANY = 20_000


@dataclass(frozen=True, eq=False)
class Teacher:
    """What a tree is distilled from.

    Attributes
    ----------
    population : Population
        The joint distribution of truths and class, on cells that no threshold of the leaves
        parts.
    ensembles : tuple of Boosted or DrawnTrees
        Trees taught on draws behind the records; they know more than the population
        where there are many records. Where there are few, they are averaged with it.
    leaves : LeafModel, optional
        Leaves that cannot be told apart from the population by what they foretell. What
        they say is averaged with what the others say.
    weight : float
        How much the leaves weigh in that, from 0 to 1.
    wholes : sequence of array
        For each attribute, the cell that the ensembles know, by cell of the population.
    sureness : float
        The power to which what all of them say is taken; see `sureness_of`.
    """

    population: Population
    ensembles: tuple[Boosted | DrawnTrees, ...] = ()
    leaves: LeafModel | None = None
    weight: float = 0.5
    wholes: Sequence[Codes] = ()
    sureness: float = 1.0

    def chances(self, codes: Codes) -> FloatArray:
        """Return P(class | truths), one row for each record, from the cells of the truths."""
        told = self._without_leaves(codes)
        if self.leaves is not None:
            own = leaf_chances(self.leaves, self.population, codes)
            told = (1 - self.weight) * told + self.weight * own
        return sharpened(told, self.sureness)

    def _without_leaves(self, codes: Codes) -> FloatArray:
        if not self.ensembles:
            return self.population.class_probabilities(codes)
        if self.wholes:
            whole = [own[column] for own, column in zip(self.wholes, codes.T, strict=True)]
            codes = np.column_stack(whole)
        chances = [ensemble.chances(codes) for ensemble in self.ensembles]
        return np.asarray(np.mean(chances, axis=0))


def teacher_of(
    population: Population,
    reports: Reports,
    *,
    leaves: LeafModel | None = None,
    weight: float = 0.5,
    ensembles: int = 1,
    seed: int | None = None,
    workers: int = 1,
) -> Teacher:
    """Return what a tree is distilled from.

    Parameters
    ----------
    population : Population
        The joint distribution of truths and class.
    reports : CodedReports or JoinedReports
        What it was fitted to.
    leaves : LeafModel, optional
        Leaves to be listened to, too, and `weight`, how much.
    weight : float
        From 0 to 1.
    ensembles : int
        How many ensembles are taught.
    seed : int, optional
        Makes it repeatable.
    workers : int
        How many threads may work.
    """
    teach = boosted if len(reports) >= _MANY else drawn_trees
    seeds = [None if seed is None else seed + place for place in range(ensembles)]
    taught = [teach(population, reports, seed=own, workers=workers) for own in seeds]
    kept = tuple(ensemble for ensemble in taught if ensemble is not None)
    return with_leaves(Teacher(population, kept), leaves, weight)


def with_leaves(teacher: Teacher, leaves: LeafModel | None, weight: float = 0.5) -> Teacher:
    """Return a teacher with whom leaves agree or argue."""
    if leaves is None:
        return teacher
    population, wholes = cut_at(teacher.population, thresholds_of(leaves))
    return Teacher(population, teacher.ensembles, leaves, weight, wholes)
