"""Leaves by likelihood, as one of the learners that compete for a tree."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, xlogy

from scumble.mining._candidate import SIMPLER, mean_weight
from scumble.mining._judged import judged
from scumble.mining._leaf_view import View
from scumble.mining._teacher import Teacher
from scumble.mining.fields import Fields
from scumble.mining.leaves import (
    Box,
    LeafModel,
    Patterns,
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
from scumble.population import CodedReports, Population, Reports, averaged

FloatArray = NDArray[np.float64]
# A search begins at trees of so many leaves, a walk at the first.
_FIRST, _SECOND = 24, 36
_MOST_GRIDS = 2
_LEAST_RECORDS = 2_000
_MOST_CLASSES = 12
_MOST_RECORDS = 200_000
# By so many standard errors leaves may describe what they know worse than a mixture.
_BEHIND = 2.0
# Where a walk begins, leaves are fitted to reports of a number in so many cells.
_ROUGH_CELLS = 16
# How long rules are walked through: until they are found, and then, on all records, further.
_ROUNDS = 1_500
_MORE_ROUNDS = 300
# So many, of those whom the largest class leaves out, leaves may put wrong: a rule, not a slope.
_WRONG = 0.2
# At the least this part of what other attributes add must be explained by what they tell of the
# leaves, or the search is not worth its time; so many records tell. But where leaves are behind at
# what they know by more standard errors than this, it is the search that they lack; where they are
# so after it, more of it is no use.
_HOPELESS = 1 / 3
_FAR = 8.0
_A_LOOK = 20_000
# Where less is explained, rules must be ahead by so many standard errors at what they know.
_CLEARLY = 2.0
# At the class given all reports, such a part of what these tell is granted to rules; who lies behind
# all the same, by more standard errors than this, knows too little. So many records say so.
_GRANTED = 0.02
_JUST = 1.0
_JUDGED = 8_000
_LEAST_TOLD = 1e-9
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
    view : View
        What they see of the records.
    scores : array
        The log-probability of the class of each record held out, given all its reports.
    joins : bool
        Whether the leaves are to be listened to: they are not clearly behind the
        populations that they compete with.
    weight : float
        How much they are listened to, from 0 to 1; less where they explain only a part.
    why : str
        The reason, in words.
    helped : float
        Which part of the rules is drawn with witnesses.
    """

    model: LeafModel
    fields: Fields | None
    view: View
    scores: FloatArray
    joins: bool
    weight: float
    why: str
    helped: float = 0.0

    @property
    def rules(self) -> "LeafModel | Fields":
        """What is listened to."""
        return self.fields or self.model

    def fitted(self, reports: CodedReports) -> LeafModel:
        """Return the leaves fitted to all reports; what rules were drawn for is found."""
        own = only(reports, self.view.factors)
        if len(own) > _MOST_RECORDS and len(own.factors) > 2:
            # More would not be patterns, and their scores not fit in memory.
            own = own.some(np.arange(0, len(own), -(-len(own) // _MOST_RECORDS)))
        improved = improve(self.model.on(counted(finer(own))), rounds=4)
        return improved.model if self.fields is not None else search_leaves(improved)

    def drawn(
        self, fitted: LeafModel, reports: CodedReports, seed: int | None, workers: int = 1
    ) -> "LeafModel | Fields":
        """Return what is listened to, given all reports.

        Rules that were drawn before stay: they knew most of the reports, and ways between
        rules are long.
        """
        fields = self.fields
        if fields is None:
            return fitted.without_reports()
        start = replace(fields.likeliest.on(fitted.patterns), densities=fitted.densities)
        more = _mixed(
            self.view.walks(
                start, reports, rounds=_MORE_ROUNDS, axes=fields.axes, seed=seed, workers=workers
            ),
            self.helped,
        )
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
    explained by what these tell of the attributes that the leaves test. Last, leaves that
    would be listened to are judged as everyone is who answers by truths: by the classes of
    records held out, given all that these report, as a population sees through it.

    Attributes may hang together a little, and not for the sake of the class. Rules that are
    not listened to begin anew with such as do not at all.
    """
    few = len(training) < _LEAST_RECORDS
    if few or len(training.label_matrix) > _MOST_CLASSES or training.class_factor is not None:
        return None
    contest = _Contest(training, held_out, rivals, apart(training))
    learner = _learned(contest, seed=seed, workers=workers)
    if learner.fields is None or learner.joins:
        return learner
    strictly = apart(training, strictly=True)
    if strictly == contest.view.factors:
        return learner
    contest = _Contest(training, held_out, rivals, strictly)
    return _learned(contest, seed=seed, workers=workers)


def _learned(contest: "_Contest", *, seed: int | None, workers: int) -> LeafLearner:
    """Return leaves fitted to what a contest is about."""
    alone = contest.alone
    boxes = first_boxes(alone.marginal, most=_FIRST, seed=seed)
    first = start_leaves(alone.some(_A_LOOK), boxes).model
    if alone.ahead(alone.scores(first))[0] > -_FAR:
        explained = contest.explained(first)
        if explained[0] < _HOPELESS:
            return contest.learner(first, explained, seed=seed, workers=workers)
    rough = rough_leaves(coarser(alone.patterns, most=_ROUGH_CELLS), boxes)
    start = rough.on(alone.patterns)
    walks = contest.view.walks(start, contest.training, rounds=_ROUNDS, seed=seed, workers=workers)
    helped = contest.helped(walks, workers)
    fields = _mixed(walks, helped)
    if fields is None:
        coarse = coarser(alone.some(_A_LOOK) if alone.are_all_different else alone.patterns)
        starts = [boxes, first_boxes(alone.marginal, most=_SECOND, seed=seed)]
        with ThreadPoolExecutor(max(1, workers)) as pool:
            best = max(pool.map(partial(_searched, coarse), starts), key=worth)
        model = best.on(alone.patterns)
        if alone.ahead(alone.scores(model))[0] > -_FAR:
            model = simplified(search_leaves(improve(model, rounds=4)))
        return contest.learner(model, contest.explained(model), seed=seed, workers=workers)
    fields = replace(fields, model=fields.model.on(contest.seen.patterns))
    best = fields.likeliest
    model = improve(best.on(alone.patterns), rounds=4).model
    learner = contest.learner(model, contest.explained(best), fields, seed=seed, workers=workers)
    return replace(learner, helped=helped)


def _mixed(walks: Sequence[Fields], helped: float) -> Fields | None:
    """Return rules drawn without witnesses and, so many of them, with them."""
    if len(walks) < 2:
        return walks[0] if walks else None
    return walks[0].mixed(walks[1], helped)


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


@dataclass(frozen=True)
class _Ahead:
    """How far rules are ahead of the population at the class, given all reports.

    Attributes
    ----------
    errors : float
        In standard errors, a little being granted.
    part : float
        As a part of what all reports tell of the class.
    judged : float
        In standard errors, by what truths may be behind all reports alone.
    """

    errors: float
    part: float
    judged: float

    def __str__(self) -> str:
        return f"{self.errors:+.1f} standard errors, {100 * self.part:+.0f} % of what these tell"

    @property
    def chance(self) -> float:
        """The chance that rules know all that the population knows."""
        return float(ndtr(self.errors))


class _Reports:
    """Reports of the attributes of leaves, and how well populations say them.

    Parameters
    ----------
    own, held_out : CodedReports
        The reports to learn from and to compare by.
    marginals : sequence of Population
        The populations of these attributes.
    """

    def __init__(
        self, own: CodedReports, held_out: CodedReports, marginals: Sequence[Population]
    ) -> None:
        self.own, self.held_out = own, held_out
        joint = [marginal.report_log_likelihoods(held_out) for marginal in marginals]
        classes = [class_log_scores(marginal, held_out) for marginal in marginals]
        best = int(np.argmax([found.mean() for found in joint]))
        self.marginal, self.joint = marginals[best], joint[best]
        self.classes = max(classes, key=lambda found: float(found.mean()))

    @cached_property
    def patterns(self) -> Patterns:
        """What the records to learn from report."""
        return counted(finer(self.own))

    @property
    def are_all_different(self) -> bool:
        """Whether so much is reported that hardly two records report the same."""
        return len(self.patterns.counts) > len(self.own) / 2

    def some(self, most: int) -> Patterns:
        """Return what about so many of them report."""
        return counted(finer(self.own.some(np.arange(0, len(self.own), -(-len(self.own) // most)))))

    def scores(self, rules: "LeafModel | Fields") -> tuple[FloatArray, FloatArray]:
        """Return how likely records held out are with their class, and their class alone."""
        if isinstance(rules, Fields):
            return rules.log_scores(self.held_out)
        return joint_log_scores(rules, self.held_out), own_log_scores(rules, self.held_out)

    def ahead(self, scores: tuple[FloatArray, FloatArray]) -> tuple[float, float]:
        """Return by how many standard errors leaves are better, with the class and at it alone."""
        joint, classes = scores
        return _standard_errors(joint - self.joint), _standard_errors(classes - self.classes)


class _Contest:
    """Leaves against populations, on records that neither has seen."""

    def __init__(
        self,
        training: CodedReports,
        held_out: CodedReports,
        rivals: Mapping[str, tuple[Population, FloatArray]],
        factors: list[int],
    ) -> None:
        self.training, self.held_out = training, held_out
        self.population, self.rival = max(rivals.values(), key=lambda own: float(own[1].mean()))
        own, own_held_out = only(training, factors), only(held_out, factors)
        populations = [population for population, _ in rivals.values()]
        marginals = [population.only(list(own.attributes)) for population in populations]
        self.alone = _Reports(own, own_held_out, marginals)
        self.view = View(training, factors, averaged(populations))
        self.seen = self.alone
        if self.view.witnesses:
            self.seen = _Reports(self.view.of(training), self.view.of(held_out), marginals)

    def helped(self, walks: Sequence[Fields], workers: int) -> float:
        """Return which part of the rules is to be drawn with witnesses: records held out say.

        What witnesses tell is known from a population, and no better than that: under little
        noise they may mislead, under much they tell most.
        """
        if len(walks) < 2:
            return 0.0
        with ThreadPoolExecutor(max(1, workers)) as pool:
            without, helped = pool.map(lambda own: self.alone.scores(own)[0], walks)
        return mean_weight(helped - without)

    def explained(self, model: LeafModel) -> tuple[float, FloatArray]:
        """Return which part of what other attributes add is explained, and the scores.

        All of it where there are none, or they add no more than chance would; but nothing
        where what they tell of the leaves makes the class less likely.
        """
        own = own_log_scores(model.on(self.alone.patterns), self.alone.held_out)
        if len(self.view.factors) == len(self.training.factors):
            return 1.0, own
        scores = own_log_scores(model.on(self.seen.patterns), self.seen.held_out)
        added, told = self.rival - own, scores - own
        if _standard_errors(added) <= 1:
            return float(_standard_errors(told) >= -_CONTRADICTED), scores
        return float(np.clip(told.mean() / added.mean(), 0, 1)), scores

    def given_all(
        self,
        rules: "LeafModel | Fields",
        scores: FloatArray,
        *,
        seed: int | None,
        workers: int,
    ) -> "_Ahead":
        """Return how far rules are ahead of the population at the class, given all reports.

        How likely the class is if the rules are right can be told in two ways: by witnesses
        (`scores`), and by what truths may be behind all reports, as the population says. Each
        errs in its own way, and their mean less than either. If that still lies behind, the rules
        know too little, however well they describe what they know.
        """
        known = np.flatnonzero(self.held_out.labels >= 0)
        some = known[:: max(1, -(-len(known) // _JUDGED))]
        answers = {"rules": Teacher(self.population, rules=rules, weight=1.0)}
        judges = [(self.population, self.held_out.some(some))]
        found = judged(answers, judges, seed=seed, workers=workers)
        if found is None:
            return _Ahead(0.0, 0.0, 0.0)
        judge, rival = found["rules"], self.rival[some]
        both = np.logaddexp(scores[some], judge) - np.log(2.0) - rival
        shares = np.bincount(self.held_out.labels[some]) / len(some)
        told = max(float(rival.mean() - xlogy(shares, shares).sum()), _LEAST_TOLD)
        errors = _standard_errors(both + _GRANTED * told)
        return _Ahead(errors, float(both.mean() / told), _standard_errors(judge - rival))

    def learner(
        self,
        model: LeafModel,
        told: tuple[float, FloatArray],
        fields: Fields | None = None,
        *,
        seed: int | None,
        workers: int,
    ) -> LeafLearner:
        """Return what is to be said of leaves, of which so much is explained."""
        explained, scores = told
        wrong = 1 - float(model.shares @ model.chances.max(axis=1))
        sure = wrong <= _WRONG * (1 - float(model.patterns.class_shares().max()))
        if not sure:
            # Rules that were drawn give a class to each cell; these leaves have shares of them.
            fields = None
        reports = self.alone if fields is None else self.seen
        scored = reports.scores(fields or model)
        joint, classes = reports.ahead(scored)
        why = (
            f"beside a mixture {joint:+.1f} standard errors at what it tests and the class, "
            f"{classes:+.1f} at the class alone, and {100 * explained:.0f} % of what other "
            "attributes add tells of what it tests"
        )
        as_good = joint >= -_BEHIND and (sure or classes >= -_BEHIND)
        joins = as_good and len(model.boxes) > 1 and (explained >= _HOPELESS or joint >= _CLEARLY)
        if joins:
            ahead = self.given_all(fields or model, scores, seed=seed, workers=workers)
            why += f"; given all reports {ahead}"
            if explained < _HOPELESS:
                joins, explained = ahead.judged > 0, 1.0
            joins = joins and ahead.errors >= -_JUST
            explained *= ahead.chance
        # A rule is simpler than a mixture; steps on a slope are not, nor is one tree of many.
        power = SIMPLER if sure and fields is not None else 0
        weight = explained * mean_weight(scored[0] - reports.joint, power=power)
        return LeafLearner(model, fields, self.view, scores, joins, weight, why)


def _standard_errors(ahead: FloatArray) -> float:
    return float(ahead.mean() / max(ahead.std(), 1e-12) * np.sqrt(len(ahead)))


def class_log_scores(population: Population, reports: Reports) -> FloatArray:
    """Return the log-probability of the class that each record reports, given its reports."""
    together = population.report_log_likelihoods(reports)
    return together - population.report_log_likelihoods(reports.without_class())
