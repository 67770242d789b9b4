"""Leaves by likelihood, as one of the learners that compete for a tree."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves import (
    LeafModel,
    Witnesses,
    apart,
    counted,
    finer,
    first_boxes,
    improve,
    only,
    own_log_scores,
    search_leaves,
    start_leaves,
    worth,
)
from scumble.population import CodedReports, Population

FloatArray = NDArray[np.float64]
_STARTS = (24, 36)
_LEAST_RECORDS = 2_000
_MOST_CLASSES = 12
# This part of what other attributes add must be explained by what they tell of the leaves.
_EXPLAINED = 2 / 3
# Below this the search is not worth its time.
_HOPELESS = 1 / 3


@dataclass(frozen=True, eq=False)
class LeafLearner:
    """Leaves fitted to some records, and how well they foretell the classes of others.

    Attributes
    ----------
    model : LeafModel
        The leaves.
    factors : list of int
        The factors of the reports that the model knows.
    scores : array
        The log-probability of the class of each record held out, given all its reports.
    wins : bool
        Whether the leaves are to be preferred to the populations they compete with.
    why : str
        The reason, in words.
    """

    model: LeafModel
    factors: list[int]
    scores: FloatArray
    wins: bool
    why: str

    def fitted(self, reports: CodedReports) -> LeafModel:
        """Return the leaves fitted to all reports."""
        patterns = counted(finer(only(reports, self.factors)))
        return improve(self.model.on(patterns), rounds=4).model


def learn_leaves(
    training: CodedReports,
    held_out: CodedReports,
    rivals: Mapping[str, tuple[Population, FloatArray]],
    *,
    seed: int | None = None,
    workers: int = 1,
) -> LeafLearner | None:
    """Fit leaves to some records, and compare them with populations on others.

    Parameters
    ----------
    training, held_out : CodedReports
        The records to learn from and to compare by.
    rivals : mapping of str to (Population, array)
        The populations, and their scores on the records held out.
    seed : int, optional
        Makes it repeatable.
    workers : int
        How many threads may work.

    Returns
    -------
    LeafLearner or None
        None where there is too little to learn from.

    Notes
    -----
    The leaves know only attributes that are independent of each other. So they are
    compared in two steps: from the reports of these alone they must foretell classes as
    well as the populations do; and what the other attributes add must be explained by
    what these tell of the attributes that the leaves test.
    """
    if len(training) < _LEAST_RECORDS or len(training.label_matrix) > _MOST_CLASSES:
        return None
    contest = _Contest(training, held_out, rivals)
    boxes = [first_boxes(contest.marginal, most=most, seed=seed) for most in _STARTS]
    with ThreadPoolExecutor(max(1, workers)) as pool:
        starts = list(pool.map(partial(start_leaves, contest.patterns), boxes))
        first = max((start.model for start in starts), key=worth)
        if contest.explained(first)[0] < _HOPELESS:
            return contest.learner(first)
        return contest.learner(max(pool.map(search_leaves, starts), key=worth))


class _Contest:
    """Leaves against populations, on records that neither has seen."""

    def __init__(
        self,
        training: CodedReports,
        held_out: CodedReports,
        rivals: Mapping[str, tuple[Population, FloatArray]],
    ) -> None:
        self.training, self.held_out = training, held_out
        self.rival = max(float(scores.mean()) for _, scores in rivals.values())
        self.factors = apart(training)
        own = only(training, self.factors)
        self.patterns = counted(finer(own))
        self.own_held_out = only(held_out, self.factors)
        marginals = [population.only(list(own.attributes)) for population, _ in rivals.values()]
        scores = [class_log_scores(marginal, self.own_held_out) for marginal in marginals]
        best = int(np.argmax([found.mean() for found in scores]))
        self.marginal, self.alone = marginals[best], scores[best]

    def explained(self, model: LeafModel) -> tuple[float, FloatArray]:
        """Return which part of what other attributes add is explained, and the scores."""
        own = float(own_log_scores(model, self.own_held_out).mean())
        scores = Witnesses(model, self.training, self.factors).log_scores(self.held_out)
        return _part(own, float(scores.mean()), self.rival, self._margin(model)), scores

    def _margin(self, model: LeafModel) -> float:
        behind = self.alone - own_log_scores(model, self.own_held_out)
        return float(behind.std() / np.sqrt(max(1, len(behind))))

    def learner(self, model: LeafModel) -> LeafLearner:
        """Return what is to be said of leaves."""
        explained, scores = self.explained(model)
        behind = self.alone - own_log_scores(model, self.own_held_out)
        as_good = float(behind.mean()) <= self._margin(model)
        why = (
            f"from what it tests it foretells {'as well as' if as_good else 'worse than'} a "
            f"mixture, and {100 * explained:.0f} % of what other attributes add tells of what "
            "it tests"
        )
        wins = as_good and explained >= _EXPLAINED and len(model.boxes) > 1
        return LeafLearner(model, self.factors, scores, wins, why)


def _part(own: float, with_others: float, rival: float, margin: float) -> float:
    """Return which part of what other attributes add is explained; all of it if they add none."""
    if rival <= own + margin:
        return 1.0
    return float(np.clip((with_others - own) / (rival - own), 0, 1))


def class_log_scores(population: Population, reports: CodedReports) -> FloatArray:
    """Return the log-probability of the class that each record reports, given its reports."""
    chances = population.report_class_probabilities(reports) @ reports.label_matrix
    known = reports.labels >= 0
    return np.log(np.maximum(chances[known, reports.labels[known]], 1e-12))
