import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scumble.errors import TableError
from scumble.tables import Provenance, Table, provenance, stamped

KINDS = [pa.table, pd.DataFrame, pl.DataFrame]


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_is_replaced_and_the_others_stay(kind):
    native = kind({"a": [1, 2], "b": ["x", "y"]})

    result = Table(native).replaced({"a": np.array([0.5, np.nan])})

    assert type(result) is type(native)
    assert Table(result).names == ["a", "b"]
    assert list(np.asarray(Table(result).column("b"))) == ["x", "y"]
    assert len(Table(result)) == 2


@pytest.mark.parametrize("kind", [pa.table, pl.DataFrame])
def test_nan_becomes_null_where_a_table_has_nulls(kind):
    result = Table(kind({"a": [1.0, 2.0]})).replaced({"a": np.array([0.5, np.nan])})

    assert Table(result).column("a").is_null().to_numpy().tolist() == [False, True]


def test_an_array_takes_the_names_it_is_given():
    table = Table(np.array([[1.0, 2.0]]), names=["a", "b"])

    assert table.column("b").tolist() == [2.0]
    with pytest.raises(TableError, match="expected an array of 3 columns"):
        Table(np.zeros((2, 2)), names=["a", "b", "c"])


def test_provenance_survives_parquet(tmp_path):
    table = stamped(pa.table({"a": [1]}), Provenance("digest", seeded=True))
    pq.write_table(table, tmp_path / "reports.parquet")

    assert provenance(pq.read_table(tmp_path / "reports.parquet")) == Provenance("digest", True)


@pytest.mark.parametrize("kind", KINDS)
def test_some_rows_are_a_table_too(kind):
    part = Table(kind({"a": [1.0, 2.0, 3.0], "b": [4.0, 5.0, 6.0]})).rows(1, 5)

    assert len(part) == 2
    assert np.asarray(part.column("b")).tolist() == [5.0, 6.0]


def test_numbers_and_truth_values_are_told_from_text():
    table = Table(pd.DataFrame({"a": [1], "b": [True], "c": ["x"]}))

    assert [table.is_numeric(name) for name in table.names] == [True, True, False]
