import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from error_texts import all_texts

from scumble import Categorical, Coding, Date, Numeric, Specification, Text, disguise, provenance
from scumble.columns import as_arrow
from scumble.dates import as_days
from scumble.errors import DomainError, EntropyError, SpecificationError, TableError
from scumble.mechanisms import (
    GaussianNoise,
    LaplaceNoise,
    RandomizedResponse,
    UniformNoise,
    UnrelatedQuestion,
    Warner,
    joint_channel,
)
from scumble.schema import with_mechanism
from scumble.testing._goodness import agrees

SECRET = b"sixteen bytes or more"
COLUMNS = {
    "age": [34.0, None, 51.0],
    "colour": ["red", "blue", None],
    "town": ["s", "m", None],
    "name": ["ada", "bob", "eve"],
}


@pytest.fixture
def spec():
    return Specification(
        {
            "age": Numeric(20, 80, mechanism=GaussianNoise(privacy=1.0)),
            "colour": Categorical(["red", "blue"], mechanism=RandomizedResponse(keep=0.7)),
            "town": Categorical(["s", "m"]),
            "name": Categorical(["ada", "bob", "eve"], sensitivity="withheld"),
        },
        class_attribute="income",
    )


def _columns(table):
    if isinstance(table, pd.DataFrame):
        table = pa.Table.from_pandas(table, preserve_index=False)
    elif isinstance(table, pl.DataFrame):
        table = table.to_arrow()
    return {name: table[name].to_pylist() for name in table.column_names}


@pytest.mark.parametrize("kind", [pa.table, pd.DataFrame, pl.DataFrame])
def test_any_table_comes_back_as_its_own_kind(spec, kind):
    truth = kind(COLUMNS)

    reports = disguise(truth, spec, seed=1)

    assert type(reports) is type(truth)
    columns = _columns(reports)
    assert columns == _columns(disguise(pa.table(COLUMNS), spec, seed=1))
    assert list(columns) == list(COLUMNS)
    assert columns["town"] == ["s", "m", None]
    assert columns["name"] == [None, None, None]
    assert columns["age"][1] is None
    assert columns["colour"][2] is None


@pytest.mark.parametrize("kind", [pa.table, pd.DataFrame, pl.DataFrame])
def test_the_truth_is_left_alone(spec, kind):
    truth = kind(COLUMNS)

    disguise(truth, spec)

    assert _columns(truth) == COLUMNS


def test_an_index_that_may_name_people_stays_behind(spec):
    truth = pd.DataFrame(COLUMNS, index=pd.Index(["ada", "bob", "eve"], name="person"))
    truth.attrs["source"] = "ada, bob and eve"

    reports = disguise(truth, spec, seed=1)

    assert reports.index.tolist() == [0, 1, 2]
    assert reports.index.name is None
    assert list(reports.attrs) == ["scumble"]
    pd.testing.assert_frame_equal(reports, disguise(pd.DataFrame(COLUMNS), spec, seed=1))


def test_metadata_that_may_name_people_stays_behind(spec):
    truth = pa.table(COLUMNS).replace_schema_metadata({"raw": "ada, bob and eve"})

    assert list(disguise(truth, spec).schema.metadata) == [b"scumble"]


def test_a_table_of_public_columns_is_a_copy():
    spec = Specification({"age": Numeric(20, 80)})
    truth = pd.DataFrame({"age": [30.0]})

    reports = disguise(truth, spec)

    assert reports is not truth
    assert truth.attrs == {}


def test_masked_values_are_missing():
    spec = Specification({"age": Numeric(0, 1, mechanism=UniformNoise(half_width=0.1))})
    truth = np.ma.array([[0.5], [0.9]], mask=[[False], [True]])

    assert np.isnan(disguise(truth, spec)).tolist() == [[False], [True]]


def test_an_array_of_text_is_disguised():
    answer = Categorical(["no", "yes"], mechanism=Warner(keep=1.0))
    spec = Specification({"a": answer, "b": answer})
    truth = np.array([["no", "yes"], ["yes", "no"]])

    assert disguise(truth, spec).tolist() == truth.tolist()


@pytest.mark.parametrize("dtype", ["category", pd.CategoricalDtype(["s", "m", "SECRET"])])
def test_a_list_of_values_that_a_public_column_does_not_use_stays_behind(spec, dtype):
    truth = pd.DataFrame(COLUMNS).astype({"town": dtype})
    truth.columns.name = "SECRET"

    reports = disguise(truth, spec)

    assert "SECRET" not in repr(reports["town"].dtype)
    assert reports.columns.name is None
    assert reports["town"].tolist()[:2] == ["s", "m"]


