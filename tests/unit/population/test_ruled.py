"""Populations whose class hangs on boxes of truths alone."""

import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.mechanisms import GaussianNoise, RandomizedResponse
from scumble.population import MixtureFit, code_reports, fit_population, ruled
from scumble.tables import Table

SPEC = Specification(
    {
        "x": Numeric(0, 1, mechanism=GaussianNoise(privacy=0.5)),
        "colour": Categorical(["red", "green"], mechanism=RandomizedResponse(keep=0.8)),
    }
)
NAMES = list(SPEC)
CHANCES = np.array([[0.95, 0.05], [0.1, 0.9]])
# People are of these classes so often; in the table both are alike.
SCALES = 0.5 / np.array([0.25 * 0.95 + 0.75 * 0.1, 0.25 * 0.05 + 0.75 * 0.9])


@pytest.fixture(scope="module")
def reports():
    """Return reports of people whose class hangs on x, drawn so that classes are of equal size."""
    people = 20_000
    rng = np.random.default_rng(3)
    x = rng.random(4 * people)
    of_class = (rng.random(4 * people) > np.where(x < 0.25, 0.95, 0.1)).astype(np.int64)
    kept = np.concatenate([np.flatnonzero(of_class == c)[: people // 2] for c in (0, 1)])
    x, of_class = x[kept], of_class[kept]
    # The other attribute hangs on x, and on the class only by that.
    green = rng.random(people) < 0.2 + 0.6 * x
    truths = pd.DataFrame({"x": x, "colour": np.where(green, "green", "red")})
    table = Table(disguise(truths, SPEC, seed=4))
    return code_reports(table, SPEC, names=NAMES, labels=of_class)


@pytest.fixture(scope="module")
def population(reports):
    return fit_population(reports, fit=MixtureFit(components=8, runs=1), seed=1)


def _found(population, edge=0.25, **known):
    below = (population.cells[0].middles < edge).astype(float)
    return ruled(population, [{0: below}, {0: 1 - below}], CHANCES, **known)


def test_the_class_hangs_on_boxes_alone(population):
    codes = np.array([[x, colour] for x in (10, 20, 60, 90) for colour in (1, 2)], dtype=np.uint16)

    chances = _found(population, scales=SCALES).class_probabilities(codes)[:, 1]

    # Whatever else is known of somebody in a box, the class is as likely.
    np.testing.assert_allclose(chances[:4], chances[0], atol=1e-3)
    np.testing.assert_allclose(chances[4:], chances[4], atol=1e-3)
    assert chances[0] < 0.2 < 0.8 < chances[4]


def test_it_has_the_shares_of_the_table_and_its_weights_sum_to_one(population):
    found = _found(population, scales=SCALES)

    np.testing.assert_allclose(found.weights.sum(), 1)
    np.testing.assert_allclose(found.class_shares, population.class_shares, atol=1e-3)
    np.testing.assert_allclose(found.marginal("colour"), population.marginal("colour"), atol=0.02)


def test_a_wrong_box_makes_the_classes_of_others_less_likely(population, reports):
    def fit(edge):
        found = _found(population, edge, scales=SCALES)
        together = found.report_log_likelihoods(reports)
        return (together - found.report_log_likelihoods(reports.without_class())).mean()

    assert fit(0.25) > max(fit(0.1), fit(0.45)) + 0.002


def test_what_is_known_of_all_people_is_what_they_are(population):
    flat, few = np.full(100, 0.01), np.array([0.3, 0.7])

    found = ruled(population, [{}], np.array([[0.5, 0.5]]), marginals={0: flat, 1: few})

    np.testing.assert_allclose(found.marginal("x"), flat, atol=1e-3)
    np.testing.assert_allclose(found.marginal("colour"), few, atol=1e-3)


def test_how_attributes_hang_together_stays(population):
    wanted = np.array([0.3, 0.7])
    anyone = [{}], np.array([[0.5, 0.5]])

    def odds(found):
        low, high = (found.weights * own @ found.shares[1] for own in found.shares[0].T[[10, 90]])
        return low[0] * high[1] / (low[1] * high[0])

    before, after = ruled(population, *anyone), ruled(population, *anyone, marginals={1: wanted})

    assert odds(before) > 2
    np.testing.assert_allclose(odds(after), odds(before), rtol=0.01)


def test_a_small_box_keeps_its_people(population):
    few = np.zeros(100)
    few[40] = 0.05

    found = ruled(population, [{0: few}, {0: 1 - few}], np.full((2, 2), 0.5))

    np.testing.assert_allclose(found.marginal("x")[40], population.marginal("x")[40], rtol=0.01)
