import numpy as np
import pytest

from scumble.treatments._exposure import exposure_of_groups, exposure_through


def test_who_sees_the_value_knows_it():
    truths = np.array([3, 3, 1, 0])

    found = exposure_of_groups(truths, truths)

    assert (found.identified, found.disclosed, found.group) == (1.0, 4, 1)


def test_who_sees_nothing_guesses_the_most_frequent_value():
    found = exposure_of_groups(np.array([3, 3, 1, 0]), np.zeros(4, dtype=int))

    assert found.identified == found.base == 0.5
    assert (found.disclosed, found.group) == (0, 4)


def test_missing_values_are_no_secret():
    found = exposure_of_groups(np.array([-1, 2, 2, 1]), np.array([0, 1, 1, 1]))

    assert found.group == 3
    assert found.identified == pytest.approx(2 / 3)
    assert exposure_of_groups(np.array([-1, -1]), np.array([0, 0])).group == 0


def test_codes_of_any_size_count_the_same():
    rng = np.random.default_rng(0)
    truths, seen = rng.integers(0, 9, 500), rng.integers(0, 30, 500)

    assert exposure_of_groups(truths, seen) == exposure_of_groups(truths, seen * 10**9 - 5)


def test_through_a_channel_the_guess_is_the_likeliest_value():
    """Two truths, three reports: the first is certain, the last may be both."""
    matrix = np.array([[0.5, 0.0, 0.5], [0.0, 0.4, 0.6]])

    found = exposure_through(np.array([10.0, 90.0]), matrix)

    assert found.identified == pytest.approx((5 + 36 + 54) / 100)
    assert found.disclosed == 41
    assert found.base == 0.9


def test_few_records_that_are_seen_to_have_no_value_stand_out():
    truths = np.array([0, 1] * 10 + [-1, -1])

    seen_to_be_missing = exposure_of_groups(truths, np.where(truths < 0, -1, 0))
    hidden = exposure_of_groups(truths, np.zeros(22, dtype=int))

    assert (seen_to_be_missing.group, hidden.group) == (2, 20)
    assert exposure_through(np.array([9.0, 9.0]), np.full((2, 2), 0.5), missing=3).group == 3


def test_what_is_likely_to_be_certain_of_someone_is_not_rounded_away():
    """Nine records in ten chances: the floor would be none."""
    matrix = np.array([[0.1, 0.9], [0.0, 1.0]])

    assert exposure_through(np.array([9.0, 9.0]), matrix).disclosed == 1
    assert exposure_through(np.array([0.4, 9.0]), matrix).disclosed == 0
