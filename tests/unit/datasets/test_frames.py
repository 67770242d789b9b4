"""The kind of table the caller asked for."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scumble.datasets import _frames, make_quest
from scumble.datasets._frames import frame_from_arrow, frame_from_columns
from scumble.errors import DatasetError, SpecificationError

KINDS = {"pyarrow": pa.Table, "pandas": pd.DataFrame, "polars": pl.DataFrame}


@pytest.mark.parametrize(("backend", "kind"), KINDS.items())
def test_columns_become_a_native_table(backend: str, kind: type) -> None:
    columns = {"a": np.array([1.5, 2.5]), "b": np.array([1, 2])}
    table = frame_from_columns(columns, backend=backend)
    assert isinstance(table, kind)
    assert list(table["a"].to_numpy()) == [1.5, 2.5]
    assert list(table["b"].to_numpy()) == [1, 2]


@pytest.mark.parametrize(("backend", "kind"), KINDS.items())
def test_an_arrow_table_becomes_a_native_table_with_its_nulls(backend: str, kind: type) -> None:
    table = frame_from_arrow(pa.table({"t": ["x", None], "i": [None, 1]}), backend=backend)
    assert isinstance(table, kind)
    assert _nulls(table) == {"t": 1, "i": 1}


@pytest.mark.parametrize("backend", KINDS)
def test_every_back_end_holds_the_same_records(backend: str) -> None:
    table, groups = make_quest(2, n=50, seed=9, backend=backend)
    expected, expected_groups = make_quest(2, n=50, seed=9)
    assert (groups == expected_groups).all()
    for name in expected.column_names:
        assert table[name].to_numpy().tolist() == expected[name].to_pylist()


@pytest.mark.parametrize("backend", ["spreadsheet", "duckdb", ""])
def test_an_unknown_back_end_is_refused(backend: str) -> None:
    with pytest.raises(SpecificationError, match="backend: expected one of pyarrow"):
        frame_from_columns({"a": np.array([1])}, backend=backend)


def test_a_back_end_that_is_not_installed_is_an_error_of_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def absent(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}")

    monkeypatch.setattr(_frames, "import_module", absent)
    with pytest.raises(DatasetError, match="expected polars to be installed") as caught:
        make_quest(n=10, backend="polars")
    assert "\n" not in str(caught.value)


def _nulls(table: Any) -> dict[str, int]:
    if isinstance(table, pa.Table):
        return {name: table[name].null_count for name in table.column_names}
    if isinstance(table, pd.DataFrame):
        return {str(name): int(count) for name, count in table.isna().sum().items()}
    return {name: table[name].null_count() for name in table.columns}
