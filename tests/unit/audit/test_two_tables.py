import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scumble.audit._two_tables import TwoTables, drawn_rows
from scumble.errors import DomainError, SpecificationError, TableError


@pytest.mark.parametrize("kind", [pa.table, pd.DataFrame, pl.DataFrame])
def test_categories_have_the_same_code_in_both_tables(kind):
    both = TwoTables(kind({"size": ["s", None, "m"]}), kind({"size": ["l", "m"]}))["size"]

    assert both.kind == "category"
    assert both.truth[2] == both.other[1]
    assert np.isnan(both.truth[1])
    assert both.categories == 3


def test_dates_are_days():
    days = [datetime.date(1970, 1, 2), None]
    both = TwoTables(pa.table({"born": days}), pa.table({"born": days}))["born"]

    assert both.kind == "date"
    assert both.truth[0] == 1.0


def test_columns_of_an_array_are_called_by_their_place():
    both = TwoTables(np.ones((2, 2)), np.zeros((3, 2)))

    assert both.names == ["x0", "x1"]
    assert both["x1"].other.tolist() == [0.0, 0.0, 0.0]


def test_a_column_that_was_recoded_is_not_comparable():
    both = TwoTables(
        pa.table({"age": [3], "size": ["s"], "none": pa.nulls(1)}),
        pa.table({"age": ["below 50"], "size": ["s"], "none": [1.0]}),
    )

    assert [column.name for column in both.comparable()] == ["size", "none"]
    with pytest.raises(DomainError, match=r"'age'.*number in the truth and category"):
        both["age"]


def test_names_must_be_columns_of_both():
    both = TwoTables(pa.table({"age": [3]}), pa.table({"age": [3], "size": ["s"]}))

    with pytest.raises(SpecificationError, match=r"known: .*'size'"):
        both.chosen(["size"], where="known")
    with pytest.raises(SpecificationError, match="list of names"):
        both.chosen("age", where="known")


def test_an_empty_table_is_an_error():
    with pytest.raises(TableError, match=r"released: .*got none"):
        TwoTables(pa.table({"age": [3]}), pa.table({"age": pa.array([], pa.float64())}))


def test_a_sample_is_repeatable_and_has_nobody_twice():
    rows = drawn_rows(1000, records=100, seed=1)

    assert len(np.unique(rows)) == 100
    assert rows.tolist() == drawn_rows(1000, records=100, seed=1).tolist()
    with pytest.raises(SpecificationError, match="records"):
        drawn_rows(1000, records=0, seed=1)
