import numpy as np
import pyarrow as pa
import pytest

from scumble import DisguisedForestClassifier, Numeric, Specification, disguise
from scumble.datasets import make_quest, quest_specification
from scumble.mechanisms import GaussianNoise
from scumble.mining._sureness import sharpened, sureness_of, with_chances
from scumble.mining._tree import Tree
from scumble.population import MixtureFit, code_reports, fit_population
from scumble.tables import Table

SPEC = quest_specification(GaussianNoise(privacy=0.5))


def _tree():
    """Return the tree of function 1: B from 40 to below 60."""
    return Tree(
        {"age": SPEC["age"]},
        np.array(["A", "B"]),
        attribute=np.array([0, -1, 0, -1, -1]),
        child=np.array([1, -1, 3, -1, -1]),
        ways=np.array([2, 0, 2, 0, 0]),
        threshold=np.array([40.0, np.nan, 60.0, np.nan, np.nan]),
        branches={},
        missing=np.zeros(5, dtype=np.int64),
        counts=np.array([[20.0, 10], [10, 0], [10, 10], [0, 10], [10, 0]]),
    )


@pytest.fixture(scope="module")
def judged():
    """Return a population of the ages of 10,000 people, and reports of as many others."""
    X, y = make_quest(1, n=20_000, seed=1)
    labels = (y == "B").astype(np.int64)
    reports = code_reports(Table(disguise(X, SPEC, seed=1)), SPEC, names=["age"], labels=labels)
    fit = MixtureFit(components=8, runs=1, most=60)
    population = fit_population(reports.some(np.arange(10_000)), fit=fit, seed=1)
    return population, reports.some(np.arange(10_000, 20_000))


def _draws(seed=0):
    ages = np.random.default_rng(seed).uniform(20, 80, 5_000)
    return ages, _tree().leaves(ages[:, None])


@pytest.mark.parametrize("said", [0.7, 0.9])
def test_who_says_too_little_may_be_surer(judged, said):
    ages, leaves = _draws()
    old = (ages >= 40) & (ages < 60)
    chances = np.where(old, said, 1 - said)[:, None] * [-1, 1] + [1, 0]

    sureness = sureness_of(_tree(), leaves, chances, [judged])

    assert sharpened(chances, sureness).max(axis=1).mean() > 0.95


def test_who_is_surer_than_right_becomes_less_sure(judged):
    ages, leaves = _draws()
    wrong = np.random.default_rng(1).random(len(ages)) < 0.5
    old = ((ages >= 40) & (ages < 60)) ^ (wrong & (ages >= 60))
    chances = np.where(old, 0.9999, 0.0001)[:, None] * [-1, 1] + [1, 0]

    assert sureness_of(_tree(), leaves, chances, [judged]) < 1.3


def test_where_nobody_judges_all_stays(judged):
    _, leaves = _draws()
    chances = np.full((len(leaves), 2), 0.5)

    assert sureness_of(_tree(), leaves, chances, []) == 1


def test_the_answer_never_changes():
    chances = np.random.default_rng(0).dirichlet(np.ones(4), 500)

    for power in (0.4, 1.0, 3.0):
        found = sharpened(chances, power)
        assert found.sum(axis=1) == pytest.approx(1)
        assert (found.argmax(axis=1) == chances.argmax(axis=1)).all()


def test_leaves_say_the_mean_of_their_draws_and_weigh_what_they_did():
    ages, leaves = _draws()
    chances = np.column_stack((ages / 100, 1 - ages / 100))
    tree = _tree()

    found = with_chances(tree, leaves, chances)

    for leaf in (1, 3, 4):
        assert found.probabilities[leaf] == pytest.approx(chances[leaves == leaf].mean(axis=0))
    assert found.weights[[1, 3, 4]] == pytest.approx(tree.weights[[1, 3, 4]])
    assert found.counts[0] == pytest.approx(found.counts[[1, 3, 4]].sum(axis=0))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_slope_is_not_taken_for_a_blurred_jump(seed):
    """The population of a smooth law is as sure as it may be: the power stays near one."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 100, (6_000, 2))
    chance = 1 / (1 + np.exp(-(x[:, 0] - 50) / 15 - (x[:, 1] - 50) / 25))
    noise = GaussianNoise(privacy=0.5)
    spec = Specification({name: Numeric(0, 100, mechanism=noise) for name in ("a", "b")})
    reports = disguise(pa.table({"a": x[:, 0], "b": x[:, 1]}), spec, seed=seed)

    forest = DisguisedForestClassifier(spec, random_state=seed)
    forest.fit(reports, rng.random(6_000) < chance)

    assert 0.8 < forest._teacher.sureness < 1.25
