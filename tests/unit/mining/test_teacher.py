from dataclasses import replace

import numpy as np
import pytest

from scumble import disguise
from scumble.datasets import make_quest, quest_specification
from scumble.mechanisms import GaussianNoise
from scumble.mining._teacher import Teacher, teacher_of, with_rules
from scumble.mining._truth_codes import values_of_codes
from scumble.mining.leaves import (
    Box,
    counted,
    finer,
    leaf_chances,
    only,
    start_leaves,
)
from scumble.population import MixtureFit, code_reports, fit_population
from scumble.tables import Table

SPEC = quest_specification(GaussianNoise(privacy=0.5))
NAMES = ["salary", "age"]


@pytest.fixture(scope="module")
def learned():
    """Return reports of 20,000 people, a population of them, and the leaves of function 1."""
    X, y = make_quest(1, n=20_000, seed=1)
    labels = (y == "B").astype(np.int64)
    table = Table(disguise(X, SPEC, seed=1))
    reports = code_reports(table, SPEC, names=NAMES, labels=labels)
    fit = MixtureFit(components=2, runs=1, most=45)
    boxes = [*Box().cut(0, 40.0)[:1], *Box().cut(0, 40.0)[1].cut(0, 60.0)]
    leaves = start_leaves(counted(finer(only(reports, [1]))), boxes).model
    return reports, fit_population(reports, fit=fit, seed=1), leaves


def test_leaves_and_the_others_are_averaged(learned):
    _, population, leaves = learned
    both = with_rules(Teacher(population), leaves)
    codes, _ = both.population.sample(300, seed=2)

    found = both.chances(codes)

    alone = both.population.class_probabilities(codes)
    assert found == pytest.approx((alone + leaf_chances(leaves, both.population, codes)) / 2)


def test_the_taught_are_asked_about_the_cells_that_they_know(learned):
    reports, population, leaves = learned
    plain, _ = teacher_of(population, reports, many=True, seed=1)
    both = with_rules(plain, leaves)
    codes, _ = both.population.sample(300, seed=2)
    whole = np.column_stack([own[column] for own, column in zip(both.wholes, codes.T, strict=True)])

    assert len(plain.taught) == 2
    assert len(both.population.cells[1]) > len(plain.population.cells[1])
    expected = (plain.chances(whole) + leaf_chances(leaves, both.population, codes)) / 2
    assert both.chances(codes) == pytest.approx(expected)


def test_of_many_the_taught_speak_and_of_few_the_population_too(learned):
    reports, population, _ = learned
    many, _ = teacher_of(population, reports, many=True, seed=1)
    few, _ = teacher_of(population, reports.some(np.arange(500)), many=False, seed=1)
    codes, _ = population.sample(300, seed=2)

    (network,) = few.taught

    expected = (population.class_probabilities(codes) + network.chances(codes)) / 2
    assert few.chances(codes) == pytest.approx(expected)
    expected = np.mean([own.chances(codes) for own in many.taught], axis=0)
    assert many.chances(codes) == pytest.approx(expected)


def test_of_few_whose_class_is_disguised_trees_and_the_population_teach_together(learned):
    reports, population, _ = learned
    few = replace(reports.some(np.arange(500)), label_matrix=np.array([[0.9, 0.1], [0.1, 0.9]]))
    teacher, _ = teacher_of(population, few, many=False, seed=1)
    codes, _ = population.sample(300, seed=2)

    (ensemble,) = teacher.taught

    trees = [tree.chances(values_of_codes(codes, population)) for tree in ensemble.trees]
    expected = (population.class_probabilities(codes) + np.mean(trees, axis=0)) / 2
    assert teacher.chances(codes) == pytest.approx(expected)


def test_where_rules_and_others_differ_who_is_surer_decides(learned):
    _, population, leaves = learned
    teacher = Teacher(population, rules=leaves, weight=0.8)
    others = np.array([[0.96, 0.04], [0.7, 0.3], [0.2, 0.8]])
    rules = np.array([[0.1, 0.9], [0.1, 0.9], [0.1, 0.9]])

    told = teacher.average(others, rules)

    np.testing.assert_allclose(told, [[0.53, 0.47], [0.22, 0.78], [0.12, 0.88]])
    np.testing.assert_array_equal(replace(teacher, weight=1.0).average(others, rules), rules)