def test_metadata_of_a_public_column_stays_behind():
    field = pa.field("age", pa.float64(), metadata={"who": "SECRET"})
    truth = pa.table([[30.0]], schema=pa.schema([field]))

    reports = disguise(truth, Specification({"age": Numeric(20, 80)}))

    assert reports.schema.field("age").metadata is None


def test_what_is_withheld_need_not_fit_a_domain():
    spec = Specification({"born": Numeric(0, 1, sensitivity="withheld")})
    truth = pd.DataFrame({"born": pd.to_datetime(["1970-01-01", "1980-01-01"])})

    assert disguise(truth, spec)["born"].isna().all()


def test_infinite_truths_are_outside_an_infinite_domain_too():
    spec = Specification({"age": Numeric(0, float("inf"), mechanism=GaussianNoise(sd=1))})

    with pytest.raises(DomainError, match="1 of 1"):
        disguise(np.array([[np.inf]]), spec)


def test_an_array_of_coded_categories_stays_an_array_of_numbers():
    spec = Specification({"a": Categorical([1, 2, 3], mechanism=RandomizedResponse(keep=0.9))})

    reports = disguise(np.array([[1.0], [np.nan], [3.0]]), spec)

    assert reports.dtype == float
    assert np.isnan(reports[1, 0])


def test_an_array_comes_back_as_an_array():
    noisy = Numeric(0, 10, mechanism=UniformNoise(half_width=1))
    spec = Specification(
        {"a": noisy, "b": Numeric(0, 10), "y": Categorical([0, 1])}, class_attribute="y"
    )
    truth = np.array([[1, 2], [3, 4]])

    reports = disguise(truth, spec)

    assert reports.dtype == float
    assert (np.abs(reports[:, 0] - truth[:, 0]) <= 1.001).all()
    assert reports[:, 1].tolist() == [2, 4]
    assert truth.tolist() == [[1, 2], [3, 4]]


def test_an_array_with_the_class_may_hold_objects(spec):
    truth = np.array([[34.0, "red", "s", "ada"], [None, None, "m", "bob"]], dtype=object)

    reports = disguise(truth, spec, seed=1)

    assert reports.dtype == object
    assert isinstance(reports[0, 0], float)
    assert reports[1, 1] is None


def test_integers_and_booleans_are_numbers_too(spec):
    spec = Specification({"age": Numeric(0, 80, mechanism=GaussianNoise(sd=1))})

    for column in ([34, None], [True, False], pd.array([34, None], dtype="Int64")):
        reports = disguise(pd.DataFrame({"age": column}), spec)

        assert reports["age"].dtype == float


@pytest.mark.parametrize("rows", [0, 1])
def test_an_empty_table_and_a_single_row_are_disguised(spec, rows):
    truth = pa.table(COLUMNS).slice(0, rows)

    assert disguise(truth, spec).num_rows == rows


def test_a_constant_column_is_disguised_like_any_other():
    spec = Specification({"age": Numeric(20, 80, mechanism=GaussianNoise(privacy=1.0))})

    reports = disguise(pa.table({"age": [50.0] * 1000}), spec)["age"].to_numpy()

    assert len(np.unique(reports)) > 100


def test_noise_is_fresh_without_a_seed_and_repeats_with_one(spec):
    truth = pa.table(COLUMNS)

    assert disguise(truth, spec, seed=1) == disguise(truth, spec, seed=1)
    assert disguise(truth, spec)["age"] != disguise(truth, spec)["age"]
    assert disguise(truth, spec, seed=1)["age"] != disguise(truth, spec, seed=2)["age"]


@pytest.mark.parametrize("kind", [pa.table, pd.DataFrame])
def test_a_report_says_which_specification_made_it_and_whether_a_seed_did(spec, kind):
    seeded = provenance(disguise(kind(COLUMNS), spec, seed=1))
    secure = provenance(disguise(kind(COLUMNS), spec))

    assert (seeded.digest, seeded.seeded) == (spec.digest, True)
    assert (secure.digest, secure.seeded) == (spec.digest, False)
    assert provenance(kind(COLUMNS)) is None
    assert provenance(disguise(pl.DataFrame(COLUMNS), spec)) is None


def test_the_same_entity_gives_the_same_report_in_any_table(spec):
    truth = pa.table(COLUMNS)
    first = disguise(truth, spec, secret=SECRET, entities=[11, 12, 13])
    again = disguise(truth.take([2, 0]), spec, secret=SECRET, entities=["13", "11"])

    assert again["age"].to_pylist() == first["age"].take([2, 0]).to_pylist()
    assert again["colour"].to_pylist() == first["colour"].take([2, 0]).to_pylist()


