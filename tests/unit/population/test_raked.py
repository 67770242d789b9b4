"""Populations whose attributes are spread otherwise."""

import numpy as np
import pytest

from scumble import Categorical
from scumble.population import Population, raked
from scumble.population._raked import raked_people

CELLS = [Categorical([1, 2, 3]), Categorical(["no", "yes"])]
SHARES = [np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]]), np.array([[0.9, 0.1], [0.2, 0.8]])]
PEOPLE = Population(
    dict(zip("xy", CELLS, strict=True)), CELLS, np.array([0.4, 0.6]), np.array([0, 1]), SHARES, 2
)
WANTED = {0: np.array([0.5, 0.25, 0.25]), 1: np.array([0.35, 0.65])}


def _joint(population):
    """Return P(x, y, class)."""
    parts = [
        weight * np.einsum("x,y,c->xyc", x, y, np.eye(2)[c])
        for weight, c, x, y in zip(
            population.weights, population.classes, *population.shares, strict=True
        )
    ]
    return np.sum(parts, axis=0)


def test_attributes_are_spread_as_is_wanted():
    found = raked(PEOPLE, WANTED)

    # The last is met, and the one before it nearly.
    np.testing.assert_allclose(found.marginal("y"), WANTED[1], atol=1e-12)
    np.testing.assert_allclose(found.marginal("x"), WANTED[0], atol=1e-2)
    assert found.weights.sum() == pytest.approx(1)


def test_how_they_hang_together_stays():
    """Each cell is multiplied by a factor of x and one of y, whatever the class."""
    ratio = _joint(raked(PEOPLE, WANTED)) / _joint(PEOPLE)

    np.testing.assert_allclose(ratio[..., 0], ratio[..., 1])
    np.testing.assert_allclose(ratio / ratio[:1], np.broadcast_to((ratio / ratio[:1])[:, :1],
                                                                 ratio.shape))  # fmt: skip


def test_of_a_table_all_people_are_spread_as_is_wanted():
    scales = np.array([3.0, 0.5])

    people, table = raked_people(PEOPLE, WANTED, scales), raked(PEOPLE, WANTED, scales=scales)

    np.testing.assert_allclose(people.marginal("y"), WANTED[1], atol=1e-12)
    wanted = _joint(people) * scales
    np.testing.assert_allclose(_joint(table), wanted / wanted.sum())
    # What nothing is asked of stays as it was.
    np.testing.assert_allclose(_joint(raked(PEOPLE, {}, scales=scales)), _joint(PEOPLE))
