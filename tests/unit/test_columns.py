import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

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
]
TEXT = [
    ["secret", "b"],
    np.array(["secret", "b"]),
    pa.array(["secret", "b"]),
    pd.Series(["secret", "b"]),
    pl.Series(["secret", "b"]),
    pd.Series(["secret", 3], dtype=object),
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

    assert "secret" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__cause__ is None


def test_booleans_are_numbers():
    assert as_numbers(pd.Series([True, False])).tolist() == [1, 0]


@pytest.mark.parametrize("column", [["secret", 3], pd.Series(["secret", 3], dtype=object)])
def test_values_of_several_types_are_not_shown(column):
    with pytest.raises(DomainError, match="several in one column") as caught:
        as_arrow(column)

    assert "secret" not in str(caught.value)
