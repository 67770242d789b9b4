"""OpenML's copies: what can be said about them without a network."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError, URLError

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scumble.datasets import (
    _catalogue,
    load_adult,
    load_breast_cancer_wisconsin,
    load_pima,
)
from scumble.datasets._openml import table_from_openml
from scumble.errors import DatasetError

PIMA_NAMES = ["preg", "plas", "pres", "skin", "insu", "mass", "pedi", "age", "class"]


@pytest.fixture
def without_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCUMBLE_DATA", raising=False)


def serve(monkeypatch: pytest.MonkeyPatch, answer: Any) -> list[dict[str, Any]]:
    """Let scikit-learn answer with a frame or an error; return the calls it gets."""
    calls: list[dict[str, Any]] = []

    def fetch_openml(**arguments: Any) -> Any:
        calls.append(arguments)
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(frame=answer)

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch_openml)
    return calls


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_names_and_classes_become_ours(kind: Any) -> None:
    cells: list[list[Any]] = [[6], [148], [72], [35], [0], [33.6], [0.627], [50]]
    values = dict(zip(PIMA_NAMES, [*cells, ["tested_positive"]], strict=True))
    table = table_from_openml(kind(values), _catalogue.PIMA)
    assert table.column_names == list(_catalogue.PIMA.columns)
    assert table.to_pylist()[0]["bmi"] == 33.6
    assert table["diabetes"].to_pylist() == ["pos"]


def test_missing_cells_become_nulls_and_floats_integers_again() -> None:
    description = _catalogue.BREAST_CANCER_WISCONSIN
    names = [name for name in description.columns if name not in ("sample_id", "class")]
    frame = pd.DataFrame({name: [1.0, np.nan] for name in names} | {"Class": ["benign"] * 2})
    table = table_from_openml(frame, description)
    assert table["bare_nuclei"].to_pylist() == [1, None]
    assert table["bare_nuclei"].type == pa.int64()


def test_the_test_set_that_stands_first_is_moved_to_the_end() -> None:
    description = _catalogue.ADULT
    first = description.openml.last_rows_first
    frame = pd.DataFrame(
        {name: [1] * first + [2] for name in description.columns if name != "income"}
        | {"class": ["<=50K"] * first + [">50K"]}
    )
    table = table_from_openml(frame, description)
    assert table["age"].to_pylist()[:2] == [2, 1]
    assert table["income"].to_pylist()[:2] == [">50K", "<=50K"]


def test_a_column_that_is_not_there_is_an_error() -> None:
    with pytest.raises(DatasetError, match=r"pima: expected the columns glucose, .* in OpenML"):
        table_from_openml(
            pd.DataFrame({"preg": [1], "class": ["tested_positive"]}), _catalogue.PIMA
        )


@pytest.mark.usefixtures("without_files")
def test_a_copy_with_other_counts_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({name: [1.0] for name in PIMA_NAMES[:-1]} | {"class": ["tested_negative"]})
    calls = serve(monkeypatch, frame)
    with pytest.raises(DatasetError, match="pima: expected rows 768, got 1; use the file"):
        load_pima()
    assert calls[0]["data_id"] == 37


@pytest.mark.usefixtures("without_files")
@pytest.mark.parametrize(
    "error",
    [
        URLError("no route to host"),
        HTTPError("https://www.openml.org", 503, "unavailable", None, None),  # type: ignore[arg-type]
        TimeoutError("timed out"),
        ValueError("the md5 checksum does not match\nsecond line"),
        KeyError("number_of_missing_values"),
        ImportError("pandas is not installed"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_failed_fetch_is_an_error_of_one_line_that_says_what_to_do(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(monkeypatch, error)
    with pytest.raises(DatasetError, match="set SCUMBLE_DATA to the directory that") as caught:
        load_adult()
    assert "adult.csv.gz" in str(caught.value)
    assert type(error).__name__ in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_the_named_directory_lacks_is_fetched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SCUMBLE_DATA", str(tmp_path))
    calls = serve(monkeypatch, URLError("no route to host"))
    with pytest.raises(DatasetError, match="URLError"):
        load_pima()
    assert len(calls) == 1


@pytest.mark.usefixtures("without_files")
def test_identifiers_come_from_the_file_only(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = serve(monkeypatch, URLError("no route to host"))
    with pytest.raises(DatasetError, match="OpenML does not keep them"):
        load_breast_cancer_wisconsin(identifiers=True)
    assert not calls
