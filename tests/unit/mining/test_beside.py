"""Rules beside those who were taught."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from scumble import disguise
from scumble.datasets import make_quest, quest_specification
from scumble.mechanisms import GaussianNoise
from scumble.mining._beside import beside
from scumble.mining._leaf_learner import LeafLearner
from scumble.mining.leaves import Box, counted, finer, start_leaves
from scumble.population import MixtureFit, code_reports, fit_population
from scumble.tables import Table

SPEC = quest_specification(GaussianNoise(privacy=1.0))


@dataclass(frozen=True)
class Says:
    """Answers as a population does."""

    population: object

    def chances(self, codes):
        return self.population.class_probabilities(codes)


@pytest.fixture(scope="module")
def learned():
    """Return records of age and class to learn from, a population of them, and records held out."""
    X, y = make_quest(1, n=24_000, seed=1)
    labels = (y == "B").astype(np.int64)
    reports = code_reports(Table(disguise(X, SPEC, seed=1)), SPEC, names=["age"], labels=labels)
    own, held_out = reports.some(np.arange(16_000)), reports.some(np.arange(16_000, 24_000))
    return own, fit_population(own, fit=MixtureFit(components=3, runs=1), seed=1), held_out


def _learner(own, low, high):
    """Return leaves fitted to the records, and then cut where they are told to be."""
    model = start_leaves(counted(finer(own)), _boxes(40, 60)).model
    model = replace(model, boxes=tuple(_boxes(low, high)))
    return LeafLearner(model, None, None, np.empty(0), True, 0.9, 0.0, 0.0, "")


def _boxes(low, high):
    below, rest = Box().cut(0, low)
    return [below, *rest.cut(0, high)]


def test_a_right_rule_keeps_its_weight_and_a_wrong_one_loses_it(learned):
    """In 13 tables the right one was 2.5 standard errors behind at the worst, wrong ones 39."""
    own, population, held_out = learned
    judges = [(population, held_out)]

    right, ahead = beside(_learner(own, 40, 60), Says(population), judges, seed=1)
    wrong, behind = beside(_learner(own, 49, 51), Says(population), judges, seed=1)

    assert right > 0.8
    assert wrong < 0.05
    assert ahead > -2.5 > -4 > behind


def test_what_is_granted_counts_for_the_rule(learned):
    own, population, held_out = learned
    learner = _learner(own, 46, 54)
    judges = [(population, held_out)]

    strict, behind = beside(learner, Says(population), judges, seed=1)
    mild, ahead = beside(replace(learner, granted=0.01), Says(population), judges, seed=1)

    assert mild >= strict
    assert ahead > behind


def test_where_nobody_can_judge_rules_keep_their_weight(learned):
    own, population, held_out = learned
    nobody = replace(held_out, labels=np.full(len(held_out), -1))

    assert beside(_learner(own, 40, 60), Says(population), [(population, nobody)]) == (1.0, 0.0)
