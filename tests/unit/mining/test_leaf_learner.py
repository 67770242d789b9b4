"""Leaves that compete with populations."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_moons

from scumble import Numeric, Specification, disguise
from scumble.mechanisms import UniformNoise
from scumble.mining._leaf_learner import _Contest, class_log_scores, learn_leaves
from scumble.mining.leaves import only
from scumble.population import MixtureFit, code_reports, fit_population
from scumble.tables import Table

NOISY = Numeric(0, 1, mechanism=UniformNoise(privacy=0.5))
SPEC = Specification({"x": NOISY, "y": NOISY})


def _rivals(truths, labels):
    """Return records to learn from, others to compare by, and a population that competes."""
    table = Table(disguise(truths, SPEC, seed=8))
    reports = code_reports(table, SPEC, names=["x", "y"], labels=labels, label_matrix=np.eye(2))
    training, held_out = (reports.some(np.arange(k, len(labels), 2)) for k in (0, 1))
    population = fit_population(training, fit=MixtureFit(components=8, runs=1), seed=9)
    return training, held_out, {"mixture": (population, class_log_scores(population, held_out))}


@pytest.fixture(scope="module")
def contest():
    """Return a contest about people who are of class 1 where x and y are more than 1."""
    rng = np.random.default_rng(7)
    truths = pd.DataFrame(rng.random((12_000, 2)), columns=["x", "y"])
    labels = (truths.sum(axis=1) > 1).to_numpy(dtype=np.int64)
    return _Contest(*_rivals(truths, labels), [0, 1])


class _Rule:
    """Who says class 1 where a sum of truths is more than some number."""

    def __init__(self, of_x, of_y, number):
        self.of_x, self.of_y, self.number = of_x, of_y, number

    def chances_of(self, population, codes):
        x, y = (cells.middles[codes[:, j] - 1] for j, cells in enumerate(population.cells))
        said = self.of_x * x + self.of_y * y > self.number
        return np.where(said[:, None], [0.02, 0.98], [0.98, 0.02])


def test_a_rule_that_knows_too_little_is_found_out_by_all_reports(contest):
    of_x = contest.population.only(["x"])
    scores = class_log_scores(of_x, only(contest.held_out, [0]))

    ahead = contest.given_all(_Rule(1, 0, 0.5), scores, seed=1, workers=1)

    assert ahead.errors < -5
    assert ahead.chance < 0.01


def test_the_true_rule_is_not(contest):
    ahead = contest.given_all(_Rule(1, 1, 1), contest.rival, seed=1, workers=1)

    assert ahead.errors > -1
    assert ahead.chance > 0.15


def test_rules_of_one_attribute_do_not_have_their_way_where_two_decide():
    """Two half moons: the attributes depend on each other within the classes."""
    truths, labels = make_moons(10_000, noise=0.15, random_state=4)
    low, high = truths.min(axis=0), truths.max(axis=0)
    truths = pd.DataFrame((truths - low) / (high - low), columns=["x", "y"])

    leaves = learn_leaves(*_rivals(truths, labels), seed=1)

    # Else they would, with 84 % instead of 95: at what they know they are ahead.
    assert len(leaves.model.reports.attributes) == 1
    assert not leaves.joins


def test_a_rule_is_found_though_another_attribute_hangs_on_what_it_tests():
    rng = np.random.default_rng(7)
    x = rng.random(20_000)
    # So little that it might come from the class, but leaves that know both are contradicted.
    y = np.where(rng.random(20_000) < 0.2, x, rng.random(20_000))
    labels = ((x < 0.4) | (x >= 0.6)).astype(np.int64)

    leaves = learn_leaves(*_rivals(pd.DataFrame({"x": x, "y": y}), labels), seed=1)

    assert leaves.joins
    assert list(leaves.model.reports.attributes) == ["x"]
    found = sorted({end for box in leaves.model.boxes for end in box.bounds[0]})
    np.testing.assert_allclose(found, [-np.inf, 0.4, 0.6, np.inf], atol=0.02)
