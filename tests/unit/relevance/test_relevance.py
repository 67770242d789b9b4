import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from error_texts import all_texts

from scumble.datasets import load_house_votes, load_pima
from scumble.errors import DatasetError, DomainError, SpecificationError, TableError
from scumble.relevance import MEASURES, information_gain, mdlp_cuts, relevance

# Gain of the values minus its mean over all orders of the labels.
PIMA_CORRECTED = [0.0456, 0.1527, 0.0096, 0.0286, 0.0540, 0.0515, 0.0214, 0.0867]


def _columns(n=120):
    rng = np.random.default_rng(8)
    labels = np.array(["no", "yes"])[rng.integers(0, 2, n)]
    age = np.where(labels == "yes", 50, 30) + rng.integers(-15, 16, n)
    days = np.datetime64("2020-01-01", "D") + age
    town = np.where(rng.random(n) < 0.8, labels, "other").tolist()
    town[:20] = [None] * 20
    return {"age": age, "day": days, "town": town, "same": np.ones(n), "id": np.arange(n)}, labels


@pytest.mark.parametrize("kind", [pa.table, pd.DataFrame, pl.DataFrame])
def test_all_tables_give_the_same(kind):
    columns, labels = _columns()

    assert relevance(kind(columns), labels) == relevance(pa.table(columns), labels.tolist())


def test_the_class_may_be_a_column():
    columns, labels = _columns()
    table = pa.table({"class": labels, **columns})

    assert relevance(table, "class") == relevance(pa.table(columns), labels)
    with pytest.raises(TableError, match="y: expected the name of a column, got 'klass'"):
        relevance(table, "klass")


def test_an_array_has_numbered_columns():
    found = relevance(np.array([[1.0, 5.0], [2.0, 5.0]]), [0, 1])

    assert [row.name for row in found] == ["x0", "x1"]


def test_cells_of_numbers_are_intervals_values_or_bytes():
    values = np.array([0.2, 0.9, 256.0, 257.5, -1.0, 255.0] * 10)
    labels = np.array([0, 0, 0, 1, 1, 1] * 10)
    X = values[:, None]
    gains = {d: relevance(X, labels, discretization=d)["x0"].gain for d in ("values", "bytes")}

    assert gains["values"] == pytest.approx(1)
    # As bytes they are 0 0 0 1 255 255.
    assert gains["bytes"] == pytest.approx(information_gain([[30, 0], [0, 10], [0, 20]]))
    cuts = mdlp_cuts(values, labels)
    found = relevance(X, labels)["x0"]
    assert found.cuts == cuts
    cells = np.digitize(values, cuts, right=True)
    table = [[np.sum((cells == i) & (labels == c)) for c in (0, 1)] for i in range(len(cuts) + 1)]
    assert found.gain == pytest.approx(information_gain(table))


def test_dates_count_as_days():
    columns, labels = _columns()
    found = relevance(pa.table(columns), labels)
    age, day = found["age"], found["day"]

    shift = (np.datetime64("2020-01-01") - np.datetime64("1970-01-01")).astype(int)
    assert day.cuts == pytest.approx([cut + shift for cut in age.cuts])
    assert day.gain == age.gain > 0.1
    assert day.correlation == pytest.approx(age.correlation)


def test_the_known_records_are_measured_and_scaled_by_their_share():
    columns, labels = _columns()
    whole = relevance(pa.table(columns), labels)["town"]
    known = relevance(pa.table(columns).slice(20), labels[20:])["town"]

    assert (whole.records, whole.missing, known.missing) == (120, 20, 0)
    for measure in MEASURES[:-1]:
        assert whole.of(measure) == pytest.approx(known.of(measure) * 100 / 120)
    assert whole.correlation is None