@pytest.mark.parametrize(
    "pair",
    [
        [Numeric(20, 80, mechanism=GaussianNoise(sd=sd)) for sd in (5, 10)],
        [Numeric(20, high, mechanism=GaussianNoise(privacy=1.0)) for high in (80, 100)],
        [Numeric(20, high, mechanism=LaplaceNoise(epsilon=1.0)) for high in (80, 100)],
        [Numeric(20, 80, step=step, mechanism=GaussianNoise(sd=5)) for step in (None, 1)],
        [Numeric(20, 80, atoms=atoms, mechanism=GaussianNoise(sd=5)) for atoms in ((), (50,))],
        [Numeric(20, 80, mechanism=GaussianNoise(sd=5, grid=grid)) for grid in (None, 0.5)],
        [Numeric(20, 80, mechanism=cls(privacy=1.0)) for cls in (GaussianNoise, LaplaceNoise)],
    ],
)
def test_fixed_noise_at_two_scales_does_not_give_the_truth_away(pair):
    """With the same draw at two scales, two reports would determine the truth."""
    truth = pa.table({"age": np.full(2000, 50.0)})
    noise = []
    for attribute in pair:
        spec = Specification({"age": attribute})
        reports = disguise(truth, spec, secret=SECRET, entities=np.arange(2000))
        noise.append(reports["age"].to_numpy() - 50)

    # Independent: |r| above 0.11 has a probability of 1e-6.
    assert abs(np.corrcoef(noise)[0, 1]) < 0.11


def test_fixed_noise_of_reordered_values_does_not_give_the_truth_away():
    """The same draw would choose the same place in two orders; agreement shows it."""
    reports = []
    for values in ("abc", "bac"):
        attribute = Categorical(list(values), mechanism=RandomizedResponse(keep=0))
        spec = Specification({"x": attribute})
        truth = pa.table({"x": ["c"] * 4000})
        reports.append(disguise(truth, spec, secret=SECRET, entities=np.arange(4000))["x"])

    same = np.mean(np.array(reports[0]) == np.array(reports[1]))
    # Independent: half of them agree, off by 0.04 with a probability of 1e-6.
    assert abs(same - 0.5) < 0.04


def test_fixed_noise_changes_with_the_group():
    """The same harmless answer under two coins would show the truth where reports differ."""

    def answer(values):
        return Categorical(values, mechanism=UnrelatedQuestion(keep=0.5, group="g"))

    truth = pa.table({"x": ["a"] * 8000, "y": ["u"] * 8000})
    reports = []
    for other in (["u", "v"], ["u", "v", "w"]):
        spec = Specification({"x": answer(list("abcd")), "y": answer(other)})
        reports.append(disguise(truth, spec, secret=SECRET, entities=np.arange(8000))["x"])

    same = np.mean(np.array(reports[0]) == np.array(reports[1]))
    # A report is a with probability 5/8 and each other value with 1/8.
    assert same == pytest.approx((25 + 3) / 64, abs=0.03)


@pytest.mark.parametrize(
    "options",
    [
        {"secret": SECRET},
        {"entities": [1, 2, 3]},
        {"secret": SECRET, "entities": [1, 2, 3], "seed": 1},
    ],
)
def test_half_a_request_for_fixed_noise_is_refused(spec, options):
    with pytest.raises(EntropyError, match="secret and entities together and no seed"):
        disguise(pa.table(COLUMNS), spec, **options)


def test_entities_of_another_table_are_refused(spec):
    with pytest.raises(EntropyError, match="expected 2 records"):
        disguise(pa.table(COLUMNS), spec, secret=SECRET, entities=[1, 2])


def test_a_column_that_is_not_declared_is_never_passed_on(spec):
    truth = pa.table({**COLUMNS, "ssn": ["1", "2", "3"]})

    with pytest.raises(TableError, match="1 that it does not declare") as caught:
        disguise(truth, spec)

    # Without a header the first record would stand where names belong.
    assert "ssn" not in str(caught.value)


def test_a_specification_for_another_table_is_refused(spec):
    with pytest.raises(TableError, match="3 of its own missing: 'colour', 'town', 'name'"):
        disguise(pa.table({"age": [1.0]}), spec)


def test_the_class_column_may_be_absent_but_not_undeclared(spec):
    truth = pa.table({**COLUMNS, "income": ["low", "high", "low"]})
    declared = Specification(
        {**spec.attributes, "income": Categorical(["low", "high"])}, class_attribute="income"
    )

    assert disguise(pa.table(COLUMNS), declared).num_rows == 3
    assert disguise(truth, declared)["income"].to_pylist() == ["low", "high", "low"]
    with pytest.raises(TableError, match="declare every column, the class too"):
        disguise(truth, spec)


