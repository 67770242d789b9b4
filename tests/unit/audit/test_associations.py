import numpy as np
import pytest

from scumble.audit._associations import associations


def test_two_numbers_have_the_correlation_of_numpy():
    first, second = np.random.default_rng(1).normal(size=(2, 200))
    second = second + first

    found = associations([first, second], [True, True])

    assert found == pytest.approx(np.corrcoef(first, second))


def test_what_is_told_by_the_other_has_one():
    code = np.array([0.0, 0, 1, 1, 2, 2])

    found = associations([code, code[::-1].copy(), 3 * code], [False, False, True])

    assert found == pytest.approx(np.ones((3, 3)))


def test_what_has_nothing_to_do_with_the_other_has_none():
    first, second = np.array([0.0, 0, 1, 1]), np.array([0.0, 1, 0, 1])

    for ordered in ([True, True], [False, False], [True, False], [False, True]):
        assert associations([first, second], ordered)[0, 1] == pytest.approx(0, abs=1e-12)


def test_a_constant_and_records_without_both_values_tell_nothing():
    first = np.array([1.0, 1.0, np.nan])
    second = np.array([2.0, 3.0, 4.0])

    assert associations([first, second], [True, True])[0, 1] == 0.0
    assert associations([np.full(3, np.nan), second], [True, True])[0, 1] == 0.0
