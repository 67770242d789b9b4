import numpy as np

from scumble.audit._views import BITS, LENGTH, MISSING, OFF_GRID, cells_of, distinct, views


def _view(name, values, *, grid=None):
    values = np.array(values)
    return {v.name: v for v in views(values, np.ones(len(values)), grid=grid)}[name].codes


def test_reports_differ_where_their_bits_do():
    values, places = distinct(np.array([0.0, -0.0, 1.0, 0.0]))

    assert len(values) == 3
    assert places[0] == places[3] != places[1]


def test_a_missing_report_is_seen_of_either_type():
    assert _view(MISSING, [1.0, np.nan]).tolist() == [0, 1]
    assert _view(MISSING, np.array([3, -1], dtype=np.int32)).tolist() == [0, 1]


def test_the_last_bit_is_seen():
    codes = _view(BITS, [20.5, np.nextafter(20.5, 21)])

    assert codes[0] != codes[1]


def test_the_length_is_that_of_the_shortest_text():
    assert np.diff(_view(LENGTH, [20.5, 20.25, 20.125])).tolist() == [1, 1]


def test_what_lies_beside_the_grid_is_seen_to_the_last_bit():
    on, beside, between = _view(OFF_GRID, [20.01, np.nextafter(20.01, 21), 20.013], grid=0.01)

    assert _view(OFF_GRID, [0.0, -3.33, 1e6], grid=0.01).tolist() == [on, on, on]
    assert len({on, beside, between}) == 3


def test_cells_hold_equal_weight_in_order_and_missing_values_come_last():
    cells = cells_of(np.array([3.0, np.nan, 1.0, 2.0, 4.0]), np.array([1, 9, 1, 1, 1.0]), bins=2)

    assert cells[1] == 2
    assert (np.diff(cells[[2, 3, 0, 4]]) >= 0).all()


def test_cells_do_not_depend_on_what_was_not_seen_when_they_were_made():
    values = np.arange(6.0)

    cells = cells_of(values, np.array([1, 0, 1, 0, 1, 0.0]), bins=3)

    assert cells[[0, 2, 4]].tolist() == [0, 1, 2]
