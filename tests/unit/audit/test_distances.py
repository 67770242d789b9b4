import numpy as np
import pytest
from scipy.stats import ks_2samp, wasserstein_distance

from scumble.audit._distances import Weighted, distances


def _apart(first, second, *, ordered=True):
    return distances(Weighted.of(first), Weighted.of(second), ordered=ordered)


def test_numbers_agree_with_scipy():
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=700), np.round(rng.normal(0.3, 2, 400), 1)

    found = _apart(first, second)

    expected = wasserstein_distance(first, second) / np.ptp(first)
    assert found.wasserstein == pytest.approx(expected, rel=1e-9)
    assert found.kolmogorov_smirnov == pytest.approx(ks_2samp(first, second).statistic, rel=1e-9)


def test_a_shift_moves_everyone_by_as_much():
    values = np.linspace(0, 10, 1001)

    found = _apart(values, values + 1)

    assert found.wasserstein == pytest.approx(0.1)
    assert found.kolmogorov_smirnov == pytest.approx(0.1, abs=0.001)


def test_the_same_values_in_another_order_are_no_distance_apart():
    values = np.random.default_rng(1).normal(size=5000)

    found = _apart(values, values[::-1])

    assert (found.total_variation, found.wasserstein, found.kolmogorov_smirnov) == (0, 0, 0)


def test_values_outside_the_range_of_the_truth_are_cells_of_their_own():
    assert _apart(np.array([0.0, 1.0]), np.array([-5.0, 7.0])).total_variation == 1.0
    assert _apart(np.array([0.0, 1.0]), np.array([1.0, 7.0])).total_variation == 0.5


def test_categories_move_by_their_shares():
    found = _apart(np.array([0.0, 0, 1, 1]), np.array([0.0, 2, 1, 1]), ordered=False)

    assert found.total_variation == 0.25
    assert found.wasserstein is None


def test_a_single_value_has_no_range():
    assert _apart(np.ones(3), np.ones(2)).wasserstein == 0.0
    assert _apart(np.ones(3), np.zeros(2)).wasserstein == np.inf


def test_no_values_are_no_distance():
    assert _apart(np.array([np.nan]), np.ones(2)) is None
