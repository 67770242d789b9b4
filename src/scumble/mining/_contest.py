"""Leaves against populations, judged by records that neither has seen."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, xlogy

from scumble.mining._candidate import SIMPLER, mean_weight
from scumble.mining._judged import MOST_JUDGED, judged
from scumble.mining._leaf_view import View
from scumble.mining._teacher import Teacher
from scumble.mining.fields import Fields
from scumble.mining.leaves import (
    LeafModel,
    Patterns,
    counted,
    finer,
    joint_log_scores,
    only,
    own_log_scores,
)
from scumble.population import CodedReports, Population, Reports, averaged

FloatArray = NDArray[np.float64]
# By so many standard errors leaves may describe what they know worse than a mixture.
_BEHIND = 2.0
# So many, of those whom the largest class leaves out, a rule may put wrong.
_WRONG = 0.2
# At the least this part of what other attributes add must be explained by what they tell of the
# leaves; where it is less, rules must be ahead by so many standard errors at what they know.
HOPELESS = 1 / 3
_CLEARLY = 2.0
# At the class given all reports, such a part of what these tell is granted to rules; who lies
# behind all the same, by more standard errors than this, knows too little.
_GRANTED = 0.02
_JUST = 1.0
_LEAST_TOLD = 1e-9
# By so many standard errors others contradict the leaves.
_CONTRADICTED = 2.0


@dataclass(frozen=True)
class Ahead:
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
        """The chance that rules are not just behind, or better: that they know enough."""
        return float(ndtr(self.errors + _JUST))


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is to be said of leaves, after a contest.

    Attributes
    ----------
    fields : Fields, optional
        Rules drawn with the leaves, where these are rules.
    scores : array
        The log-probability of the class of each record held out, given all its reports.
    joins : bool
        Whether the leaves are to be listened to.
    weight : float
        How much, from 0 to 1: less where they explain only a part.
    why : str
        The reason, in words.
    """

    fields: Fields | None
    scores: FloatArray
    joins: bool
    weight: float
    why: str


class _Known:
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


class Contest:
    """Leaves against populations, on records that neither has seen.

    Parameters
    ----------
    training, held_out : CodedReports
        The records to learn from and to compare by.
    rivals : mapping of str to (Population, array)
        The populations, and their scores on the records held out.
    factors : list of int
        What the leaves may test.
    """

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
        self.alone = _Known(own, own_held_out, marginals)
        self.view = View(training, factors, averaged(populations))
        self.seen = self.alone
        if self.view.witnesses:
            self.seen = _Known(self.view.of(training), self.view.of(held_out), marginals)

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
    ) -> Ahead:
        """Return how far rules are ahead of the population at the class, given all reports.

        How likely the class is if the rules are right can be told in two ways: by witnesses
        (`scores`), and by what truths may be behind all reports, as the population says. Each
        errs in its own way, and their mean less than either. If that still lies behind, the rules
        know too little, however well they describe what they know.
        """
        known = np.flatnonzero(self.held_out.labels >= 0)
        some = known[:: max(1, -(-len(known) // MOST_JUDGED))]
        answers = {"rules": Teacher(self.population, rules=rules, weight=1.0)}
        judges = [(self.population, self.held_out.some(some))]
        found = judged(answers, judges, seed=seed, workers=workers)
        if found is None:
            return Ahead(0.0, 0.0, 0.0)
        judge, rival = found["rules"], self.rival[some]
        both = np.logaddexp(scores[some], judge) - np.log(2.0) - rival
        shares = np.bincount(self.held_out.labels[some]) / len(some)
        told = max(float(rival.mean() - xlogy(shares, shares).sum()), _LEAST_TOLD)
        errors = _standard_errors(both + _GRANTED * told)
        return Ahead(errors, float(both.mean() / told), _standard_errors(judge - rival))

    def verdict(
        self,
        model: LeafModel,
        told: tuple[float, FloatArray],
        fields: Fields | None = None,
        *,
        seed: int | None,
        workers: int,
    ) -> Verdict:
        """Return what is to be said of leaves, of which so much is explained.

        Parameters
        ----------
        model : LeafModel
            The leaves.
        told : (float, array)
            What `explained` says of them.
        fields : Fields, optional
            Rules drawn with them.
        seed : int, optional
            Makes it repeatable.
        workers : int
            How many threads may work.
        """
        explained, scores = told
        sure = _is_a_rule(model)
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
        joins = joint >= -_BEHIND and (sure or classes >= -_BEHIND) and len(model.boxes) > 1
        joins = joins and (explained >= HOPELESS or joint >= _CLEARLY)
        if joins:
            ahead = self.given_all(fields or model, scores, seed=seed, workers=workers)
            why += f"; given all reports {ahead}"
            if explained < HOPELESS:
                joins, explained = ahead.judged > 0, 1.0
            joins = joins and ahead.errors >= -_JUST
            explained *= ahead.chance
        # A rule is simpler than a mixture; steps on a slope are not, nor is one tree of many.
        power = SIMPLER if fields is not None else 0
        weight = explained * mean_weight(scored[0] - reports.joint, power=power)
        return Verdict(fields, scores, joins, weight, why)


def _is_a_rule(model: LeafModel) -> bool:
    """Say whether nearly all people know their class from their leaf: a rule, not a slope."""
    wrong = 1 - float(model.shares @ model.chances.max(axis=1))
    return wrong <= _WRONG * (1 - float(model.patterns.class_shares().max()))


def _standard_errors(ahead: FloatArray) -> float:
    return float(ahead.mean() / max(ahead.std(), 1e-12) * np.sqrt(len(ahead)))


def class_log_scores(population: Population, reports: Reports) -> FloatArray:
    """Return the log-probability of the class that each record reports, given its reports."""
    together = population.report_log_likelihoods(reports)
    return together - population.report_log_likelihoods(reports.without_class())
