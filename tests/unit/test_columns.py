from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from error_texts import all_texts

from scumble.columns import as_arrow, as_numbers
from scumble.errors import DomainError

NUMBERS = [
    [1, None, 3],
    (1.0, np.nan, 3.0),
    np.array([1, None, 3], dtype=object),
    pa.array([1, None, 3]),
    pa.chunked_array([[1, None], [3]]),
    pd.Series([1, None, 3]),
    pd.Series([1, None, 3], dtype="Int64"),
    pd.Series([1, None, 3], dtype=object),
    pl.Series([1, None, 3]),
    pl.Series([1.0, float("nan"), 3.0]),
    pd.Series([1, pd.NA, 3], dtype=object),
    np.ma.array([1, 2, 3], mask=[False, True, False]),
    [1, pd.NA, 3],
    [Decimal(1), None, Decimal(3)],
]
TEXT = [
    ["secret", "b"],
    np.array(["secret", "b"]),
    pa.array(["secret", "b"]),
    pd.Series(["secret", "b"]),
    pl.Series(["secret", "b"]),
    pd.Series(["secret", 3], dtype=object),
    pd.Series(pd.Categorical(["secret", "b"], ordered=True)),
    pl.Series(["secret", "b"], dtype=pl.Enum(["secret", "b"])),
    pl.Series([{"secret": 1}]),
    np.array(["1970-01-01"], dtype="datetime64[D]"),
    np.array([1 + 2j]),
    ["1", "2"],
    [[1.0], [2.0]],
]


def _kind(column):
    return f"{type(column).__module__.split('.')[0]}-{getattr(column, 'dtype', '')}"


@pytest.mark.parametrize("column", NUMBERS, ids=_kind)
def test_numbers_of_any_kind_are_floats(column):
    np.testing.assert_array_equal(as_numbers(column), [1, np.nan, 3])


@pytest.mark.parametrize("column", TEXT, ids=_kind)
def test_text_is_no_number_and_is_not_shown(column):
    with pytest.raises(DomainError, match="expected numbers") as caught:
        as_numbers(column)

    assert "secret" not in all_texts(caught.value)


@pytest.mark.parametrize("kind", [list, pd.Series, pl.Series, pa.array])
def test_a_column_of_missing_values_only_is_a_column_of_numbers(kind):
    assert np.isnan(as_numbers(kind([None, None]))).all()


def test_numbers_too_large_for_a_float_are_refused():
    with pytest.raises(DomainError, match="expected numbers"):
        as_numbers([10**400])
    with pytest.raises(DomainError):
        as_arrow([10**40])


@pytest.mark.parametrize(
    "column",
    [
        pa.chunked_array([[2**62 + 1, None]]),
        pd.Series([2**62 + 1, None], dtype="int64[pyarrow]"),
        pd.Series([2**62 + 1, None], dtype="Int64"),
        pl.Series([2**62 + 1, None]),
    ],
)
def test_a_long_number_is_rounded_and_never_shown(column):
    assert as_numbers(column)[0] == 2.0**62
    assert np.isnan(as_numbers(column)[1])


def test_masked_values_are_null():
    masked = np.ma.array(["a", "b"], mask=[False, True])

    assert as_arrow(masked).to_pylist() == ["a", None]


def test_booleans_are_numbers():
    assert as_numbers(pd.Series([True, False])).tolist() == [1, 0]


@pytest.mark.parametrize("column", [["secret", 3], pd.Series(["secret", 3], dtype=object)])
def test_values_of_several_types_are_not_shown(column):
    with pytest.raises(DomainError, match="several in one column") as caught:
        as_arrow(column)

    assert "secret" not in all_texts(caught.value)


def test_whole_numbers_beyond_what_a_float_holds_are_rounded():
    column = pa.chunked_array([[10**18 + 1, None]])

    numbers = as_numbers(column)

    assert numbers[0] == 1e18
    assert np.isnan(numbers[1])