def test_duplicate_column_names_are_refused(spec):
    table = pd.DataFrame([[1.0, 2.0]], columns=["age", "age"])

    with pytest.raises(TableError, match="each column name once") as caught:
        disguise(table, spec)
    assert "age" not in all_texts(caught.value)
    with pytest.raises(TableError, match="each column name once"):
        disguise(pa.Table.from_arrays([[1.0], [2.0]], names=["age", "age"]), spec)


@pytest.mark.parametrize("column", ["age", "town"])
def test_values_outside_the_domain_are_counted_by_column_and_not_shown(spec, column):
    wrong = {"age": [34.0, 93.125, None], "town": ["s", "xyz", None]}[column]

    with pytest.raises(DomainError, match=f"column '{column}': 1 of 3") as caught:
        disguise(pa.table({**COLUMNS, column: wrong}), spec)

    assert "93" not in str(caught.value)
    assert "xyz" not in str(caught.value)


@pytest.mark.parametrize("kind", [pa.table, pd.DataFrame, pl.DataFrame])
def test_text_where_numbers_belong_is_refused_without_showing_it(spec, kind):
    with pytest.raises(DomainError, match="column 'age': expected numbers") as caught:
        disguise(kind({**COLUMNS, "age": ["secret", "34", None]}), spec)

    assert "secret" not in all_texts(caught.value)


def test_mixed_types_in_a_column_are_refused_without_showing_them(spec):
    truth = pd.DataFrame({**COLUMNS, "colour": ["secret", 3, None]})

    with pytest.raises(DomainError, match="several in one column") as caught:
        disguise(truth, spec)

    assert "secret" not in all_texts(caught.value)


@pytest.mark.parametrize("table", [[1, 2], {"age": [1]}, None, "people.csv", np.zeros(3)])
def test_what_is_no_table_is_refused(spec, table):
    with pytest.raises(TableError):
        disguise(table, spec)


def test_attributes_of_a_group_share_the_coin_and_follow_the_joint_channel():
    """Four cells of joint reports, error rate 1e-6; independent coins would be caught."""

    def answers(group):
        return Categorical(["no", "yes"], mechanism=Warner(keep=0.8, group=group))

    spec = Specification({"smoker": answers("health"), "drinker": answers("health")})
    apart = Specification({"smoker": answers("one"), "drinker": answers("two")})
    truth = pa.table({"smoker": ["yes"] * 20_000, "drinker": ["no"] * 20_000})
    expected = joint_channel(spec, group="health").matrix[2]

    def counts(spec):
        reports = disguise(truth, spec)
        codes = [spec[name].conform(reports[name]) for name in ("smoker", "drinker")]
        return np.bincount(2 * codes[0] + codes[1], minlength=4)

    assert agrees(counts(spec), expected, alpha=1e-6)
    assert not agrees(counts(apart), expected, alpha=1e-6)


def test_an_unknown_mechanism_is_refused_with_a_suggestion():
    table = {"kind": "numeric", "low": 0, "high": 1, "mechanism": {"name": "gauss", "sd": 1}}

    with pytest.raises(SpecificationError, match="did you mean 'gaussian'"):
        Specification.from_dict({"attributes": {"age": table}})


BORN = Date("1940-01-01", "2009-12-31", mechanism=GaussianNoise(sd=365))
DATES = [datetime.date(1984, 3, 2), None, datetime.date(2009, 12, 31)]
DATED = {
    "pandas datetime64[ns]": (pd.Series(DATES, dtype="datetime64[ns]").to_frame("born"), "us"),
    "pandas datetime64[s]": (pd.Series(DATES, dtype="datetime64[s]").to_frame("born"), "s"),
    "pandas objects": (pd.Series(DATES, dtype=object).to_frame("born"), None),
    "polars Date": (pl.DataFrame({"born": DATES}), None),
    "polars Datetime": (pl.DataFrame({"born": pl.Series(DATES).cast(pl.Datetime("ms"))}), "ms"),
    "arrow date32": (pa.table({"born": DATES}), None),
    "arrow timestamp": (pa.table({"born": pa.array(DATES).cast(pa.timestamp("s"))}), "s"),
    "text": (pa.table({"born": [None if d is None else str(d) for d in DATES]}), None),
}


