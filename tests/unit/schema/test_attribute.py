import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scumble import Categorical, Numeric
from scumble.errors import DomainError, SpecificationError
from scumble.mechanisms import GaussianNoise, RandomizedResponse, Warner
from scumble.schema import own_mechanism, with_mechanism


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


def test_a_product_counts_the_last_part_fastest():
    answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.8))

    both = Categorical.product([answer, answer])

    assert both.values == (("no", "no"), ("no", "yes"), ("yes", "no"), ("yes", "yes"))
