import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scumble import Numeric
from scumble.mining._cuts import cuts_of_cells, cuts_of_values, ordered_cells


def test_each_distinct_value_has_a_cell_and_edges_lie_half_way():
    cuts = cuts_of_values(np.array([3.0, 1.0, 1.0, 7.0]))

    assert cuts.lower.tolist() == cuts.upper.tolist() == [1, 3, 7]
    assert cuts.edges.tolist() == [2, 5]


def test_many_values_fall_into_equally_full_cells():
    values = np.random.default_rng(1).exponential(size=50_000)

    cuts = cuts_of_values(values, most=100)

    counts = np.bincount(cuts.codes(values), minlength=101)[1:]
    assert len(cuts) == 100
    assert counts.min() >= 400
    assert counts.max() <= 600


def test_a_frequent_value_among_many_keeps_its_cell():
    values = np.append(np.zeros(50_000), np.random.default_rng(1).random(50_000))

    cuts = cuts_of_values(values, most=100)

    assert cuts.upper[0] == 0


def test_weights_decide_how_full_a_cell_is():
    values = np.arange(10_000.0)
    weights = np.where(values < 1000, 9.0, 1.0)

    cuts = cuts_of_values(values, weights=weights, most=100)

    assert 45 <= int(np.count_nonzero(cuts.upper < 1000)) <= 55


def test_missing_values_have_no_cell():
    cuts = cuts_of_values(np.array([np.nan, 2.0, np.nan]))

    assert len(cuts) == 1
    assert cuts.codes(np.array([np.nan, 2.0])).tolist() == [0, 1]


def test_a_column_without_values_has_no_cells():
    cuts = cuts_of_values(np.array([np.nan, np.nan]))

    assert len(cuts) == 0
    assert cuts.codes(np.array([np.nan])).tolist() == [0]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=30))
def test_a_threshold_parts_the_values_as_their_cells_do(values):
    values = np.array(values)
    cuts = cuts_of_values(values)
    codes = cuts.codes(values)
    present = np.unique(codes)

    for left, right in itertools.pairwise(present):
        below = values < cuts.threshold(int(left), int(right))
        assert (below == (codes <= left)).all()


def test_neighbouring_floats_are_parted():
    low = 1.0
    high = np.nextafter(low, 2)
    cuts = cuts_of_values(np.array([low, high]))

    assert low < cuts.threshold(1, 2) <= high


def test_a_gap_is_cut_in_its_middle():
    cuts = cuts_of_values(np.array([0.0, 1.0, 2.0, 10.0]))

    assert cuts.threshold(1, 4) == 5.0


def test_past_the_last_cell_every_known_value_lies_below():
    assert cuts_of_values(np.array([0.0, 1.0])).threshold(2, 3) == np.inf


def test_intervals_of_a_domain_are_cut_at_their_ends():
    cuts = cuts_of_cells(Numeric(20, 80).cells(6))

    assert [cuts.threshold(k, k + 1) for k in range(1, 6)] == [30, 40, 50, 60, 70]


def test_whole_numbers_are_cut_half_way():
    cuts = cuts_of_cells(Numeric(0, 4, step=1).cells())

    assert cuts.threshold(2, 3) == 1.5


def test_an_atom_lies_on_the_lower_side_of_the_interval_that_it_begins():
    cuts = cuts_of_cells(ordered_cells(Numeric(0, 10, atoms=[0]), 2))

    threshold = cuts.threshold(1, 2)

    assert 0 < threshold < 1e-300


@pytest.mark.parametrize("atom", [0.0, 3.0, 5.0, 10.0])
def test_cells_with_an_atom_are_ordered_by_value(atom):
    cells = ordered_cells(Numeric(0, 10, atoms=[atom]), 2)
    values = np.sort(np.append(np.linspace(0, 10, 41), atom))

    assert (np.diff(cells.codes(values)) >= 0).all()
    assert (cuts_of_cells(cells).codes(values) == cells.codes(values) + 1).all()


def test_a_long_column_is_cut_by_a_sample():
    values = np.arange(1_000_000.0)

    cuts = cuts_of_values(values)

    counts = np.bincount(cuts.codes(values))[1:]
    assert len(cuts) == 1000
    assert counts.min() > 600
    assert counts.max() < 1500


def test_records_that_take_turns_do_not_hide_from_the_sample():
    values = np.zeros(500_000)
    values[1::2] = np.random.default_rng(1).random(250_000)

    assert len(cuts_of_values(values)) > 400


def test_a_few_values_among_many_missing_ones_have_their_cells():
    values = np.full(1_000_000, np.nan)
    values[[7, 77, 777]] = [1.0, 2.0, 3.0]

    cuts = cuts_of_values(values)

    assert len(cuts) == 3
    assert np.bincount(cuts.codes(values)).tolist() == [999_997, 1, 1, 1]
