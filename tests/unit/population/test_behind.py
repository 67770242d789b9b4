import numpy as np
import pyarrow as pa
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.mechanisms import GaussianNoise, Warner
from scumble.population import MixtureFit, Population, code_reports, draw_truths, fit_population
from scumble.tables import Table


def _answers(n=20_000, seed=1):
    rng = np.random.default_rng(seed)
    one = rng.random(n) < 0.3
    other = np.where(rng.random(n) < 0.9, one, ~one)
    return {name: np.where(column, "y", "n") for name, column in (("a", one), ("b", other))}


def _spec(group):
    return Specification(
        {name: Categorical(["n", "y"], mechanism=Warner(keep=0.7, group=group)) for name in "ab"}
    )


@pytest.mark.parametrize("group", [None, "all"])
def test_draws_are_spread_as_the_population_says(group):
    truth, spec = _answers(), _spec(group)
    table = Table(disguise(pa.table(truth), spec, seed=2))
    reports = code_reports(table, spec, names=["a", "b"])
    population = fit_population(reports, fit=MixtureFit(components=4, runs=1), seed=1)

    codes, _ = draw_truths(population, reports, seed=1)

    same = (truth["a"] == truth["b"]).mean()
    assert (codes[:, 0] == codes[:, 1]).mean() == pytest.approx(same, abs=0.03)
    assert (codes[:, 0] == 2).mean() == pytest.approx(population.marginal("a")[1], abs=0.02)


def test_a_shared_coin_falls_one_way_for_all_its_answers():
    """What agrees in the report agrees in truth, whichever way the coin fell."""
    spec = _spec("all")
    reported = disguise(pa.table(_answers(n=2000)), spec, seed=2)
    reports = code_reports(Table(reported), spec, names=["a", "b"])
    population = fit_population(reports, fit=MixtureFit(components=4, runs=1), seed=1)

    codes, _ = draw_truths(population, reports, seed=1)

    agree = np.asarray(reported["a"]) == np.asarray(reported["b"])
    assert ((codes[:, 0] == codes[:, 1]) == agree).all()


def test_draws_keep_to_their_reports_and_missing_ones_stay_missing():
    spec = Specification({"age": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.1))})
    age = np.random.default_rng(1).uniform(0, 100, 3000)
    age[:100] = np.nan
    table = Table(disguise(pa.table({"age": age}), spec, seed=1))
    reports = code_reports(table, spec, names=["age"])
    population = fit_population(reports, fit=MixtureFit(components=8, runs=1), seed=1)

    codes, _ = draw_truths(population, reports, seed=1)

    assert (codes[:100] == 0).all()
    drawn = population.cells[0].middles[codes[100:, 0] - 1]
    assert np.abs(drawn - age[100:]).mean() < 5


def test_a_disguised_class_is_drawn():
    spec = _spec(None)
    truth = _answers()
    label = (truth["a"] == "y").astype(np.int64)
    rng = np.random.default_rng(5)
    told = np.where(rng.random(len(label)) < 0.2, 1 - label, label)
    matrix = np.array([[0.8, 0.2], [0.2, 0.8]])
    table = Table(disguise(pa.table(truth), spec, seed=2))
    reports = code_reports(table, spec, names=["a", "b"], labels=told, label_matrix=matrix)
    population = fit_population(reports, fit=MixtureFit(components=4, runs=1), seed=1)

    _, classes = draw_truths(population, reports, seed=1)

    assert classes.mean() == pytest.approx(label.mean(), abs=0.03)


def test_a_class_that_the_population_has_lost_is_drawn_as_if_it_were_not_told():
    smoker = Categorical(["no", "yes"], mechanism=Warner(keep=0.9))
    spec = Specification({"smoker": smoker})
    table = Table(pa.table({"smoker": ["yes"] * 3000}))
    labels = np.array([0, 1, 2] * 1000)
    reports = code_reports(table, spec, names=["smoker"], labels=labels)
    known = Population(
        {"smoker": smoker},
        [smoker],
        np.array([0.5, 0.5, 0.0]),
        np.array([0, 1, 2]),
        [np.array([[0.5, 0.5], [0.5, 0.5], [1.0, 0.0]])],
        3,
    )

    codes, classes = draw_truths(known, reports, seed=1)

    lost = labels == 2
    assert set(classes[lost].tolist()) == {0, 1}
    assert (codes[lost] == 2).mean() == pytest.approx(0.9, abs=0.05)
    assert (classes[~lost] == labels[~lost]).all()
