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
HALVES = [{0: np.repeat([1.0, 0.0], 50)}, {0: np.repeat([0.0, 1.0], 50)}]
CHANCES = np.array([[0.95, 0.05], [0.1, 0.9]])


def _table(people=20_000):
    """Return reports of people whose class hangs on x, drawn so that classes are of equal size."""
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
def reports():
    return _table()


@pytest.fixture(scope="module")
def population(reports):
    return fit_population(reports, fit=MixtureFit(components=8, runs=1), seed=1)


def _found(population, reports, edge):
    cells = population.cells[0]
    below = (cells.middles < edge).astype(float)
    return ruled(population, [{0: below}, {0: 1 - below}], CHANCES, reports)


def test_the_class_hangs_on_boxes_alone(population, reports):
    found = _found(population, reports, 0.25)
    codes = np.array([[x, colour] for x in (10, 20, 60, 90) for colour in (1, 2)], dtype=np.uint16)

    chances = found.class_probabilities(codes)[:, 1]

    # Whatever else is known of somebody in a box, the class is as likely.
    np.testing.assert_allclose(chances[:4], chances[0], atol=1e-3)
    np.testing.assert_allclose(chances[4:], chances[4], atol=1e-3)
    assert chances[0] < 0.2 < 0.8 < chances[4]


def test_it_has_the_shares_of_the_table_and_its_weights_sum_to_one(population, reports):
    found = _found(population, reports, 0.25)

    np.testing.assert_allclose(found.weights.sum(), 1)
    np.testing.assert_allclose(found.class_shares, [0.5, 0.5], atol=0.02)
    np.testing.assert_allclose(found.marginal("colour"), population.marginal("colour"), atol=0.02)


def test_a_wrong_box_makes_the_classes_of_others_less_likely(population, reports):
    def fit(edge):
        found = _found(population, reports, edge)
        together = found.report_log_likelihoods(reports)
        return (together - found.report_log_likelihoods(reports.without_class())).mean()

    assert fit(0.25) > max(fit(0.1), fit(0.45)) + 0.002


def test_steps_do_not_make_reports_less_likely(population, reports):
    below = (population.cells[0].middles < 0.25).astype(float)
    boxes = [{0: below}, {0: 1 - below}]

    found = [
        ruled(population, boxes, CHANCES, reports, steps=steps)
        .report_log_likelihoods(reports)
        .mean()
        for steps in (0, 2, 8)
    ]

    assert found[0] < found[1] < found[2]
