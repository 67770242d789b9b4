"""A coding: raw values in, declared values out, everywhere that truths are read."""

import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from error_texts import all_texts

from scumble import (
    Categorical,
    Coding,
    Numeric,
    Specification,
    disguise,
    reconstruct,
)
from scumble.errors import DomainError, SpecificationError
from scumble.mechanisms import SharedCoin, Warner
from scumble.schema import Product

AGES = Coding(cuts=[37], missing="young")
TOWNS = Coding(lists=[["Oslo", "Bergen"], ["Rome"]])
COLUMNS = {
    "age": [37, 38, None, 90],
    "town": ["Oslo", "Rome", None, "Bergen"],
    "grade": [1.5, 2.5, 3.5, None],
    "name": ["ada", "bob", "eve", "dan"],
}
CODED = {
    "age": ["young", "old", "young", "old"],
    "town": ["north", "south", None, "north"],
    "grade": ["low", "middle", "high", None],
}
TOML = """
[attributes.age]
kind = "categorical"
values = ["young", "old"]
coding = { cuts = [37], missing = "young" }

[attributes.town]
kind = "categorical"
values = ["north", "south"]
coding = { lists = [["Oslo", "Bergen"], ["Rome"]] }
mechanism = { name = "warner", keep = 0.8 }
"""


def _spec(keep=None, **more):
    mechanism = None if keep is None else Warner(keep=keep, group="g")
    return Specification(
        {
            "age": Categorical(["young", "old"], coding=AGES, mechanism=mechanism),
            "town": Categorical(["north", "south"], coding=TOWNS, mechanism=mechanism),
            "grade": Categorical(["low", "middle", "high"], coding=Coding(cuts=[1.5, 2.5])),
            "name": Categorical(["x", "y"], sensitivity="withheld"),
        },
        **more,
    )


def _columns(table):
    if isinstance(table, pd.DataFrame):
        table = pa.Table.from_pandas(table, preserve_index=False)
    elif isinstance(table, pl.DataFrame):
        table = table.to_arrow()
    return {name: table[name].to_pylist() for name in CODED}


@pytest.mark.parametrize(
    "column",
    [
        [37, 38, None],
        [37.0, 37.5, math.nan],
        np.array([37.0, 38.0, np.nan], dtype=np.float32),
        np.ma.array([37, 38, 0], mask=[False, False, True]),
        pa.array([37, 38, None], type=pa.int8()),
        pa.array([37, 38, None], type=pa.decimal128(5, 2)),
        pa.chunked_array([[37], [38, None]]),
        pd.Series([37, 38, None], dtype="Int64"),
        pl.Series([37, 38, None]),
    ],
    ids=lambda column: type(column).__name__,
)
def test_numbers_of_any_type_are_coded_by_cuts(column):
    attribute = Categorical(["young", "old"], coding=Coding(cuts=[37]))

    assert attribute.conform(column).tolist() == [0, 1, -1]
    assert attribute.places(column).tolist() == [0, 1, -1]


def test_a_cut_belongs_to_the_values_below_it():
    attribute = Categorical(["a", "b", "c"], coding=Coding(cuts=[1, 2]))

    assert attribute.conform([-5, 1, 1.01, 2, 2.01]).tolist() == [0, 0, 1, 1, 2]


@pytest.mark.parametrize(
    ("lists", "column"),
    [
        ([["a", "b"], ["c"]], ["a", "c", "b", None]),
        ([["a", "b"], ["c"]], pd.Series(["a", "c", "b", None], dtype="category")),
        ([["a", "b"], ["c"]], pl.Series(["a", "c", "b", None], dtype=pl.Categorical)),
        ([[1, 2], [3]], [1.0, 3.0, 2.0, math.nan]),
        ([[1, 2], [3]], pa.array([1, 3, 2, None])),
        ([["1", "2"], ["3"]], pa.array([1, 3, 2, None])),
        ([[False], [True]], [False, True, False, None]),
    ],
)
def test_values_of_any_type_are_coded_by_lists(lists, column):
    attribute = Categorical(["first", "second"], coding=Coding(lists=lists))

    assert attribute.conform(column).tolist() == [0, 1, 0, -1]


def test_a_missing_value_counts_as_what_is_declared():
    attribute = Categorical([0, 1], coding=Coding(lists=[["y"], ["n"]], missing=1))

    assert attribute.conform(["y", None]).tolist() == [0, 1]
    assert attribute.conform([None, None]).tolist() == [1, 1]


def test_missing_may_be_all_that_is_behind_a_value():
    coding = Coding(lists=[[], ["a"], ["b"]], missing="unknown")

    assert Categorical(["unknown", "A", "B"], coding=coding).conform(["b", None]).tolist() == [2, 0]


def test_values_in_no_list_are_counted_and_not_shown():
    attribute = Categorical(["north", "south"], coding=TOWNS)

    with pytest.raises(DomainError, match="2 of 4 values are in no list of their coding") as caught:
        attribute.conform(["Oslo", "SECRET", None, "SECRET"])

    assert "SECRET" not in all_texts(caught.value)
    assert attribute.places(["Oslo", "SECRET", None]).tolist() == [0, -1, -1]


