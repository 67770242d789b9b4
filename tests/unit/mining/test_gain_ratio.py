"""Gain ratios against Quinlan's figures (1993, chapters 2 and 3) and against plain numpy."""

import numpy as np
import pytest

from scumble.mining._gain_ratio import best_ratios, choose, try_all_values, try_cuts


def _values(cells, *, weight=None, least=1.0):
    found = np.zeros(3)
    cells = np.array(cells, dtype=float)
    valid = try_all_values(cells, float(weight or cells.sum()), least, found)
    return valid, *found[:2]


def _cuts(cells, *, least=1.0):
    found = np.zeros(3)
    cells = np.array(cells, dtype=float)
    valid = try_cuts(cells, float(cells.sum()), least, found)
    return valid, *found


def _entropy(weights):
    shares = np.asarray(weights, dtype=float)
    shares = shares[shares > 0] / shares.sum()
    return -(shares * np.log2(shares)).sum()


def test_the_outlook_of_golf_has_the_published_gain_and_ratio():
    # Missing, overcast, rain, sunny; play and don't.
    _, gain, ratio = _values([[0, 0], [4, 0], [3, 2], [2, 3]])

    assert gain == pytest.approx(0.246, abs=1e-3)
    assert ratio == pytest.approx(0.246 / 1.577, abs=1e-3)


def test_with_an_unknown_outlook_gain_and_ratio_are_the_published_ones():
    _, gain, ratio = _values([[1, 0], [3, 0], [3, 2], [2, 3]])

    assert gain == pytest.approx(0.199, abs=1e-3)
    assert ratio == pytest.approx(0.199 / 1.809, abs=1e-3)


def test_two_branches_must_hold_the_least_weight():
    assert not _values([[0, 0], [9, 9], [1, 0], [0, 1]], least=2.0)[0]
    assert _values([[0, 0], [9, 9], [1, 1], [0, 1]], least=2.0)[0]


def test_the_gain_of_a_cut_is_less_by_the_bits_that_choose_it():
    cells = [[0, 0], [3, 0], [2, 1], [0, 4], [1, 5]]

    valid, gain, ratio, place = _cuts(cells)

    counts = np.array(cells, dtype=float)[1:]
    gains = []
    for cut in range(1, 4):
        parts = counts[:cut].sum(axis=0), counts[cut:].sum(axis=0)
        after = sum(part.sum() * _entropy(part) for part in parts) / 16
        gains.append(_entropy(counts.sum(axis=0)) - after)
    assert valid
    assert place == 1 + int(np.argmax(gains))
    assert gain == pytest.approx(max(gains) - np.log2(3) / 16)
    left = counts[: int(place)].sum()
    assert ratio == pytest.approx(gain / _entropy([left, 16 - left]))


def test_the_missing_lessen_the_gain_of_a_cut_and_are_one_more_branch():
    full = [[0, 0], [8, 0], [0, 8]]
    known, some = _cuts(full), _cuts([[2, 2], *full[1:]])

    # One cut alone: nothing is charged for its choice.
    assert known[1:3] == pytest.approx((1, 1))
    assert some[1] == pytest.approx(16 / 20)
    assert some[2] == pytest.approx(16 / 20 / _entropy([8, 8, 4]))


def test_a_side_of_a_cut_holds_a_tenth_of_an_average_class_but_never_needs_more_than_25():
    def cut_of(n, *, own):
        cells = np.zeros((n + 1, 2))
        cells[1 : own + 1, 0] = 1  # the best cut would part these from all others
        cells[own + 1 :, 1] = 1
        return _cuts(cells)[3]

    assert cut_of(20, own=1) == 1
    assert cut_of(100, own=4) == 5
    assert cut_of(2000, own=20) == 25
    assert cut_of(2000, own=30) == 30


def test_a_cut_that_gains_less_than_its_choice_costs_is_none():
    cells = np.zeros((41, 2))
    cells[1::2, 0], cells[2::2, 1] = 1, 1

    assert not _cuts(cells)[0]


def test_the_greatest_ratio_wins_among_gains_that_are_not_below_the_average():
    found = np.array([[0.5, 0.2, 0], [0.1, 0.9, 0], [0.45, 0.3, 0], [0.45, 0.3, 0]])
    every = np.ones(4, dtype=bool)

    assert choose(every, found, every) == 2
    # What does not count for the average may still be chosen.
    assert choose(every, found, np.array([False, True, False, False])) == 1
    assert choose(np.array([True, True, False, False]), found, every) == 0
    assert choose(~every, found, every) == -1


def test_a_nominal_attribute_gets_a_branch_for_each_value_and_the_missing_take_all():
    counts = np.array([[[1, 0], [4, 0], [3, 2], [2, 3]]], dtype=float)
    totals, gains = np.empty((1, 2)), np.empty(1)
    attribute, ways = np.empty(1, dtype=np.int64), np.empty(1, dtype=np.int64)
    branch, ends = np.zeros((1, 4), dtype=np.int16), np.zeros((1, 2), dtype=np.int64)
    true = np.array([True])

    best_ratios(
        counts, np.array([0, 4]), true, true, 2.0, totals, gains, attribute, branch, ways, ends
    )

    assert attribute[0] == 0
    assert ways[0] == 3
    assert branch[0].tolist() == [-1, 0, 1, 2]
    assert totals[0].tolist() == [10, 5]
