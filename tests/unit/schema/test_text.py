import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from error_texts import all_texts

from scumble import Categorical, Specification, Text
from scumble.errors import DomainError, SpecificationError
from scumble.mechanisms import GaussianNoise, RandomizedResponse
from scumble.schema import own_mechanism

TEXTS = ["Ada", None, "a note, with a comma\nand a second line"]


@pytest.mark.parametrize(
    "column",
    [
        TEXTS,
        np.array(TEXTS, dtype=object),
        pa.array(TEXTS),
        pa.chunked_array([TEXTS[:1], TEXTS[1:]]),
        pa.array(TEXTS).dictionary_encode(),
        pd.Series(TEXTS),
        pd.Series(TEXTS, dtype=object),
        pd.Series(TEXTS, dtype="category"),
        pl.Series(TEXTS),
        pl.Series(TEXTS, dtype=pl.Categorical),
    ],
    ids=lambda c: str(getattr(c, "dtype", type(c))),
)
def test_any_column_of_text_is_an_arrow_array(column):
    found = Text().conform(column)

    assert isinstance(found, pa.Array)
    assert found.to_pylist() == TEXTS


@pytest.mark.parametrize("column", [[None, None], np.array([np.nan]), []])
def test_a_column_without_a_value_is_text(column):
    assert Text().conform(column).null_count == len(column)


@pytest.mark.parametrize("column", [[271828], pd.Series([True]), [["secret"]], ["secret", 3]])
def test_what_is_no_text_is_refused_and_not_shown(column):
    with pytest.raises(DomainError, match="expected") as caught:
        Text().conform(column)

    assert "271828" not in all_texts(caught.value)
    assert "secret" not in all_texts(caught.value)


def test_it_is_public_or_withheld():
    assert Text().sensitivity == "public"
    assert own_mechanism(Text()).name == "identity"
    assert own_mechanism(Text(sensitivity="withheld")).name == "withheld"


@pytest.mark.parametrize(
    "options",
    [
        {"sensitivity": "private"},
        {"mechanism": RandomizedResponse(keep=0.5)},
        {"sensitivity": "public", "mechanism": GaussianNoise(sd=1)},
    ],
)
def test_no_channel_disguises_it(options):
    with pytest.raises(SpecificationError, match=r"no channel can disguise text.* treatment of"):
        Text(**options)


def test_an_unknown_sensitivity_is_refused():
    with pytest.raises(SpecificationError, match="sensitivity: expected public, private or"):
        Text(sensitivity="secret")


def test_it_survives_toml_json_and_pickle(tmp_path):
    spec = Specification({"note": Text(), "name": Text(sensitivity="withheld")})
    spec.to_toml(tmp_path / "a.toml")
    spec.to_json(tmp_path / "a.json")

    assert Specification.from_toml(tmp_path / "a.toml") == spec
    assert Specification.from_json(tmp_path / "a.json") == spec
    assert pickle.loads(pickle.dumps(spec))["name"] == Text(sensitivity="withheld")
    assert spec.digest != Specification({"note": Text(), "name": Text()}).digest


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('sensitivity = "private"', r"note\.mechanism: no channel can disguise text"),
        ('mechanism = { name = "gaussian", sd = 1 }', r"note\.mechanism: no channel can disguise"),
        ('values = ["a", "b"]', r"note\.values: unknown key"),
    ],
)
def test_an_error_names_the_file_the_key_and_the_remedy(tmp_path, line, message):
    path = tmp_path / "people.toml"
    path.write_text(f'[attributes.note]\nkind = "text"\n{line}\n')

    with pytest.raises(SpecificationError, match=message) as caught:
        Specification.from_toml(path)

    assert str(caught.value).startswith("people.toml: attributes.note")
    assert "\n" not in str(caught.value)


def test_it_is_no_class_and_no_domain():
    with pytest.raises(SpecificationError, match=r"expected a categorical .* got a text one"):
        Specification({"note": Text()}, class_attribute="note")
    spec = Specification({"note": Text(), "answer": Categorical(["no", "yes"])})
    with pytest.raises(SpecificationError, match=r"attributes\.note: .* got a text; nothing is"):
        spec.domain("note")
    assert spec.domain("answer") == spec["answer"]
