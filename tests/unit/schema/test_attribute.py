import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from error_texts import all_texts

from scumble import Categorical, Numeric
from scumble.errors import DomainError, SpecificationError
from scumble.mechanisms import GaussianNoise, RandomizedResponse
from scumble.schema import mechanism_from_dict, own_mechanism, with_mechanism


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


@pytest.mark.parametrize(
    "values",
    [[], ["a"], "ab", ["a", "a"], ["a", 1], [1.5, 2.5], [None, "a"], 3],
)
def test_a_list_of_values_that_cannot_be_told_apart_is_refused(values):
    with pytest.raises(SpecificationError):
        Categorical(values)


@pytest.mark.parametrize(
    "column",
    [
        ["yes", None, "no"],
        np.array(["yes", None, "no"], dtype=object),
        pa.array(["yes", None, "no"]),
        pa.chunked_array([["yes"], [None, "no"]]),
        pa.array(["yes", None, "no"]).dictionary_encode(),
        pd.Series(["yes", None, "no"]),
        pd.Series(["yes", None, "no"], dtype="category"),
        pl.Series(["yes", None, "no"]),
        pl.Series(["yes", None, "no"], dtype=pl.Categorical),
    ],
    ids=lambda column: type(column).__name__,
)
def test_any_column_is_coded(column):
    assert Categorical(["no", "yes"]).conform(column).tolist() == [1, -1, 0]


def test_whole_numbers_in_a_float_column_are_coded():
    assert Categorical([0, 1]).conform(np.array([1.0, np.nan, 0.0])).tolist() == [1, -1, 0]


def test_booleans_are_coded():
    assert Categorical([False, True]).conform([True, None, False]).tolist() == [1, -1, 0]


def test_a_column_of_missing_values_only_is_coded():
    assert Categorical(["no", "yes"]).conform([None, None]).tolist() == [-1, -1]


def test_unknown_values_are_counted_and_not_shown():
    with pytest.raises(DomainError, match="1 of 3 values are not among the 2") as caught:
        Categorical(["no", "yes"]).conform(["no", "maybe", None])

    assert "maybe" not in str(caught.value)


@pytest.mark.parametrize("column", [[1.5, 2.0], ["secret", 3]])
def test_a_column_of_another_type_is_refused_without_showing_it(column):
    with pytest.raises(DomainError) as caught:
        Categorical([0, 1]).conform(column)

    assert "secret" not in str(caught.value)
    assert "1.5" not in str(caught.value)


def test_a_million_categories_are_coded():
    values = [str(value) for value in range(1_000_000)]

    assert Categorical(values).conform(["999999", "0"]).tolist() == [999_999, 0]


def test_sensitivity_follows_the_mechanism():
    assert Numeric(0, 1).sensitivity == "public"
    assert Numeric(0, 1, mechanism=GaussianNoise(sd=1)).sensitivity == "private"


@pytest.mark.parametrize(
    "options",
    [
        {"sensitivity": "private"},
        {"sensitivity": "public", "mechanism": GaussianNoise(sd=1)},
        {"sensitivity": "withheld", "mechanism": GaussianNoise(sd=1)},
        {"sensitivity": "secret"},
        {"mechanism": "gaussian"},
        {"mechanism": RandomizedResponse(keep=0.5)},
    ],
)
def test_contradictions_are_refused(options):
    with pytest.raises(SpecificationError):
        Numeric(0, 1, **options)


def test_every_sensitivity_has_a_mechanism():
    noise = GaussianNoise(sd=1)

    assert own_mechanism(Numeric(0, 1)).name == "identity"
    assert own_mechanism(Numeric(0, 1, sensitivity="withheld")).name == "withheld"
    assert own_mechanism(with_mechanism(Numeric(0, 1), noise)) is noise


@pytest.mark.parametrize("name", ["identity", "withheld"])
def test_private_with_a_mechanism_that_hides_nothing_is_refused(name):
    with pytest.raises(SpecificationError, match="disguises nothing; declare the attribute as"):
        Numeric(0, 1, sensitivity="private", mechanism=mechanism_from_dict({"name": name}))


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


@pytest.mark.parametrize("column", [[0, 1, 5], [0.0, -3.5], np.array([2.0])])
def test_numbers_that_are_no_truth_values_are_outside_a_boolean_domain(column):
    with pytest.raises(DomainError, match="not among the 2"):
        Categorical([False, True]).conform(column)


@pytest.mark.parametrize("kind", [np.asarray, pd.Series, pl.Series, pa.array])
def test_nan_is_missing_in_every_kind_of_column(kind):
    assert Categorical([0, 1]).conform(kind([1.0, float("nan"), 0.0])).tolist() == [1, -1, 0]


@pytest.mark.parametrize(
    ("values", "column"),
    [([1, 2], np.array([2**64 - 5], dtype=np.uint64)), ([2**53 + 1, 2], np.array([2.0]))],
)
def test_numbers_beyond_what_can_be_compared_are_an_error_of_ours(values, column):
    with pytest.raises(DomainError) as caught:
        Categorical(values).conform(column)

    assert "18446744073709551611" not in all_texts(caught.value)


def test_an_atom_on_a_step_is_found():
    domain = Numeric(0, 100, step=0.1, atoms=[0.3])
    cells = domain.cells()

    assert cells.is_point[cells.codes(domain.conform([0.3]))].all()
    assert Numeric(0, 0.3, step=0.1).conform([0.3]).max() <= 0.3


def test_more_cells_than_steps_make_no_empty_ones():
    cells = Numeric(0, 500, step=1).cells(1000)

    assert len(cells) == 501
    assert not cells.is_point.any()


def test_values_may_come_from_numpy():
    assert Categorical(np.unique(["b", "a"])).values == ("a", "b")


@pytest.mark.parametrize(
    "make",
    [
        lambda: Categorical([2**70, 1]),
        lambda: Categorical({"a": 1, "b": 2}),
        lambda: Categorical(["a", "b"], ordered="false"),
        lambda: Numeric(0, 10**400),
        lambda: Numeric(0, 1, atoms=5),
        lambda: Numeric(np.array([1, 2]), 3),
        lambda: Numeric(pd.NA, 3),
        lambda: Numeric(0, 1, step=1e-99),
        lambda: Numeric(0, 1e50, mechanism=GaussianNoise(privacy=1e60)),
        lambda: Numeric(0, 1, mechanism=GaussianNoise(sd=1e308)),
    ],
)
def test_odd_parameters_are_an_error_of_ours(make):
    with pytest.raises(SpecificationError):
        make()


def test_whole_numbers_are_decoded_as_numbers():
    assert Categorical([1, 2]).decode(np.array([1, 0])).dtype.kind == "i"
