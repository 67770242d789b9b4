"""Leaves against populations, judged by records that neither has seen."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, xlogy

from scumble.mining._candidate import SIMPLER, mean_weight
from scumble.mining._leaf_view import View
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
from scumble.population import CodedReports, Population, Reports, averaged, ruled

FloatArray = NDArray[np.float64]
Trial = tuple[CodedReports, Population]
"""Records held out, and a population that has not seen these; leaves may have."""
# By so many standard errors leaves may describe what they know worse than a mixture.
_BEHIND = 2.0
# So many, of those whom the largest class leaves out, a rule may put wrong.
_WRONG = 0.2
# At the least this part of what other attributes add must be explained by what they tell of the
# leaves.
HOPELESS = 1 / 3
# A population whose class hangs on the leaves alone is granted such a part of what reports tell,
# as it is no better than the population it is made of; and may be behind by so many standard
# errors: by few where one attribute decides, of which it is well known how it is spread. If it,
# with nothing granted, and what leaves know of their own reports are so far ahead together, all
# else is as good as answered.
_GRANTED = 0.02
_JUST = {True: 3.0, False: 8.0}
_CLEARLY = 3.0
# Populations that are as simple as rules.
SIMPLE = ("small mixture", "naive Bayes")
# By so many standard errors others contradict the leaves.
_CONTRADICTED = 2.0


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
        How much, from 0 to 1: less where they are hardly borne out.
    borne_out : float
        By how many standard errors they are, with what is granted; -inf where nobody asked.
    granted : float
        What is granted, in nats for each record.
    why : str
        The reason, in words.
    """

    fields: Fields | None
    scores: FloatArray
    joins: bool
    weight: float
    borne_out: float
    granted: float
    why: str


