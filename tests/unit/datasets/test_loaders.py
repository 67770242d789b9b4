"""The published data sets, read from the directory that SCUMBLE_DATA names."""

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from scumble.datasets import (
    ADULT_CATEGORY_ORDER,
    _catalogue,
    load_adult,
    load_boston,
    load_breast_cancer_wisconsin,
    load_house_votes,
    load_pima,
)
from scumble.datasets._described import Description
from scumble.errors import DatasetError, SpecificationError

LOADERS: dict[Callable[..., Any], Description] = {
    load_pima: _catalogue.PIMA,
    load_boston: _catalogue.BOSTON,
    load_breast_cancer_wisconsin: _catalogue.BREAST_CANCER_WISCONSIN,
    load_adult: _catalogue.ADULT,
    load_house_votes: _catalogue.HOUSE_VOTES,
}
EVERY_LOADER = pytest.mark.parametrize(
    ("load", "description"), LOADERS.items(), ids=[load.__name__ for load in LOADERS]
)


def needs(description: Description) -> None:
    if not (Path(os.environ.get("SCUMBLE_DATA", "")) / description.file).is_file():
        pytest.skip(f"SCUMBLE_DATA names no directory with {description.file}")


def missing_cells(table: pa.Table) -> dict[str, int]:
    counts = {name: table[name].null_count for name in table.column_names}
    return {name: count for name, count in counts.items() if count}


@EVERY_LOADER
def test_a_table_has_the_documented_shape_and_columns(
    load: Callable[..., Any], description: Description
) -> None:
    needs(description)
    X, y = load()
    left_out = {description.target, *description.identifiers}
    assert X.column_names == [name for name in description.columns if name not in left_out]
    assert X.num_rows == len(y) == description.rows
    assert sum(missing_cells(X).values()) == description.missing


@EVERY_LOADER
@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_every_back_end_holds_the_same_table(
    load: Callable[..., Any], description: Description, backend: str
) -> None:
    needs(description)
    X, y = load(backend=backend)
    expected, expected_y = load()
    assert (y == expected_y).all()
    assert X.shape == expected.shape
    for name in expected.column_names:
        cells = expected[name].to_pylist()
        assert [None if pd.isna(cell) else cell for cell in X[name].to_list()] == cells


@EVERY_LOADER
def test_a_directory_may_be_passed(load: Callable[..., Any], description: Description) -> None:
    needs(description)
    X, _ = load(directory=Path(os.environ["SCUMBLE_DATA"]))
    assert X.num_rows == description.rows


def test_pima_has_its_classes_and_its_zeros() -> None:
    needs(_catalogue.PIMA)
    X, y = load_pima()
    assert Counter(y.tolist()) == {"neg": 500, "pos": 268}
    zeros = {name: int((X[name].to_numpy() == 0).sum()) for name in X.column_names}
    assert (zeros["glucose"], zeros["insulin"], zeros["pregnancies"]) == (5, 374, 111)


def test_boston_has_a_numeric_target() -> None:
    needs(_catalogue.BOSTON)
    _, y = load_boston()
    assert y.dtype == np.float64
    assert (y.min(), y.max(), int((y == 50).sum())) == (5, 50, 16)
    assert y.mean() == pytest.approx(22.533, abs=5e-4)


def test_breast_cancer_has_its_classes_and_missing_cells() -> None:
    needs(_catalogue.BREAST_CANCER_WISCONSIN)
    X, y = load_breast_cancer_wisconsin()
    assert Counter(y.tolist()) == {"benign": 458, "malignant": 241}
    assert missing_cells(X) == {"bare_nuclei": 16}


def test_breast_cancer_keeps_the_identifier_on_request_only() -> None:
    needs(_catalogue.BREAST_CANCER_WISCONSIN)
    X, _ = load_breast_cancer_wisconsin(identifiers=True)
    assert X.column_names[0] == "sample_id"
    assert len(X["sample_id"].unique()) == 645


def test_adult_begins_with_the_standard_training_set() -> None:
    needs(_catalogue.ADULT)
    X, y = load_adult()
    assert Counter(y[:32_561].tolist()) == {"<=50K": 24_720, ">50K": 7_841}
    assert Counter(y[32_561:].tolist()) == {"<=50K": 12_435, ">50K": 3_846}
    assert missing_cells(X) == {"workclass": 2799, "occupation": 2809, "native_country": 857}


def test_adults_category_order_names_exactly_its_categories() -> None:
    needs(_catalogue.ADULT)
    X, _ = load_adult()
    for name, order in ADULT_CATEGORY_ORDER.items():
        assert sorted(order) == sorted(X[name].drop_null().unique().to_pylist())


def test_adults_category_order_covers_the_nominal_columns() -> None:
    kinds = _catalogue.ADULT.columns
    nominal = [name for name in kinds if kinds[name] == "text" and name != "income"]
    assert list(ADULT_CATEGORY_ORDER) == nominal
    sizes = [len(order) for order in ADULT_CATEGORY_ORDER.values()]
    assert sizes == [8, 16, 7, 14, 6, 5, 2, 41]


def test_house_votes_has_its_classes_and_missing_votes() -> None:
    needs(_catalogue.HOUSE_VOTES)
    X, y = load_house_votes()
    assert Counter(y.tolist()) == {"democrat": 267, "republican": 168}
    missing = [X[name].null_count for name in X.column_names]
    assert missing == [12, 48, 11, 11, 15, 11, 14, 15, 22, 7, 21, 31, 25, 17, 28, 104]


@EVERY_LOADER
def test_a_changed_file_is_not_trusted(
    load: Callable[..., Any], description: Description, tmp_path: Path
) -> None:
    (tmp_path / description.file).write_text(",".join(description.columns) + "\n")
    with pytest.raises(DatasetError, match=f"expected .* checksum {description.sha256}, got"):
        load(directory=tmp_path)


def test_a_changed_file_in_the_named_directory_is_not_replaced_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCUMBLE_DATA", str(tmp_path))
    (tmp_path / "pima.csv").write_text("glucose\n1\n")
    with pytest.raises(DatasetError, match="checksum"):
        load_pima()


@EVERY_LOADER
def test_a_directory_without_the_file_is_an_error(
    load: Callable[..., Any], description: Description, tmp_path: Path
) -> None:
    with pytest.raises(DatasetError, match=f"expected the file {description.file} in"):
        load(directory=tmp_path)


def test_an_unknown_back_end_is_refused_before_anything_is_read() -> None:
    with pytest.raises(SpecificationError, match="backend: expected one of"):
        load_pima(directory="nowhere", backend="spreadsheet")
