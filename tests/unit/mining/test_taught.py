from dataclasses import replace

import numpy as np
import pytest

from scumble import disguise
from scumble.datasets import make_quest, quest_specification
from scumble.mechanisms import GaussianNoise
from scumble.mining._taught import Average, taught_of_few, taught_of_many
from scumble.population import MixtureFit, code_reports, fit_population
from scumble.tables import Table

SPEC = quest_specification(GaussianNoise(privacy=0.5))
NAMES = ["salary", "commission", "loan"]


@pytest.fixture(scope="module")
def learned():
    """Return people of function 4, whose classes a line parts, and others held out."""
    X, y = make_quest(4, n=24_000, seed=1)
    labels = (y == "B").astype(np.int64)
    reports = code_reports(Table(disguise(X, SPEC, seed=1)), SPEC, names=NAMES, labels=labels)
    rest, held_out = reports.some(np.arange(20_000)), reports.some(np.arange(20_000, 24_000))
    return fit_population(rest, fit=MixtureFit(runs=1, most=60), seed=1), rest, held_out


def _right(answers, population):
    X, y = make_quest(4, n=4_000, seed=2)
    columns = [
        cells.codes(X[name]) + 1 for name, cells in zip(NAMES, population.cells, strict=True)
    ]
    codes = np.column_stack(columns).astype(np.uint16)
    return np.mean(answers.chances(codes).argmax(axis=1) == (y == "B"))


def test_where_a_line_parts_the_classes_who_is_simple_is_heard(learned):
    population, rest, held_out = learned

    (answer,), candidates = taught_of_many(population, rest, [(population, held_out)], seed=1)

    by_name = {own.name: own for own in candidates}
    assert set(by_name) == {"boosted trees", "networks", "straight rule"}
    assert by_name["networks"].chosen
    assert by_name["networks"].why.startswith("weighs ")
    assert _right(answer, population) > 0.96


def test_a_straight_rule_where_classes_turn_twice_is_not_heard(learned):
    population, rest, held_out = learned
    X, _ = make_quest(4, n=24_000, seed=1)
    salary = X["salary"].to_numpy()
    labels = ((salary > 50_000) & (salary < 110_000)).astype(np.int64)
    rest, held_out = (
        replace(rest, labels=labels[:20_000]),
        replace(held_out, labels=labels[20_000:]),
    )
    population = fit_population(rest, fit=MixtureFit(runs=1, most=60), seed=1)

    _, candidates = taught_of_many(population, rest, [(population, held_out)], seed=1)

    found = next(own for own in candidates if own.name == "straight rule")
    assert not found.chosen
    assert found.why == "weighs 0 %"


def test_without_judges_both_are_heard_alike(learned):
    population, rest, _ = learned

    taught, candidates = taught_of_many(population, rest.some(np.arange(5_000)), [], seed=1)

    assert len(taught) == 2
    assert candidates == []


def test_of_few_a_network_is_taught(learned):
    population, rest, _ = learned

    (answer,) = taught_of_few(population, rest.some(np.arange(2_000)), seed=1)

    assert _right(answer, population) > 0.9


def test_where_all_are_of_one_class_nobody_is_taught(learned):
    population, rest, _ = learned
    few = rest.some(np.flatnonzero(rest.labels == 0)[:300])

    assert taught_of_few(population, few, seed=1) == ()
    assert taught_of_many(population, few, [], seed=1) == ((), [])


def test_an_average_has_weights():
    class Sure:
        def __init__(self, own):
            self.own = own

        def chances(self, codes):
            return np.eye(2)[np.full(len(codes), self.own)]

    both = Average([Sure(0), Sure(1)], [1, 3])

    assert both.chances(np.ones((1, 1), np.uint16)).tolist() == [[0.25, 0.75]]