class _Known:
    """Reports of the attributes of leaves, and how well populations say them.

    Parameters
    ----------
    own, held_out : CodedReports
        The reports to learn from and to compare by.
    marginals : mapping of str to Population
        The populations of these attributes.
    """

    def __init__(
        self, own: CodedReports, held_out: CodedReports, marginals: Mapping[str, Population]
    ) -> None:
        self.own, self.held_out = own, held_out
        self.joints = {name: p.report_log_likelihoods(held_out) for name, p in marginals.items()}
        classes = [class_log_scores(marginal, held_out) for marginal in marginals.values()]
        self.joint = max(self.joints.values(), key=np.mean)
        self.classes = max(classes, key=np.mean)
        self.marginal = marginals[max(_large(marginals), key=lambda own: self.joints[own].mean())]

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
        return standard_errors(joint - self.joint), standard_errors(classes - self.classes)


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
    again : callable, optional
        Holds out other records from the population of that name, where records are few: all of
        them in turn. The leaves have seen these, which favours them by one to two standard
        errors.
    """

    def __init__(
        self,
        training: CodedReports,
        held_out: CodedReports,
        rivals: Mapping[str, tuple[Population, FloatArray]],
        factors: list[int],
        again: Callable[[str], Sequence[Trial]] | None = None,
    ) -> None:
        self.training, self.held_out = training, held_out
        best = max(rivals, key=lambda name: float(rivals[name][1].mean()))
        self.population, self.rival = rivals[best]
        self.rivals = {name: scores for name, (_, scores) in rivals.items()}
        self._hold_out_again = partial(again, best) if again else tuple
        own, own_held_out = only(training, factors), only(held_out, factors)
        names = list(own.attributes)
        marginals = {name: population.only(names) for name, (population, _) in rivals.items()}
        self.alone = _Known(own, own_held_out, marginals)
        large = [rivals[name][0] for name in _large(rivals)]
        self.view = View(training, factors, averaged(large))
        self.seen = self.alone
        if self.view.witnesses:
            self.seen = _Known(self.view.of(training), self.view.of(held_out), marginals)

    @cached_property
    def _again(self) -> Sequence[Trial]:
        return self._hold_out_again()

    @cached_property
    def told(self) -> float:
        """How much reports tell of the class, by the population, in nats for each record."""
        known = self.held_out.labels >= 0
        counts = np.bincount(self.held_out.labels[known])
        shares = counts / max(1, counts.sum())
        return max(0.0, float(self.rival[known].mean() - xlogy(shares, shares).sum()))

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
        if standard_errors(added) <= 1:
            return float(standard_errors(told) >= -_CONTRADICTED), scores
        return float(np.clip(told.mean() / added.mean(), 0, 1)), scores

    def borne_out(self, model: LeafModel, trial: Trial) -> FloatArray:
        """Return how much likelier classes are where they hang on the leaves alone.

        The population is made one in which the class hangs on nothing but the leaf, whatever else
        hangs on what. If the leaves know too little, or the wrong thing, it does not foretell the
        class of records held out, given all their reports, as well as it did.
        """
        held_out, population = trial
        own = list(model.reports.attributes)
        places = [list(held_out.attributes).index(name) for name in own]
        boxes = [
            {
                places[j]: inside
                for j in (*box.bounds, *box.values)
                if (inside := box.inside(j, held_out.cells[places[j]])) is not None
            }
            for box in model.boxes
        ]
        marginals = model.shares_in(population)
        under = ruled(population, boxes, model.chances, scales=model.scales, marginals=marginals)
        return class_log_scores(under, held_out) - class_log_scores(population, held_out)

    def verdict(
        self,
        model: LeafModel,
        told: tuple[float, FloatArray],
        fields: Fields | None = None,
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
        joins = joint >= -_BEHIND and (sure or classes >= -_BEHIND) and explained >= HOPELESS
        own, rivals = scored[0], reports.joints
        errors, granted, just = -np.inf, _GRANTED * self.told, _JUST[len(model.tested) == 1]
        if len(model.boxes) > 1 and (joins or sure):
            first = alone = self.borne_out(model, (self.held_out, self.population))
            if joins or joint + standard_errors(first) > 0:
                alone = np.concatenate((first, *map(partial(self.borne_out, model), self._again)))
            errors = standard_errors(alone + granted)
            why += f"; {errors:+.1f} where the class hangs on that alone"
            joins = joins or joint + standard_errors(alone) >= _CLEARLY
            joins = joins and errors >= -just
            if standard_errors(first) > joint:
                own, rivals = first + self.rival, self.rivals
        # A rule is simpler than a large mixture; steps on a slope are not, nor is one tree of many.
        power = SIMPLER if fields is not None else 0
        best = max(rivals.values(), key=np.mean)
        weight = float(ndtr(errors + just)) * mean_weight(own - best, power=power)
        if len(model.tested) > 1:  # one attribute is for no population too much
            weight *= _better(own, rivals)
        joins = joins and len(model.boxes) > 1
        return Verdict(fields, scores, joins, weight, errors, granted, why)


def _large(names: Iterable[str]) -> list[str]:
    """Return the names of populations that are not simple; all of them if none is."""
    names = list(names)
    return [name for name in names if name not in SIMPLE] or names


def _better(scores: FloatArray, rivals: Mapping[str, FloatArray]) -> float:
    """Return how likely it is that leaves are better than populations as simple as they are."""
    simple = [own for name, own in rivals.items() if name in SIMPLE]
    if not simple:
        return 1.0
    return float(ndtr(standard_errors(scores - max(simple, key=np.mean))))


def _is_a_rule(model: LeafModel) -> bool:
    """Say whether nearly all people know their class from their leaf: a rule, not a slope."""
    wrong = 1 - float(model.shares @ model.chances.max(axis=1))
    return wrong <= _WRONG * (1 - float(model.patterns.class_shares().max()))


def standard_errors(ahead: FloatArray) -> float:
    """Return by how many of its standard errors a mean is above nothing."""
    return float(ahead.mean() / max(ahead.std(), 1e-12) * np.sqrt(len(ahead)))


def class_log_scores(population: Population, reports: Reports) -> FloatArray:
    """Return the log-probability of the class that each record reports, given its reports."""
    together = population.report_log_likelihoods(reports)
    return together - population.report_log_likelihoods(reports.without_class())
