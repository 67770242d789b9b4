"""Leaves by likelihood, as one of the learners that compete for a tree."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scumble.mining._candidate import SIMPLER, mean_weight
from scumble.mining.fields import Fields, draw_fields
from scumble.mining.leaves import (
    Box,
    LeafModel,
    Patterns,
    Witnesses,
    apart,
    coarser,
    counted,
    finer,
    first_boxes,
    improve,
    joint_log_scores,
    only,
    own_log_scores,
    regridded,
    rough_leaves,
    search_leaves,
    simplified,
    start_leaves,
    worth,
)
from scumble.population import CodedReports, Population, Reports

FloatArray = NDArray[np.float64]
_STARTS = (24, 36)
_MOST_GRIDS = 2
_LEAST_RECORDS = 2_000
_MOST_CLASSES = 12
_MOST_RECORDS = 200_000
# By so many standard errors leaves may describe what they know worse than a mixture.
_BEHIND = 1.0
# How long rules are walked through: until they are found, and then, on all records, further.
_ROUNDS = 1_500
_MORE_ROUNDS = 300
# People who know their class from their leaf, on average: a rule, not a slope.
_SURE = 0.9
# At the least this part of what other attributes add must be explained by what they tell of the
# leaves, or the search is not worth its time; so many records tell. But where leaves are behind at
# what they know by more standard errors than this, it is the search that they lack.
_HOPELESS = 1 / 3
_FAR = 8.0
_A_LOOK = 20_000
# By so many standard errors others contradict the leaves.
_CONTRADICTED = 2.0


@dataclass(frozen=True, eq=False)
class LeafLearner:
    """Leaves fitted to some records, and how well they foretell the classes of others.

    Attributes
    ----------
    model : LeafModel
        The leaves.
    fields : Fields, optional
        Rules as likely as these leaves, where they could be drawn: they are sure of what
        they say only where they agree.
    factors : list of int
        The factors of the reports that the model knows.
    scores : array
        The log-probability of the class of each record held out, given all its reports.
    joins : bool
        Whether the leaves are to be listened to: they are not clearly behind the
        populations that they compete with.
    weight : float
        How much they are listened to, from 0 to 1; less where they explain only a part.
    why : str
        The reason, in words.
    """

    model: LeafModel
    fields: Fields | None
    factors: list[int]
    scores: FloatArray
    joins: bool
    weight: float
    why: str

    @property
    def rules(self) -> "LeafModel | Fields":
        """What is listened to."""
        return self.fields or self.model

    def fitted(self, reports: CodedReports) -> LeafModel:
        """Return the leaves fitted to all reports."""
        own = only(reports, self.factors)
        if len(own) > _MOST_RECORDS and len(self.factors) > 2:
            # More would not be patterns, and their scores not fit in memory.
            own = own.some(np.arange(0, len(own), -(-len(own) // _MOST_RECORDS)))
        patterns = counted(finer(own))
        return search_leaves(improve(self.model.on(patterns), rounds=4))

    def drawn(self, fitted: LeafModel, seed: int | None) -> "LeafModel | Fields":
        """Return what is listened to, given all reports.

        Rules that were drawn before stay: they knew most of the reports, and ways between
        rules are long.
        """
        fields = self.fields
        if fields is None:
            return fitted.without_reports()
        start = replace(fields.likeliest.on(fitted.patterns), densities=fitted.densities)
        more = draw_fields(start, rounds=_MORE_ROUNDS, axes=fields.axes, seed=seed)
        return (fields if more is None else more.joined(fields)).without_reports()


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
        None where there is too little to learn from, or the class shares a coin.

    Notes
    -----
    The leaves know only attributes that are independent of each other. So they are
    compared in two steps. The reports of these, with the class, must be no less likely than
    by the populations: reports and class together show a wrong tree where the class alone,
    under much noise, does not. Where leaves are not pure, neither must the class alone be,
    since steps describe a smooth law badly. And what the other attributes add must be
    explained by what these tell of the attributes that the leaves test.
    """
    few = len(training) < _LEAST_RECORDS
    if few or len(training.label_matrix) > _MOST_CLASSES or training.class_factor is not None:
        return None
    contest = _Contest(training, held_out, rivals)
    boxes = [first_boxes(contest.marginal, most=most, seed=seed) for most in _STARTS]
    first = start_leaves(contest.patterns(_A_LOOK), boxes[0]).model
    if contest.ahead(contest.scores(first))[0] > -_FAR:
        explained = contest.explained(first)
        if explained[0] < _HOPELESS:
            return contest.learner(first, explained)
    patterns = contest.patterns()
    coarse = coarser(patterns)
    rough = rough_leaves(coarse, boxes[0])
    fields = draw_fields(rough.on(patterns), rounds=_ROUNDS, seed=seed)
    if fields is not None:
        best = fields.likeliest
    else:
        with ThreadPoolExecutor(max(1, workers)) as pool:
            best = max(pool.map(partial(_searched, coarse), boxes), key=worth)
    model = search_leaves(improve(best.on(patterns), rounds=4))
    model = simplified(model)
    return contest.learner(model, contest.explained(model), fields)