def test_unknown_values_are_not_taken_for_missing_ones():
    attribute = Categorical(["north", "south"], coding=Coding(lists=TOWNS.lists, missing="south"))

    with pytest.raises(DomainError, match="1 of 2"):
        attribute.conform(["Paris", None])


def test_infinite_numbers_are_counted():
    attribute = Categorical(["a", "b"], coding=Coding(cuts=[0]))

    with pytest.raises(DomainError, match="1 of 2 values are infinite"):
        attribute.conform([math.inf, 1.0])


@pytest.mark.parametrize("coding", [Coding(cuts=[0]), Coding(lists=[[1], [2]])])
def test_a_column_of_another_type_is_refused_without_showing_it(coding):
    with pytest.raises(DomainError) as caught:
        Categorical(["a", "b"], coding=coding).conform(["SECRET", "x"])

    assert "SECRET" not in all_texts(caught.value)


def test_what_is_behind_a_value_can_be_told():
    assert Coding(cuts=[1, 2]).behind(0) == (-math.inf, 1)
    assert Coding(cuts=[1, 2]).behind(2) == (2, math.inf)
    assert TOWNS.behind(1) == ("Rome",)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "expected exactly one of cuts, lists"),
        ({"cuts": [1], "lists": [["a"]]}, "expected exactly one of cuts, lists, got cuts and"),
        ({"cuts": []}, "cuts: expected finite numbers in ascending order"),
        ({"cuts": [2, 1]}, "cuts: expected finite numbers in ascending order"),
        ({"cuts": [1, 1]}, "cuts: expected finite numbers in ascending order"),
        ({"cuts": ["inf"]}, "cuts: expected finite numbers in ascending order"),
        ({"cuts": 37}, "cuts: expected a list of numbers"),
        ({"cuts": ["x"]}, "cuts: expected a number"),
        ({"lists": "ab"}, "lists: expected a list of lists"),
        ({"lists": ["ab", "c"]}, "lists: expected a list, got 'ab'"),
        ({"lists": [["a"], ["a"]]}, "lists: expected each value once"),
        ({"lists": [["a"], [1]]}, "lists: expected all text, all whole numbers or all booleans"),
        ({"lists": [[1.5], [2.5]]}, "lists: expected all text, all whole"),
        ({"lists": [[], []]}, "lists: expected at least one value"),
    ],
)
def test_a_coding_that_makes_no_sense_is_refused(parameters, message):
    with pytest.raises(SpecificationError, match=message):
        Coding(**parameters)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (("cuts = [37]", "cuts = [37, 50]"), r"age\.coding\.cuts: expected 1 for 2 values, got 2"),
        (('], ["Rome"]]', "]]"), r"town\.coding\.lists: expected 2 for 2 values, got 1"),
        (("cuts =", "cutz ="), r"age\.coding\.cutz: unknown key; did you mean 'cuts'"),
        (("cuts = [37], ", ""), r"age\.coding: expected exactly one of cuts, lists"),
        (('missing = "young"', 'missing = "middle"'), r"age\.coding\.missing: expected one of"),
        (('missing = "young"', "missing = 1"), r"age\.coding\.missing: expected one of"),
        (('missing = "young"', 'missing = ["young"]'), r"age\.coding\.missing: expected one of"),
        (('{ cuts = [37], missing = "young" }', "37"), r"age\.coding: expected a table, such as"),
    ],
)
def test_an_error_names_the_key_and_the_remedy(tmp_path, wrong, message):
    text = TOML.replace(*wrong)
    assert text != TOML
    (tmp_path / "people.toml").write_text(text)

    with pytest.raises(SpecificationError, match=r"people\.toml: attributes\." + message):
        Specification.from_toml(tmp_path / "people.toml")


def test_truth_values_and_numbers_are_told_apart_in_what_missing_counts_as():
    with pytest.raises(SpecificationError, match=r"coding\.missing"):
        Categorical([0, 1], coding=Coding(cuts=[0], missing=True))


def test_what_is_no_coding_is_refused():
    with pytest.raises(SpecificationError, match="coding: expected a Coding, got dict"):
        Categorical(["a", "b"], coding={"cuts": [1]})


def test_a_number_has_no_coding():
    table = {"kind": "numeric", "low": 0, "high": 1, "coding": {"cuts": [0.5]}}

    with pytest.raises(SpecificationError, match=r"attributes\.x\.coding: unknown key"):
        Specification.from_dict({"attributes": {"x": table}})


def test_the_class_has_no_coding():
    attribute = Categorical(["young", "old"], coding=AGES)

    with pytest.raises(SpecificationError, match=r"attributes\.age\.coding: .* the class; code"):
        Specification({"age": attribute, "x": Numeric(0, 1)}, class_attribute="age")


