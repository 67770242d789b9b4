import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scumble.errors import TableError
from scumble.mining._labels import encoded_labels


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["b", "a", "b"]),
        np.array(["bb", "a", "bb"]),
        np.array(["longer text", "a", "longer text"]),
        np.array(["b", "a", "b"], dtype=object),
        np.array([2, 1, 2], dtype=np.int8),
        np.array([2.0, 1.0, 2.0]),
        np.array([True, False, True]),
    ],
)
def test_classes_are_those_of_numpy_and_of_the_same_type(labels):
    classes, places = encoded_labels(labels)

    expected, inverse = np.unique(labels, return_inverse=True)
    assert classes.tolist() == expected.tolist()
    assert classes.dtype == labels.dtype
    assert places.tolist() == inverse.tolist()


@pytest.mark.parametrize(
    "series",
    [
        pd.Series(["b", "a", "b"]),
        pd.Series(["b", "a", "b"], dtype="category"),
        pl.Series(["b", "a", "b"]),
        pl.Series(["b", "a", "b"], dtype=pl.Categorical),
        pa.array(["b", "a", "b"]),
        pa.chunked_array([["b", "a"], ["b"]]),
        ["b", "a", "b"],
    ],
)
def test_any_column_of_labels_will_do(series):
    classes, places = encoded_labels(series)

    assert classes.tolist() == ["a", "b"]
    assert places.tolist() == [1, 0, 1]


def test_more_labels_than_a_byte_can_tell_apart():
    labels = np.arange(600) % 300

    classes, places = encoded_labels(labels)

    assert len(classes) == 300
    assert (classes[places] == labels).all()


def test_numbers_that_are_no_classes_are_refused():
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        encoded_labels([0.1, 0.2, 0.3])
    with pytest.raises(TableError, match="expected from 1 to 1000 classes, got 2000"):
        encoded_labels(np.arange(2000))


def test_missing_labels_are_counted():
    for labels in (pd.Series(["a", None, "b"]), [1.0, np.nan, 2.0], pa.array(["a", None])):
        with pytest.raises(TableError, match="Input y contains NaN: 1 of"):
            encoded_labels(labels)
