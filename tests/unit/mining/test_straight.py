from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.mechanisms import (
    GaussianNoise,
    RandomizedResponse,
    SquareWave,
    UniformNoise,
    ValueClasses,
)
from scumble.mining._straight import straight
from scumble.population import MixtureFit, code_reports, draw_truths, fit_population
from scumble.tables import Table

N = 20_000


def _learned(*mechanisms, classes=2, holes=0.0, low=0, width=1, seed=1):
    """Return a population, reports, truths, and the classes: where the sum of truths lies."""
    rng = np.random.default_rng(seed)
    attributes = {
        f"a{j}": Numeric(low, low + width, mechanism=own) for j, own in enumerate(mechanisms)
    }
    truths = {name: low + width * rng.beta(2, 3, N) for name in attributes}
    spec = Specification(attributes)
    total = sum(truths.values())
    labels = np.searchsorted(np.quantile(total, np.arange(1, classes) / classes), total)
    told = disguise(pa.table(truths), spec, seed=seed)
    if holes:
        lost = rng.random(N) < holes
        told = told.set_column(0, "a0", pa.array(told["a0"].to_numpy(), mask=lost))
    reports = code_reports(Table(told), spec, names=list(truths), labels=labels.astype(np.int64))
    population = fit_population(reports, fit=MixtureFit(components=4, runs=1, most=20), seed=1)
    return population, reports, np.column_stack(list(truths.values())), labels


def _right(found, population, truths, labels):
    columns = [cells.codes(own) + 1 for cells, own in zip(population.cells, truths.T, strict=True)]
    chances = found.chances(np.column_stack(columns).astype(np.uint16))
    assert chances.sum(axis=1) == pytest.approx(1)
    return np.mean(chances.argmax(axis=1) == labels)


def _fitted(population, reports):
    return straight(population, reports, [draw_truths(population, reports, seed=1)])


@pytest.mark.parametrize(
    ("mechanism", "least"),
    [
        (GaussianNoise(privacy=1), 0.97),
        (UniformNoise(privacy=1), 0.97),
        (SquareWave(epsilon=2), 0.95),
        (None, 0.98),
    ],
)
def test_it_finds_a_slope_behind_noise(mechanism, least):
    population, reports, truths, labels = _learned(mechanism, mechanism)

    assert _right(_fitted(population, reports), population, truths, labels) > least


def test_noise_is_taken_out_of_the_variances():
    """Where one number is noisier, what is reported of it must not count for less."""
    much, little = GaussianNoise(privacy=1.5), GaussianNoise(privacy=0.25)
    population, reports, _, _ = _learned(much, little)

    tables = _fitted(population, reports).tables

    steps = [np.diff(own[1:, 0]).mean() for own in tables]
    assert steps[0] == pytest.approx(steps[1], rel=0.15)


@pytest.mark.parametrize(("low", "width"), [(0, 1e-6), (1.7e9, 1)])
def test_where_numbers_lie_and_how_small_they_are_makes_no_difference(low, width):
    plain = _learned(*[GaussianNoise(privacy=1)] * 2)
    moved = _learned(*[GaussianNoise(privacy=1)] * 2, low=low, width=width)

    for population, reports, truths, labels in (plain, moved):
        assert _right(_fitted(population, reports), population, truths, labels) > 0.97


def test_of_more_classes_than_numbers_there_are_as_many_directions_as_numbers():
    population, reports, _, _ = _learned(*[GaussianNoise(privacy=0.25)] * 2, classes=12)

    assert _fitted(population, reports).tables[0].shape[1] == 2


def test_of_several_classes_there_is_a_direction_for_each_but_one():
    population, reports, truths, labels = _learned(*[GaussianNoise(privacy=0.25)] * 2, classes=3)

    found = _fitted(population, reports)

    assert found.tables[0].shape[1] == 2
    assert _right(found, population, truths, labels) > 0.85


def test_a_missing_value_lies_where_the_mean_does():
    population, reports, truths, labels = _learned(*[GaussianNoise(privacy=0.5)] * 2, holes=0.3)

    found = _fitted(population, reports)

    assert not found.tables[0][0].any()
    assert _right(found, population, truths, labels) > 0.95


@pytest.mark.parametrize("mechanisms", [[GaussianNoise(privacy=1)], [ValueClasses(count=2)] * 2])
def test_there_is_none_of_fewer_than_two_numbers_that_reports_follow(mechanisms):
    population, reports, _, _ = _learned(*mechanisms)

    assert _fitted(population, reports) is None


def test_there_is_none_of_a_class_that_is_disguised():
    population, reports, _, _ = _learned(*[GaussianNoise(privacy=1)] * 2)
    disguised = replace(reports, label_matrix=np.array([[0.8, 0.2], [0.2, 0.8]]))

    assert _fitted(population, disguised) is None


def test_categories_are_left_to_others():
    rng = np.random.default_rng(3)
    kind = Categorical(["x", "y", "z"], mechanism=RandomizedResponse(keep=0.7))
    number = Numeric(0, 1, mechanism=GaussianNoise(privacy=0.5))
    spec = Specification({"kind": kind, "a": number, "b": number})
    truths = pa.table(
        {"kind": rng.choice(["x", "y", "z"], N), "a": rng.random(N), "b": rng.random(N)}
    )
    labels = (truths["a"].to_numpy() > truths["b"].to_numpy()).astype(np.int64)
    told = disguise(truths, spec, seed=1)
    reports = code_reports(Table(told), spec, names=["kind", "a", "b"], labels=labels)
    population = fit_population(reports, fit=MixtureFit(components=4, runs=1, most=20), seed=1)

    tables = _fitted(population, reports).tables

    assert not tables[0].any()
    assert tables[1].any()
    assert tables[2].any()
