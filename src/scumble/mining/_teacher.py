"""What a tree is distilled from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scumble.mining._candidate import Candidate
from scumble.mining._judged import Answers, Judges
from scumble.mining._sureness import sharpened
from scumble.mining._taught import taught_of_few, taught_of_many
from scumble.population import Population, Reports, cut_at

FloatArray = NDArray[np.float64]
Codes = NDArray[np.uint16]


class Rules(Protocol):
    """What gives classes to boxes of truths: leaves, or rules drawn from what is likely."""

    @property
    def named_thresholds(self) -> Mapping[str, Sequence[float]]:
        """Where the classes of a number change."""

    def chances_of(self, population: Population, codes: Codes, /) -> FloatArray:
        """Return P(class | truths), one row for each record, from the cells of the truths."""


@dataclass(frozen=True, eq=False)
class Teacher:
    """What a tree is distilled from.

    Attributes
    ----------
    population : Population
        The joint distribution of truths and class, on cells that no threshold of the rules
        parts.
    taught : tuple of Answers
        Who was taught on draws behind the records, to be averaged.
    speaks : bool
        Whether the population is averaged with them: of many records they know more.
    rules : Rules, optional
        Leaves, or rules, that cannot be told apart from the population by what they
        foretell. What they say is averaged with what the others say.
    weight : float
        How much the rules weigh in that, from 0 to 1. Others who are surer of another class
        than the rules are of theirs weigh the same there, unless rules are alone with 1.
    wholes : sequence of array
        For each attribute, the cell that the taught know, by cell of the population.
    sureness : float
        The power to which what the others say is taken; see `sureness_of`. Rules know how
        sure they are.
    """

    population: Population
    taught: tuple[Answers, ...] = ()
    speaks: bool = True
    rules: Rules | None = None
    weight: float = 0.5
    wholes: Sequence[Codes] = ()
    sureness: float = 1.0

    @property
    def is_ruled(self) -> bool:
        """Whether rules say more than all others."""
        return self.rules is not None and self.weight > 0.5

    def chances(self, codes: Codes) -> FloatArray:
        """Return P(class | truths), one row for each record, from the cells of the truths."""
        rules = None if self.rules is None else self.rules.chances_of(self.population, codes)
        return self.average(self.without_rules(codes), rules)

    def average(self, others: FloatArray, rules: FloatArray | None) -> FloatArray:
        """Return the average of what the others and what the rules say."""
        told = sharpened(others, self.sureness)
        if rules is None:
            return told
        if self.weight == 1:
            return rules
        average = (1 - self.weight) * told + self.weight * rules
        # Where they differ who is surer decides, and nobody is sure.
        even = (told + rules) / 2
        overruled = self.is_ruled & (even.argmax(axis=1) != average.argmax(axis=1))
        return np.asarray(np.where(overruled[:, None], even, average))

    def without_rules(self, codes: Codes) -> FloatArray:
        """Return what the others say, as sure as they are by themselves."""
        told = [self.population.class_probabilities(codes)] if self.speaks else []
        if self.wholes:
            whole = [own[column] for own, column in zip(self.wholes, codes.T, strict=True)]
            codes = np.column_stack(whole)
        return np.asarray(np.mean([*told, *(own.chances(codes) for own in self.taught)], axis=0))


def teacher_of(
    population: Population,
    reports: Reports,
    judges: Judges = (),
    *,
    many: bool,
    ensembles: int = 1,
    seed: int | None = None,
    workers: int = 1,
) -> tuple[Teacher, list[Candidate]]:
    """Return what a tree is distilled from, and who competed to be heard.

    Parameters
    ----------
    population : Population
        The joint distribution of truths and class.
    reports : CodedReports or JoinedReports
        What it was fitted to; of many, without those held out.
    judges : sequence of (Population, reports)
        Populations, and records held out from each.
    many : bool
        Whether there are so many records that those who are taught on draws of them know
        more than the population; else they are averaged with it.
    ensembles : int
        How many of each are taught.
    seed : int, optional
        Makes it repeatable.
    workers : int
        How many threads may work.
    """
    if not many:
        taught = taught_of_few(population, reports, seed=seed, workers=workers)
        return Teacher(population, taught), []
    taught, candidates = taught_of_many(
        population, reports, judges, ensembles=ensembles, seed=seed, workers=workers
    )
    return Teacher(population, taught, not taught), candidates


def with_rules(teacher: Teacher, rules: Rules | None, weight: float = 0.5) -> Teacher:
    """Return a teacher with whom rules agree or argue."""
    if rules is None:
        return teacher
    population, wholes = cut_at(teacher.population, rules.named_thresholds)
    return replace(teacher, population=population, rules=rules, weight=weight, wholes=wholes)