def test_a_missing_value_may_mean_something():
    labels = np.array([0, 0, 0, 1, 1, 1])
    X = pa.table({"vote": ["y", "n", "y", None, None, None], "number": [1.0, 2, 1, None, None, 2]})

    plain, meant = (
        relevance(X, labels, missing_as_value=names)["vote"] for names in ([], ["vote"])
    )
    assert plain.gain == 0
    assert meant.gain == pytest.approx(1)
    assert relevance(X, labels, missing_as_value=["number"])["number"].gain == pytest.approx(
        information_gain([[3, 1], [0, 2]])
    )


@pytest.mark.parametrize("labels", [["a"] * 6, list("aaaaab"), list("abcdef")])
def test_hard_columns_have_finite_measures(labels):
    X = pa.table(
        {
            "constant": [3] * 6,
            "missing": pa.nulls(6),
            "missing text": pa.array([None] * 6, pa.string()),
            "one": [1, None, None, None, None, None],
            "unique": list("uvwxyz"),
            "infinite": [1.0, math.inf, -math.inf, 2.0, 3.0, math.nan],
        }
    )
    for discretization in ("mdlp", "values", "bytes"):
        for meant in ([], X.column_names):
            found = relevance(X, labels, discretization=discretization, missing_as_value=meant)
            for row in found:
                assert all(math.isfinite(row.of(measure)) for measure in MEASURES)
            for name in ("constant", "missing", "missing text"):
                assert found[name].gain == found[name].corrected_gain == 0
            assert found["unique"].gain == pytest.approx(found.class_entropy)
            assert found["unique"].corrected_gain == pytest.approx(0, abs=1e-12)
            assert found["infinite"].correlation is None or len(set(labels)) == 1
            json.dumps(found.to_dict(), allow_nan=False)


def test_a_table_may_have_no_columns_but_needs_records():
    assert len(relevance(pa.table({"class": [0, 1]}), "class")) == 0
    with pytest.raises(TableError, match="expected classes, got none"):
        relevance(pa.table({"x": pa.array([], pa.int64())}), [])


def test_pima_without_chance():
    try:
        X, y = load_pima()
    except DatasetError:
        pytest.skip("the data set was not found")
    found = relevance(X, y)

    assert [row.corrected_gain for row in found] == pytest.approx(PIMA_CORRECTED, abs=1e-4)
    assert found.relevant() == ("glucose",)
    assert found["glucose"].gain == pytest.approx(0.190083, abs=1e-6)


def test_votes_that_were_not_cast_tell_more_as_a_value():
    try:
        X, y = load_house_votes()
    except DatasetError:
        pytest.skip("the data set was not found")
    plain, meant = relevance(X, y), relevance(X, y, missing_as_value=X.column_names)

    name = next(n for n in X.column_names if n.startswith("export_administration"))
    assert plain[name].gain < 0.08 < 0.1 < meant[name].gain


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"discretization": "mdpl"}, "did you mean 'mdlp'"),
        ({"minimum": 0}, "minimum: expected a whole number"),
        ({"missing_as_value": ["aeg"]}, "no column 'aeg'; did you mean 'age'"),
        ({"missing_as_value": "age"}, "expected a list of names"),
    ],
)
def test_options_are_checked(options, text):
    columns, labels = _columns()
    with pytest.raises(SpecificationError, match=text):
        relevance(pa.table(columns), labels, **options)


def test_errors_name_the_column_and_show_no_record():
    table = pd.DataFrame({"mixed": pd.Series(["secret", 3], dtype=object)})
    with pytest.raises(DomainError, match="column 'mixed': expected values of one type") as caught:
        relevance(table, [0, 1])
    assert "secret" not in all_texts(caught.value)
    with pytest.raises(TableError, match="y: expected a class for each of 2 records, got 1"):
        relevance(pa.table({"x": [1, 2]}), [0])


def test_a_table_of_counts_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("scumble.relevance._relevance.MOST_COUNTS", 10)

    with pytest.raises(TableError, match="column 'x': expected at most 10 counts of values"):
        relevance(pa.table({"x": list(range(5))}), [0, 1, 0, 1, 0])