def _searched(few: Patterns, boxes: Sequence[Box]) -> LeafModel:
    """Return the leaves that a first guess leads to; which they are, few patterns tell.

    Grids are made before leaves are merged, which takes away room to move.
    """
    start: LeafModel | None = rough_leaves(few, boxes)
    found: list[LeafModel] = []
    while start is not None:
        searched = search_leaves(improve(start, rounds=4))
        found.append(simplified(searched))
        start = regridded(searched) if len(found) <= _MOST_GRIDS else None
    return max(found, key=worth)


class _Contest:
    """Leaves against populations, on records that neither has seen."""

    def __init__(
        self,
        training: CodedReports,
        held_out: CodedReports,
        rivals: Mapping[str, tuple[Population, FloatArray]],
    ) -> None:
        self.training, self.held_out = training, held_out
        self.rival = max((scores for _, scores in rivals.values()), key=lambda own: own.mean())
        self.factors = apart(training)
        self.own = own = only(training, self.factors)
        self.own_held_out = only(held_out, self.factors)
        marginals = [population.only(list(own.attributes)) for population, _ in rivals.values()]
        joint = [marginal.report_log_likelihoods(self.own_held_out) for marginal in marginals]
        classes = [class_log_scores(marginal, self.own_held_out) for marginal in marginals]
        best = int(np.argmax([found.mean() for found in joint]))
        self.marginal, self.joint = marginals[best], joint[best]
        self.classes = max(classes, key=lambda found: float(found.mean()))

    def patterns(self, most: int | None = None) -> Patterns:
        """Return what the records to learn from report of it, of all or of about so many."""
        step = 1 if most is None else -(-len(self.own) // most)
        own = self.own if step == 1 else self.own.some(np.arange(0, len(self.own), step))
        return counted(finer(own))

    def scores(
        self, model: LeafModel, fields: Fields | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return how likely records held out are with their class, and their class alone."""
        if fields is not None:
            return fields.log_scores(self.own_held_out)
        held_out = self.own_held_out
        return joint_log_scores(model, held_out), own_log_scores(model, held_out)

    def ahead(self, scores: tuple[FloatArray, FloatArray]) -> tuple[float, float]:
        """Return by how many standard errors leaves are better, with the class and at it alone."""
        joint, classes = scores
        return _standard_errors(joint - self.joint), _standard_errors(classes - self.classes)

    def explained(self, model: LeafModel) -> tuple[float, FloatArray]:
        """Return which part of what other attributes add is explained, and the scores.

        All of it where there are none, or they add no more than chance would; but nothing
        where what they tell of the leaves makes the class less likely.
        """
        own = own_log_scores(model, self.own_held_out)
        if len(self.factors) == len(self.training.factors):
            return 1.0, own
        scores = Witnesses(model, self.training, self.factors).log_scores(self.held_out)
        added, told = self.rival - own, scores - own
        if _standard_errors(added) <= 1:
            return float(_standard_errors(told) >= -_CONTRADICTED), scores
        return float(np.clip(told.mean() / added.mean(), 0, 1)), scores

    def learner(
        self, model: LeafModel, told: tuple[float, FloatArray], fields: Fields | None = None
    ) -> LeafLearner:
        """Return what is to be said of leaves, of which so much is explained."""
        explained, scores = told
        scored = self.scores(model, fields)
        joint, classes = self.ahead(scored)
        why = (
            f"beside a mixture {joint:+.1f} standard errors at what it tests and the class, "
            f"{classes:+.1f} at the class alone, and {100 * explained:.0f} % of what other "
            "attributes add tells of what it tests"
        )
        sure = float(model.shares @ model.chances.max(axis=1)) >= _SURE
        as_good = joint >= -_BEHIND and (sure or classes >= -_BEHIND)
        joins = as_good and explained >= _HOPELESS and len(model.boxes) > 1
        # A rule is simpler than a mixture; steps on a slope are not, nor is one tree of many.
        power = SIMPLER if sure and fields is not None else 0
        weight = explained * mean_weight(scored[0] - self.joint, power=power)
        return LeafLearner(model, fields, self.factors, scores, joins, weight, why)


def _standard_errors(ahead: FloatArray) -> float:
    return float(ahead.mean() / max(ahead.std(), 1e-12) * np.sqrt(len(ahead)))


def class_log_scores(population: Population, reports: Reports) -> FloatArray:
    """Return the log-probability of the class that each record reports, given its reports."""
    together = population.report_log_likelihoods(reports)
    return together - population.report_log_likelihoods(reports.without_class())
