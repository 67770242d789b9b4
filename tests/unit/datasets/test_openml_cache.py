"""OpenML's copies through scikit-learn's own reader, from a cache filled as OpenML fills it.

The headers are those of OpenML's files (37 diabetes, 531 boston, 15 breast-w, 1590 adult,
56 vote): names, capitals, quotes, which columns are nominal, where the class stands.
"""

import gzip
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from scumble.datasets import (
    _catalogue,
    load_adult,
    load_boston,
    load_breast_cancer_wisconsin,
    load_house_votes,
    load_pima,
)
from scumble.datasets._described import Description
from scumble.errors import DatasetError

VOTES = (
    "handicapped-infants water-project-cost-sharing adoption-of-the-budget-resolution "
    "physician-fee-freeze el-salvador-aid religious-groups-in-schools anti-satellite-test-ban "
    "aid-to-nicaraguan-contras mx-missile immigration synfuels-corporation-cutback "
    "education-spending superfund-right-to-sue crime duty-free-exports "
    "export-administration-act-south-africa Class"
)


@dataclass(frozen=True)
class Published:
    """How OpenML publishes a data set: its columns in our order, the last the target."""

    description: Description
    load: Callable[[], tuple[Any, Any]]
    columns: str
    nominal: str
    quote: str = ""
    separator: str = ","

    @property
    def data_id(self) -> int:
        return self.description.openml.data_id

    @property
    def names(self) -> list[str]:
        return self.columns.split()


PUBLISHED = [
    Published(
        _catalogue.PIMA,
        load_pima,
        "preg plas pres skin insu mass pedi age class",
        nominal="class",
    ),
    Published(
        _catalogue.BOSTON,
        load_boston,
        "CRIM ZN INDUS CHAS NOX RM AGE DIS RAD TAX PTRATIO B LSTAT MEDV",
        nominal="CHAS RAD",
    ),
    Published(
        _catalogue.BREAST_CANCER_WISCONSIN,
        load_breast_cancer_wisconsin,
        "Clump_Thickness Cell_Size_Uniformity Cell_Shape_Uniformity Marginal_Adhesion "
        "Single_Epi_Cell_Size Bare_Nuclei Bland_Chromatin Normal_Nucleoli Mitoses Class",
        nominal="Class",
    ),
    Published(
        _catalogue.ADULT,
        load_adult,
        "age workclass fnlwgt education education-num marital-status occupation relationship "
        "race sex capital-gain capital-loss hours-per-week native-country class",
        nominal="workclass education marital-status occupation relationship race sex "
        "native-country class",
        separator=", ",
    ),
    Published(_catalogue.HOUSE_VOTES, load_house_votes, VOTES, nominal=VOTES, quote="'"),
]
EVERY_ONE = pytest.mark.parametrize("published", PUBLISHED, ids=lambda p: p.description.name)
CLASSES = {"neg": "tested_negative", "pos": "tested_positive"}


def arff(published: Published, frame: pd.DataFrame) -> str:
    """Return the file: nominal values quoted as there, a question mark for what is missing."""
    quote, nominal = published.quote, published.nominal.split()
    cells = frame.apply(lambda column: column.where(column.notna(), "?"))
    lines = [f"@relation {published.description.openml.name}", ""]
    for name in published.names:
        values = ", ".join(f"{quote}{value}{quote}" for value in frame[name].dropna().unique())
        kind = f"{{ {values}}}" if name in nominal else "numeric"
        lines.append(f"@attribute {quote}{name}{quote} {kind}")
        if name in nominal and quote:
            cells[name] = [value if value == "?" else f"'{value}'" for value in cells[name]]
    rows = (published.separator.join(row) for row in zip(*(cells[n] for n in cells), strict=True))
    return "\n".join([*lines, "", "@data", *rows]) + "\n"


def answers(published: Published, content: str, rows: int) -> dict[str, str]:
    """Return what OpenML says at each address about a file of that content."""
    number, nominal = published.data_id, published.nominal.split()
    address = f"data/v1/download/{number}/{published.description.openml.name}.arff"
    told = {
        "name": published.description.openml.name,
        "version": "1",
        "description": "",
        "format": "ARFF",
        "status": "active",
        "url": f"https://www.openml.org/{address}",
        "md5_checksum": hashlib.md5(content.encode(), usedforsecurity=False).hexdigest(),
    }
    features = [
        {
            "index": str(index),
            "name": name,
            "data_type": "nominal" if name in nominal else "numeric",
            "is_target": str(name == published.names[-1]).lower(),
            "is_ignore": "false",
            "is_row_identifier": "false",
            "number_of_missing_values": "0",
        }
        for index, name in enumerate(published.names)
    ]
    qualities = [{"name": "NumberOfInstances", "value": f"{rows}.0"}]
    return {
        f"api/v1/json/data/{number}": json.dumps({"data_set_description": told}),
        f"api/v1/json/data/features/{number}": json.dumps({"data_features": {"feature": features}}),
        f"api/v1/json/data/qualities/{number}": json.dumps(
            {"data_qualities": {"quality": qualities}}
        ),
        address: content,
    }


def fill_cache(home: Path, published: Published, frame: pd.DataFrame) -> None:
    for address, text in answers(published, arff(published, frame), len(frame)).items():
        path = home / "openml" / "openml.org" / f"{address}.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode(), compresslevel=1))


def as_published(published: Published) -> pd.DataFrame:
    """Return the file's cells as text, under OpenML's names and in OpenML's order of rows."""
    description = published.description
    path = Path(os.environ.get("SCUMBLE_DATA", "")) / description.file
    if not path.is_file():
        pytest.skip(f"SCUMBLE_DATA names no directory with {description.file}")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[""])
    frame = frame.drop(columns=list(description.identifiers))
    frame.columns = published.names
    frame[published.names[-1]] = frame[published.names[-1]].replace(CLASSES)
    test_set = 16_281 if description is _catalogue.ADULT else 0
    return pd.concat([frame[len(frame) - test_set :], frame[: len(frame) - test_set]])


@EVERY_ONE
def test_what_openml_publishes_becomes_the_table_of_the_file(
    published: Published, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fill_cache(tmp_path, published, as_published(published))
    X, y = published.load()
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.delenv("SCUMBLE_DATA")
    fetched, classes = published.load()
    assert fetched.equals(X.combine_chunks())
    assert classes.tolist() == y.tolist()


def test_one_other_cell_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pima = PUBLISHED[0]
    frame = as_published(pima)
    frame.loc[0, "age"] = "51"
    fill_cache(tmp_path, pima, frame)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.delenv("SCUMBLE_DATA")
    with pytest.raises(DatasetError, match="pima: expected the content checksum"):
        load_pima()
