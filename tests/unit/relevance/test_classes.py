import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
from error_texts import all_texts

from scumble.errors import TableError
from scumble.relevance._classes import class_codes


@pytest.mark.parametrize(
    "y",
    [
        ["b", "a", "b"],
        np.array(["b", "a", "b"]),
        pd.Series(["b", "a", "b"], dtype="category"),
        pl.Series(["b", "a", "b"]),
        [2.0, 1.0, 2.0],
        [True, False, True],
        [datetime.date(2020, 2, 1), datetime.date(2020, 1, 1), datetime.date(2020, 2, 1)],
    ],
)
def test_classes_stand_in_order(y):
    classes, codes = class_codes(y)

    assert list(classes) == sorted(classes)
    assert codes.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("y", "text"),
    [
        ([7, None], "got none for 1 of 2"),
        ([7.0, np.nan], "got none for 1 of 2"),
        (np.array([7.0, np.nan]), "got none for 1 of 2"),
        (pl.Series([7.0, float("nan")]), "got none for 1 of 2"),
        ([7.5, 1.0], "numbers with a fraction"),
        ([7.0, np.inf], "numbers with a fraction"),
        ([7, "a"], "values of one type"),
        ([], "expected classes, got none"),
        (np.arange(2000) + 7, "from 1 to 1000 classes, got 2000"),
        (np.array([[7, 1]]), "got shape"),
        ([[7, 1], [2]], "several values for a record"),
    ],
)
def test_what_is_no_class_is_refused_without_being_shown(y, text):
    with pytest.raises(TableError, match=text) as caught:
        class_codes(y)

    assert str(caught.value).startswith("y: ")
    assert "7" not in all_texts(caught.value)
