import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from error_texts import all_texts

from scumble.datasets import load_breast_cancer_wisconsin
from scumble.errors import DatasetError, DomainError
from scumble.relevance._column import read_column
from scumble.tables import Table

DAY = datetime.date(2020, 1, 1)
TEXTS = [f"note {i}" for i in range(30)]


def _read(values, kind=pa.table):
    return read_column(Table(kind({"x": values})), "x")


@pytest.mark.parametrize("kind", [pa.table, pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2, None, 2], "number"),
        ([1.5, 2.0, None, 2.0], "number"),
        ([decimal.Decimal("1.5"), decimal.Decimal(2), None, decimal.Decimal(2)], "number"),
        ([DAY, DAY + datetime.timedelta(1), None, DAY + datetime.timedelta(1)], "date"),
        ([datetime.datetime(2020, 1, i) if i else None for i in (1, 2, 0, 2)], "date"),
        (["a", "b", None, "b"], "category"),
        ([False, True, None, True], "category"),
    ],
)
def test_kinds_and_codes_are_the_same_for_every_table(kind, values, expected):
    column = _read(values, kind)

    assert column.kind == expected
    assert column.codes.tolist() == [0, 1, -1, 1]
    assert (column.distinct, column.known) == (2, 3)


def test_dates_are_days_since_1970():
    times = [datetime.datetime(1970, 1, 2, 12), datetime.datetime(2000, 1, 1)]
    zoned = pa.array(times, pa.timestamp("ns", tz="UTC"))

    for values in (times, zoned):
        assert _read(values).numbers.tolist() == [1.5, 10957]


def test_numbers_that_are_listed_are_categories():
    assert _read(pd.Series([3, 1, 3], dtype="category"), pd.DataFrame).kind == "category"


def test_strings_that_mostly_differ_are_text():
    assert _read(TEXTS).kind == "text"
    assert _read(TEXTS * 3).kind == "category"
    assert _read(["a", "b", "c"]).kind == "category"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (TEXTS, "unique"),
        ([*TEXTS, None, None], "unique"),
        ([*TEXTS, TEXTS[0]], "near-unique"),
        (TEXTS * 2, None),
        (list(range(1000, 1100)), "unique"),
        ([float(i) for i in range(90)] + [0.0] * 10, "near-unique"),
        ([float(i) for i in range(89)] + [0.0] * 11, None),
        ([i + 0.5 for i in range(100)], None),
        ([DAY + datetime.timedelta(i) for i in range(50)], "unique"),
        ([2**60 + i for i in range(100)], "unique"),
        ([7] * 10, None),
        ([7], None),
        ([None] * 5, None),
    ],
)
def test_an_identifier_names_records_and_a_measurement_does_not(values, expected):
    assert _read(values).identifier == expected


def test_the_sample_of_breast_cancer_is_nearly_a_name():
    try:
        X, _ = load_breast_cancer_wisconsin(identifiers=True)
    except DatasetError:
        pytest.skip("the data set was not found")
    columns = {name: read_column(Table(X), name) for name in X.column_names}

    assert columns["sample_id"].distinct == 645
    assert [name for name, column in columns.items() if column.identifier] == ["sample_id"]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (pd.Series(["secret", 3], dtype=object), pd.DataFrame),
        ([["secret"], ["other"]], pa.table),
    ],
)
def test_a_column_of_several_types_is_refused_without_being_shown(values, kind):
    with pytest.raises(DomainError, match="column 'x': expected") as caught:
        _read(values, kind)

    assert "secret" not in all_texts(caught.value)


def test_infinite_numbers_are_values():
    column = _read([1.0, np.inf, -np.inf, np.nan])

    assert column.codes.tolist() == [1, 2, 0, -1]
    assert column.identifier is None