@pytest.mark.parametrize(("truth", "unit"), DATED.values(), ids=list(DATED))
def test_dates_come_back_as_the_kind_that_came_in(truth, unit):
    spec = Specification({"born": BORN})

    reports = disguise(truth, spec, seed=1)

    before, after = (as_arrow(table["born"]).type for table in (truth, reports))
    assert after == (before if unit != "us" else pa.timestamp("us"))
    if isinstance(truth, pd.DataFrame):
        assert reports["born"].dtype.kind == truth["born"].dtype.kind
    expected = as_days(disguise(pa.table({"born": DATES}), spec, seed=1)["born"])
    np.testing.assert_array_equal(as_days(reports["born"]), expected)
    assert np.isnan(expected).tolist() == [False, True, False]
    assert not (expected[[0, 2]] % 1).any()


def test_a_pandas_column_of_arrow_dates_stays_one():
    column = pd.Series(DATES, dtype=pd.ArrowDtype(pa.date32()))

    reports = disguise(column.to_frame("born"), Specification({"born": BORN}), seed=1)

    assert reports["born"].dtype == column.dtype


def test_a_zone_stays_and_a_day_is_the_day_there():
    times = pd.Series(pd.to_datetime(["1984-03-02 23:30", None])).dt.tz_localize("Asia/Tokyo")

    reports = disguise(times.to_frame("born"), Specification({"born": with_mechanism(BORN, None)}))

    assert reports["born"].dtype == times.dtype
    assert reports["born"][0] == pd.Timestamp("1984-03-02", tz="Asia/Tokyo")


@pytest.mark.parametrize("kind", ["datetime64[ns]", "datetime64[D]", object])
def test_an_array_of_dates_stays_one(kind):
    spec = Specification({"born": BORN, "hired": Date("1990-01-01", "2026-12-31")})
    truth = np.array([["1984-03-02", "2001-05-06"], ["NaT", "2002-07-08"]], "datetime64[D]")
    truth = truth.astype(kind)

    reports = disguise(truth, spec, seed=1)

    assert reports.dtype.kind == truth.dtype.kind
    assert np.isnan(as_days(reports[:, 0])).tolist() == [False, True]
    np.testing.assert_array_equal(as_days(reports[:, 1]), as_days(truth[:, 1]))


def test_an_array_of_dates_may_hold_answers_afterwards():
    era = Categorical(["before", "after"], coding=Coding(cuts=["1989-11-09"]))
    truth = np.array([["1984-03-02", "2001-05-06"]], "datetime64[ns]")

    reports = disguise(truth, Specification({"born": BORN, "era": era}), seed=1)

    assert reports.dtype == object
    assert reports[0, 1] == "after"
    assert not np.isnan(as_days(reports[:, 0])).any()


def test_a_time_of_day_is_not_passed_on_though_the_date_is_public():
    spec = Specification({"born": Date("1940-01-01", "2009-12-31")})
    truth = pa.table({"born": [datetime.datetime(1984, 3, 2, 13, 37), None]})

    reports = disguise(truth, spec)

    assert reports["born"].to_pylist() == [datetime.datetime(1984, 3, 2), None]


def test_a_date_outside_the_domain_is_counted_and_not_shown():
    truth = pl.DataFrame({"born": [datetime.date(1939, 12, 31), datetime.date(1940, 1, 1)]})

    with pytest.raises(DomainError, match="column 'born': 1 of 2 values lie outside") as caught:
        disguise(truth, Specification({"born": BORN}))

    assert "1939" not in all_texts(caught.value)


@pytest.mark.parametrize("kind", [pa.table, pd.DataFrame, pl.DataFrame])
def test_text_is_told_or_withheld(kind):
    born = Date("1940-01-01", "2009-12-31", sensitivity="withheld")
    spec = Specification({"note": Text(), "name": Text(sensitivity="withheld"), "born": born})
    columns = {"note": ["hello", None], "name": ["Ada", "Bob"], "born": ["not", "looked at"]}

    reports = _columns(disguise(kind(columns), spec))

    assert reports == {"note": ["hello", None], "name": [None, None], "born": [None, None]}


def test_text_that_lists_its_values_lists_only_those_that_are_there():
    column = pd.Series(pd.Categorical(["a", None], categories=["a", "a secret"]))

    reports = disguise(column.to_frame("note"), Specification({"note": Text()}))

    assert not isinstance(reports["note"].dtype, pd.CategoricalDtype)
    assert reports["note"][0] == "a"


def test_a_column_that_is_no_text_is_named():
    with pytest.raises(DomainError, match="column 'note': expected text, got a column of type int"):
        disguise(pa.table({"note": [1]}), Specification({"note": Text()}))


def test_a_dictionary_is_no_specification():
    with pytest.raises(SpecificationError, match="spec: expected a Specification, got dict"):
        disguise(pa.table({"age": [1]}), {"age": Numeric(0, 9)})
