import numpy as np
import pytest

from scumble import Numeric
from scumble.errors import DomainError, SpecificationError


@pytest.mark.parametrize(
    ("low", "high"), [(1, 1), (2, 1), ("1", 2), (True, 2), (float("nan"), 2), (None, 1)]
)
def test_a_domain_without_width_or_without_numbers_is_refused(low, high):
    with pytest.raises(SpecificationError):
        Numeric(low, high)


def test_a_domain_of_zero_width_says_what_to_do():
    with pytest.raises(SpecificationError, match="zero width"):
        Numeric(5, 5)


@pytest.mark.parametrize("options", [{"step": 0}, {"step": -1}, {"atoms": [200]}, {"atoms": 3}])
def test_a_bad_step_or_atom_is_refused(options):
    with pytest.raises(SpecificationError):
        Numeric(0, 100, **options)


def test_an_integer_attribute_has_a_cell_for_each_integer():
    assert Numeric(17, 90, step=1).cells().lower.tolist() == list(range(17, 91))


def test_a_step_of_a_tenth_loses_no_value_to_rounding():
    assert len(Numeric(0, 1, step=0.1).cells()) == 11


def test_many_possible_values_are_put_into_intervals():
    cells = Numeric(0, 99_999, step=1).cells(50)

    assert len(cells) == 50
    assert not cells.is_point.any()


def test_atoms_get_cells_of_their_own():
    cells = Numeric(0, 75_000, atoms=[0]).cells(10)

    assert len(cells) == 11
    assert cells.is_point.tolist() == [True] + [False] * 10


def test_an_infinite_domain_has_no_cells_but_is_a_domain():
    with pytest.raises(SpecificationError, match="declare the bounds"):
        Numeric(0, float("inf")).cells()


def test_values_outside_are_counted_and_not_shown():
    with pytest.raises(DomainError, match="2 of 4 values lie outside") as caught:
        Numeric(0, 10).conform([1, 11.625, -3, np.nan])

    assert "11.6" not in str(caught.value)


def test_infinite_values_are_outside():
    with pytest.raises(DomainError):
        Numeric(0, 10).conform([np.inf])


def test_values_off_the_step_are_outside_and_near_ones_are_moved_onto_it():
    tenths = Numeric(0, 1, step=0.1)

    assert np.array_equal(tenths.conform([0.1, 0.3, 0.7]), tenths.cells().lower[[1, 3, 7]])
    assert (tenths.cells().codes(tenths.conform([0.1, 0.3, 0.7])) == [1, 3, 7]).all()
    with pytest.raises(DomainError, match=r"1 of 2 values .* in steps of 1"):
        Numeric(0, 10, step=1).conform([2.5, 3])


@pytest.mark.parametrize("options", [{"step": 2}, {"step": 0.3}, {"step": 0.5, "atoms": [0.2]}])
def test_a_step_that_does_not_fit_the_domain_is_refused(options):
    with pytest.raises(SpecificationError, match="step"):
        Numeric(0, 1, **options)


def test_intervals_of_whole_numbers_hold_them_in_their_middle():
    cells = Numeric(1, 1000, step=1).cells(100)

    assert (cells.edges[0], cells.edges[-1]) == (0.5, 1000.5)
    assert cells.middles.mean() == pytest.approx(500.5)


def test_an_atom_on_a_step_is_found():
    domain = Numeric(0, 100, step=0.1, atoms=[0.3])
    cells = domain.cells()

    assert cells.is_point[cells.codes(domain.conform([0.3]))].all()
    assert Numeric(0, 0.3, step=0.1).conform([0.3]).max() <= 0.3


def test_more_cells_than_steps_make_no_empty_ones():
    cells = Numeric(0, 500, step=1).cells(1000)

    assert len(cells) == 501
    assert not cells.is_point.any()
