from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pytest

from scumble import Categorical, Specification, disguise
from scumble.datasets import make_quest, quest_specification
from scumble.mechanisms import GaussianNoise, grouped
from scumble.mining import _judged
from scumble.mining._judged import judged
from scumble.mining._sureness import sharpened
from scumble.population import MixtureFit, code_reports, fit_population
from scumble.tables import Table

SPEC = quest_specification(GaussianNoise(privacy=0.5))


@dataclass(frozen=True)
class Says:
    """Answers as a population does, taken to some power."""

    population: object
    power: float = 1.0

    def chances(self, codes):
        return sharpened(self.population.class_probabilities(codes), self.power)


@dataclass(frozen=True)
class Rule:
    """Answers by the rule of function 1, and is as sure as it is told."""

    cells: object
    sure: float = 0.999

    def chances(self, codes):
        ages = self.cells.middles[codes[:, 0].astype(int) - 1]
        first = (ages < 40) | (ages >= 60)
        return np.where(np.stack([first, ~first], axis=1), self.sure, 1 - self.sure)


@pytest.fixture(scope="module")
def learned():
    """Return a population of age and class, and records that it has not seen."""
    X, y = make_quest(1, n=24_000, seed=1)
    labels = (y == "B").astype(np.int64)
    reports = code_reports(Table(disguise(X, SPEC, seed=1)), SPEC, names=["age"], labels=labels)
    fit = MixtureFit(components=3, runs=1, most=60)
    return fit_population(reports.some(np.arange(16_000)), fit=fit, seed=1), reports.some(
        np.arange(16_000, 24_000)
    )


def test_a_population_has_the_score_that_is_known_without_draws(learned):
    population, held_out = learned

    found = judged({"own": Says(population)}, [(population, held_out)], seed=1)["own"]

    known = population.report_class_probabilities(held_out)[np.arange(8_000), held_out.labels]
    assert found == pytest.approx(np.log(known), abs=1e-5)


def test_the_rule_wins_over_one_that_is_less_sure_and_one_that_is_wrong(learned):
    population, held_out = learned
    rule = Rule(population.cells[0])
    answers = {"rule": rule, "unsure": replace(rule, sure=0.8), "wrong": replace(rule, sure=0.3)}

    found = judged(answers, [(population, held_out)], seed=1)

    means = {name: own.mean() for name, own in found.items()}
    assert means["rule"] > means["unsure"] + 0.01
    assert means["unsure"] > means["wrong"] + 0.1


def test_a_mean_of_few_draws_is_neither_too_low_nor_too_high(learned, monkeypatch):
    population, held_out = learned
    rule = Rule(population.cells[0])
    exact = _summed(population, held_out, rule).mean()

    found = judged({"rule": rule}, [(population, held_out)], seed=1)["rule"].mean()
    monkeypatch.setattr(_judged, "_MOST_CORRECTED", 0.0)
    biased = judged({"rule": rule}, [(population, held_out)], seed=1)["rule"].mean()

    assert abs(found - exact) < abs(biased - exact) / 2


def test_where_no_record_tells_its_class_nobody_judges(learned):
    population, held_out = learned

    assert judged({"own": Says(population)}, [], seed=1) is None
    assert judged({"own": Says(population)}, [(population, held_out.without_class())]) is None


def test_where_the_class_shares_a_coin_nobody_judges():
    spec = Specification(
        dict.fromkeys(["a", "b", "class"], Categorical(["n", "y"])), class_attribute="class"
    )
    shared = grouped(spec, groups=1, keep=0.7, class_in="group", seed=0)
    table = pa.table(dict.fromkeys(["a", "b", "class"], ["n", "y"] * 50))
    labels = np.tile([0, 1], 50)
    matrix = np.array([[0.7, 0.3], [0.3, 0.7]])
    reports = code_reports(
        Table(disguise(table, shared, seed=1)),
        shared,
        names=["a", "b"],
        labels=labels,
        label_matrix=matrix,
    )
    fit = MixtureFit(components=1, runs=1, paired=True, smooth=True)
    population = fit_population(reports, fit=fit, seed=1)

    assert judged({"own": Says(population)}, [(population, reports)], seed=1) is None


def _summed(population, reports, rule):
    """Return the log-probability of the classes by a rule, summed over the cells of the truth."""
    cells = np.arange(1, len(population.cells[0]) + 1, dtype=np.uint16)[:, None]
    prior = population.weights @ population.shares[0]
    joint = reports.factors[0].by_cell([prior[None]], 0)[:, :, 0]
    behind = joint / joint.sum(axis=0)
    chances = behind.T @ rule.chances(cells)
    return np.log(chances[reports.codes[:, 0], reports.labels])
