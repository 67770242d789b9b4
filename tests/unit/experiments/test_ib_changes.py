from itertools import permutations, product

import numpy as np
import pytest

from scumble.experiments import change_variance, changes_row
from scumble.treatments import expected_changes

LEAVES = np.array([0, 0, 0, 0, 0, 1, 1])
CLASSES = np.array([0, 0, 0, 1, 1, 1, 1])


def _all_orders():
    for order in permutations(range(5)):
        yield 1, CLASSES[list(order)] != CLASSES[:5]


def _all_draws():
    for order in product(range(5), repeat=5):
        yield 1, CLASSES[list(order)] != CLASSES[:5]


def _all_flips():
    p = expected_changes(LEAVES, CLASSES) / 7
    for flips in product([0, 1], repeat=7):
        yield p ** sum(flips) * (1 - p) ** (7 - sum(flips)), np.array(flips)


@pytest.mark.parametrize(
    ("technique", "outcomes"),
    [("random", _all_orders), ("probabilistic", _all_draws), ("all-leaves", _all_flips)],
)
def test_the_formulas_are_the_moments_over_all_outcomes(technique, outcomes):
    weights, counts = np.array([(weight, changed.sum()) for weight, changed in outcomes()]).T
    mean = np.average(counts, weights=weights)

    assert expected_changes(LEAVES, CLASSES) == pytest.approx(mean)
    assert change_variance(LEAVES, CLASSES, technique=technique) == pytest.approx(
        np.average((counts - mean) ** 2, weights=weights)
    )


def test_leaves_of_one_class_keep_it_unless_noise_falls_everywhere():
    rows = [
        changes_row(LEAVES, CLASSES, technique=technique, draws=300, seed=1)
        for technique in ("random", "probabilistic", "all-leaves")
    ]

    assert [row.homogeneous for row in rows[:2]] == [1, 1]
    assert rows[2].homogeneous < 1


def test_where_no_leaf_is_mixed_nothing_changes_and_nothing_is_said_of_minorities():
    row = changes_row(LEAVES[:3], CLASSES[:3], technique="all-leaves", draws=10, seed=1)

    assert (row.expected, row.mean, row.mean_off, row.variance_off) == (0, 0, 0, 0)
    assert row.homogeneous == 1
    assert np.isnan(row.minority)
    assert np.isnan(row.majority)
