import numpy as np
import pytest

from scumble import Categorical, Numeric
from scumble.mining._network import network
from scumble.population import Population


def _population(cells, shares, classes=2):
    """Return a population of one component for each class, the same in all."""
    attributes = {f"a{j}": own for j, own in enumerate(cells)}
    cells = [own.cells(50) if isinstance(own, Numeric) else own for own in cells]
    return Population(
        attributes,
        cells,
        np.full(classes, 1 / classes),
        np.arange(classes),
        [np.tile(own, (classes, 1)) for own in shares],
        classes,
    )


@pytest.fixture(scope="module")
def diagonal():
    """Return a population of two numbers, and draws whose class is which is larger."""
    number = Numeric(0, 1)
    population = _population([number, number], [np.full(50, 0.02)] * 2)
    codes, _ = population.sample(4_000, seed=1)
    return population, codes, (codes[:, 0] > codes[:, 1]).astype(np.int64)


def test_it_finds_a_slope(diagonal):
    population, codes, classes = diagonal
    fresh, _ = population.sample(4_000, seed=2)

    found = network(population, [(codes, classes)], seed=1).chances(fresh)

    assert found.sum(axis=1) == pytest.approx(1)
    assert np.mean(found.argmax(axis=1) == (fresh[:, 0] > fresh[:, 1])) > 0.97


def test_a_seed_makes_it_repeatable(diagonal):
    population, codes, classes = diagonal

    one, two, other = (
        network(population, [(codes, classes)], seed=own).chances(codes) for own in (5, 5, 6)
    )

    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_a_missing_truth_counts_as_the_mean(diagonal):
    population, codes, classes = diagonal

    tables = network(population, [(codes, classes)], seed=1).tables

    for table, shares in zip(tables, population.shares, strict=True):
        assert not table[0].any()
        assert (population.weights @ shares) @ table[1:] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("values", [6, 300])
def test_it_learns_the_class_of_each_value_of_a_category(values):
    answer = Categorical([f"v{k}" for k in range(values)])
    population = _population([answer], [np.full(values, 1 / values)])
    rng = np.random.default_rng(3)
    odd = rng.random(values) < 0.5
    shares = [(np.where(odd == c, 2.0, 0.0) + 0.1) for c in (0, 1)]
    population = Population(
        population.attributes,
        population.cells,
        population.weights,
        population.classes,
        [np.stack([own / own.sum() for own in shares])],
        2,
    )
    codes, classes = population.sample(5_000, seed=1)

    found = network(population, [(codes, classes)], seed=1)

    told = found.chances(np.arange(1, values + 1, dtype=np.uint16)[:, None])
    assert np.mean(told.argmax(axis=1) == odd) > 0.99
    assert found.tables[0].shape[1] == (values if values <= 50 else 2)


def test_a_class_that_no_draw_has_keeps_its_place(diagonal):
    _, codes, classes = diagonal
    three = _population([Numeric(0, 1)] * 2, [np.full(50, 0.02)] * 2, classes=3)

    found = network(three, [(codes, 2 * classes)], seed=1).chances(codes)

    assert found.shape == (len(codes), 3)
    assert np.mean(found.argmax(axis=1) == 2 * classes) > 0.95


def test_a_value_that_nobody_has_counts_as_missing():
    values = 100
    answer = Categorical([f"v{k}" for k in range(values)])
    shares = np.zeros((2, values))
    shares[0, :40], shares[1, 20:60] = 1 / 40, 1 / 40
    population = Population({"a": answer}, [answer], np.full(2, 0.5), np.arange(2), [shares], 2)
    codes, classes = population.sample(500, seed=1)

    (table,) = network(population, [(codes, classes)], seed=1).tables

    assert table[61:] == pytest.approx(0, abs=1e-3)
    assert abs(table[1:41]).max() > 0.5


def test_numbers_that_hardly_occur_are_not_too_far():
    shares = np.full(50, 1e-9)
    shares[10] = 1
    population = _population([Numeric(0, 1e6), Numeric(0, 1)], [shares, np.full(50, 0.02)])
    codes, classes = population.sample(500, seed=1)

    table, _ = network(population, [(codes, classes)], seed=1).tables

    assert abs(table).max() == 5
