"""How often a record gets its own value back: as often as the closed form says.

The mean over draws is compared with sum (n_v / n)^2 at five standard errors, an error rate of
6e-7. The twins show that a shuffle that moves too little, and one that moves too much, are caught.
"""

import numpy as np
import pytest

from scumble.entropy import Seeded
from scumble.treatments._shuffle import shuffled_within

DRAWS = 400


def _closed_form(values, groups):
    """The chance that a record gets an equal value, and the mean of this over records."""
    share = np.empty(len(values))
    for group in np.unique(groups):
        rows = groups == group
        _, place, counts = np.unique(values[rows], return_inverse=True, return_counts=True)
        share[rows] = counts[place] / rows.sum()
    return share.mean()


def _off(values, groups, shuffle):
    """By how many standard errors the share of own values is off the closed form."""
    shares = [
        (values[shuffle(groups, Seeded(seed).stream("x"))] == values).mean()
        for seed in range(DRAWS)
    ]
    error = np.std(shares, ddof=1) / np.sqrt(DRAWS)
    return (np.mean(shares) - _closed_form(values, groups)) / error


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    return rng.geometric(0.1, 300), rng.integers(0, 2, 300)


def test_globally(table):
    values, groups = table

    assert abs(_off(values, np.zeros_like(groups), shuffled_within)) < 5


def test_by_class(table):
    assert abs(_off(*table, shuffled_within)) < 5


def test_a_shuffle_that_leaves_a_tenth_in_place_is_caught(table):
    def lazy(groups, stream):
        order = shuffled_within(groups, stream)
        return np.where(stream.uniform(len(groups)) < 0.1, np.arange(len(groups)), order)

    assert _off(*table, lazy) > 5


def test_a_shuffle_that_hardly_ever_gives_the_own_record_back_is_caught():
    """It moves too much, and so tells what a value is not."""

    def restless(groups, stream):
        order = shuffled_within(groups, stream)
        return order if (order != np.arange(len(order))).all() else shuffled_within(groups, stream)

    assert _off(np.arange(12), np.zeros(12, dtype=int), restless) < -5
