"""Leaves against populations, judged by records that neither has seen."""

import numpy as np
import pandas as pd
import pytest
from rivals import rivals

from scumble.mining._contest import Contest, class_log_scores
from scumble.mining.leaves import only


@pytest.fixture(scope="module")
def contest():
    """Return a contest about people who are of class 1 where x and y are more than 1."""
    rng = np.random.default_rng(7)
    truths = pd.DataFrame(rng.random((12_000, 2)), columns=["x", "y"])
    labels = (truths.sum(axis=1) > 1).to_numpy(dtype=np.int64)
    return Contest(*rivals(truths, labels), [0, 1])


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
