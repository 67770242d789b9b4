import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from error_texts import all_texts

from scumble import Categorical
from scumble.errors import DomainError, SpecificationError


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


def test_values_may_come_from_numpy():
    assert Categorical(np.unique(["b", "a"])).values == ("a", "b")


def test_whole_numbers_are_decoded_as_numbers():
    assert Categorical([1, 2]).decode(np.array([1, 0])).dtype.kind == "i"


def test_places_of_unknown_values_are_those_of_missing_ones():
    assert Categorical(["a", "b"]).places(["b", "c", None]).tolist() == [1, -1, -1]