def test_a_coding_survives_files_and_pickle(tmp_path):
    spec = _spec(0.8)
    spec.to_toml(tmp_path / "a.toml")
    spec.to_json(tmp_path / "a.json")

    for copy in (
        Specification.from_toml(tmp_path / "a.toml"),
        Specification.from_json(tmp_path / "a.json"),
        pickle.loads(pickle.dumps(spec)),
    ):
        assert copy == spec
        assert copy["age"].coding == AGES
        assert copy["town"].coding == TOWNS


def test_the_digest_minds_the_coding(tmp_path):
    (tmp_path / "one.toml").write_text(TOML)
    one = Specification.from_toml(tmp_path / "one.toml")
    texts = ["cuts = [37.0]", "cuts = [38]", 'cuts = [37], missing = "old"', "cuts = [37]"]
    digests = []
    for text in texts:
        (tmp_path / "other.toml").write_text(TOML.replace('cuts = [37], missing = "young"', text))
        digests.append(Specification.from_toml(tmp_path / "other.toml").digest)

    assert len({*digests, one.digest}) == 4  # 37 and 37.0 are the same


def test_what_is_told_has_no_coding():
    spec = _spec(0.8)

    assert spec["age"].told == Categorical(["young", "old"], mechanism=Warner(keep=0.8, group="g"))
    assert Numeric(0, 1).told == Numeric(0, 1)
    assert Categorical(["a", "b"]).told == Categorical(["a", "b"])


@pytest.mark.parametrize("kind", [pa.table, pd.DataFrame, pl.DataFrame])
def test_a_raw_table_is_disguised(kind):
    reports = disguise(kind(COLUMNS), _spec(1.0))

    assert type(reports) is type(kind(COLUMNS))
    assert _columns(reports) == CODED


@pytest.mark.parametrize("kind", [pa.table, pd.DataFrame, pl.DataFrame])
def test_public_columns_come_out_coded(kind):
    assert _columns(disguise(kind(COLUMNS), _spec())) == CODED


def test_all_values_are_reversed_by_a_coin_that_always_lies():
    reports = _columns(disguise(pa.table(COLUMNS), _spec(0)))

    assert reports["age"] == ["old", "young", "old", "young"]
    assert reports["town"] == ["south", "north", None, "south"]


def test_an_array_of_numbers_is_disguised():
    spec = Specification(
        {
            "age": Categorical(["young", "old"], coding=Coding(cuts=[37])),
            "pay": Numeric(0, 10),
        }
    )

    reports = disguise(np.array([[30.0, 1.0], [np.nan, np.nan], [40.0, 3.0]]), spec)

    assert reports[:, 0].tolist() == ["young", None, "old"]
    assert spec["pay"].conform(reports[:, 1])[[0, 2]].tolist() == [1, 3]


def test_an_array_of_numbers_coded_to_numbers_stays_one():
    spec = Specification({"age": Categorical([0, 1], coding=Coding(cuts=[37]))})

    reports = disguise(np.array([[30.0], [np.nan], [40.0]]), spec)

    assert reports.dtype == float
    np.testing.assert_array_equal(reports, [[0], [np.nan], [1]])


def test_an_error_of_disguise_names_the_column_and_no_record():
    columns = COLUMNS | {"town": ["Oslo", "SECRET", "Rome", None]}

    with pytest.raises(DomainError, match="column 'town': 1 of 4 values are in no list") as caught:
        disguise(pa.table(columns), _spec(0.8))

    assert "SECRET" not in all_texts(caught.value)


def test_fixed_noise_belongs_to_the_entity_and_its_coding():
    truth = pa.table({"age": [30] * 2000})
    reports = []
    for cut in (37, 37, 38):
        attribute = Categorical([0, 1], coding=Coding(cuts=[cut]), mechanism=Warner(keep=0.7))
        options = {"secret": b"sixteen bytes or more", "entities": np.arange(2000)}
        reports.append(np.array(disguise(truth, Specification({"age": attribute}), **options)[0]))

    assert (reports[0] == reports[1]).all()
    # Else reports under two codings would be one; .58 of independent ones agree.
    assert np.mean(reports[0] == reports[2]) == pytest.approx(0.58, abs=0.06)


def test_reports_are_reconstructed_as_declared_values():
    attribute = Categorical(["young", "old"], coding=Coding(cuts=[37]), mechanism=Warner(keep=0.9))
    truth = np.repeat([20, 60], [9000, 3000])
    reports = disguise(pa.table({"age": truth}), Specification({"age": attribute}), seed=1)["age"]

    found = reconstruct(reports, attribute)

    assert found.shares[0] == pytest.approx(0.75, abs=0.03)
    found.plot(truth=truth)


def test_reports_of_a_group_are_reconstructed_together():
    both = Product([_spec()["age"], _spec()["town"]])

    found = reconstruct([["old", "young"], ["north", "south"]], SharedCoin(keep=1), domain=both)

    assert found.shares.tolist() == [0, 0.5, 0.5, 0]
    assert both.conform([[40, None], ["Oslo", "Rome"]]).tolist() == [2, 1]
