import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scumble.errors import SpecificationError
from scumble.schema import Cells, Silence


def test_equal_and_unequal_widths_give_the_same_codes():
    edges = np.array([0.0, 1, 2, 3, 4])
    values = np.array([-0.1, 0, 0.5, 1, 2.999, 3, 4, 4.1, np.nan])

    by_arithmetic = Cells.between(edges).codes(values)
    by_search = Cells.between(np.append(edges[:-1], 4 + 1e-5)).codes(values)

    assert by_arithmetic.tolist() == [-1, 0, 0, 1, 2, 3, 3, -1, -1]
    assert by_search.tolist() == by_arithmetic.tolist()


@given(
    low=st.floats(-1e6, 1e6),
    width=st.floats(1e-3, 1e6),
    count=st.integers(1, 120),
)
def test_arithmetic_finds_the_same_cell_as_a_search_next_to_every_edge(low, width, count):
    edges = np.linspace(low, low + width, count + 1)
    assume((np.diff(edges) > 0).all())
    values = np.concatenate([edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)])

    expected = np.searchsorted(edges, values, side="right") - 1
    expected[values == edges[-1]] = count - 1
    expected[(values < edges[0]) | (values > edges[-1])] = -1

    assert np.array_equal(Cells.between(edges).codes(values), expected)


def test_a_gap_between_cells_is_refused():
    with pytest.raises(SpecificationError, match="begin where one ends"):
        Cells(np.array([0.0, 20]), np.array([10.0, 30]))


@pytest.mark.parametrize("edges", [[1, 0], [0], [0, 2, 1]])
def test_cells_out_of_order_are_refused(edges):
    with pytest.raises(SpecificationError, match="ascending"):
        Cells.between(edges)


@pytest.mark.parametrize("inner", [[0.0, 1, 2, 3], [0.0, 1, 3], [0.0]])
def test_open_ends_take_everything_beyond(inner):
    cells = Cells.between([-np.inf, *inner, np.inf])

    codes = cells.codes([-1e300, -1e-9, 0, inner[-1] - 1e-9, inner[-1], 1e300, np.inf])

    assert codes[0] == codes[1] == 0
    assert codes[2] == 1
    assert codes[4] == codes[5] == codes[6] == len(inner)
    assert codes[3] == len(inner) - 1


def test_a_point_takes_its_value_from_the_interval_around_it():
    cells = Cells.between([0, 10, 20]).with_points([5.0, 20.0])

    assert cells.codes([4.999, 5.0, 5.001, 19.9, 20.0]).tolist() == [0, 1, 0, 2, 3]


def test_points_alone_take_nothing_else():
    assert Cells.points([1, 2, 5]).codes([1, 1.5, 5, 6, np.nan]).tolist() == [0, -1, 2, -1, -1]


def test_edges_are_listed_once():
    assert Cells.between([0, 1, 2]).with_points([1]).edges.tolist() == [0, 1, 2]


def test_no_values_give_no_codes():
    assert len(Cells.between([0, 1]).codes([])) == 0


def test_silence_puts_everything_into_one_cell():
    assert Silence().codes([1.0, np.nan]).tolist() == [0, 0]
