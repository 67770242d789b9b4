"""Trees that test dates, in any kind of table, end to end; and that leave text out."""

import datetime
import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scumble import (
    Categorical,
    Date,
    DisguisedTreeClassifier,
    Numeric,
    Specification,
    Text,
    disguise,
    reconstruct,
)
from scumble.errors import DomainError, ModelError, SpecificationError
from scumble.mechanisms import GaussianNoise, UniformNoise, ValueClasses
from scumble.mining import Party
from scumble.mining._naive_bayes import DisguisedNaiveBayesClassifier
from scumble.schema import with_mechanism

BORN = Date("1940-01-01", "2009-12-31", mechanism=GaussianNoise(privacy=0.25))
CUT = datetime.date(1984, 3, 2)
YEAR = datetime.timedelta(365)
MAKERS = {
    "pandas": lambda columns: pd.DataFrame(columns),
    "polars": lambda columns: pl.DataFrame(columns),
    "pyarrow": lambda columns: pa.table(columns),
}


def _spec(born=BORN):
    return Specification(
        {
            "born": born,
            "height": Numeric(100, 220, mechanism=GaussianNoise(privacy=0.25)),
            "note": Text(),
            "name": Text(sensitivity="withheld"),
        },
        class_attribute="group",
    )


def _columns(records, seed):
    """Return people, of whom those born from a date on are of another group."""
    rng = np.random.default_rng(seed)
    days = rng.integers(int(BORN.low), int(BORN.high) + 1, records)
    born = days.astype("datetime64[D]")
    columns = {
        "born": born.astype("datetime64[ms]"),
        "height": rng.normal(170, 10, records).clip(100, 220),
        "note": ["hello"] * records,
        "name": ["Ada"] * records,
    }
    return columns, np.where(born < np.datetime64(CUT), "old", "young")


@pytest.mark.parametrize(
    ("kind", "method"), [*((kind, "byclass") for kind in MAKERS), ("polars", "likelihood")]
)
def test_a_table_with_dates_is_disguised_reconstructed_and_mined(kind, method, tmp_path):
    columns, y = _columns(3000, seed=1)
    spec, table = _spec(), MAKERS[kind](columns)

    reports = disguise(table, spec, seed=2)
    found = reconstruct(reports["born"], spec["born"])
    tree = DisguisedTreeClassifier(spec, method=method, random_state=0).fit(reports, y)

    assert type(reports) is type(table)
    assert abs(found.mean - datetime.date(1975, 1, 1)) < YEAR
    assert found.wasserstein(columns["born"]) < 1000
    # At a quarter of the range few are uncertain: those within some years of the border.
    assert tree.score(table, y) > 0.9
    first = tree.to_text().splitlines()[0]
    assert first.startswith("born < 19")
    threshold = datetime.date.fromisoformat(first.removeprefix("born < ")[:10])
    assert abs(threshold - CUT) < 5 * YEAR
    assert f"born < {threshold}" in str(tree.rules()[0])
    tree.to_json(tmp_path / "a.json")
    again = DisguisedTreeClassifier.from_json(tmp_path / "a.json")
    assert (again.predict(table) == tree.predict(table)).all()
    assert again.to_text() == tree.to_text()
    assert json.loads((tmp_path / "a.json").read_text())["nodes"][0]["below"] == str(threshold)


def test_every_kind_of_table_gives_the_same_tree():
    columns, y = _columns(2000, seed=1)
    texts = {
        DisguisedTreeClassifier(_spec(), method="byclass")
        .fit(disguise(make(columns), _spec(), seed=2), y)
        .to_text()
        for make in MAKERS.values()
    }

    assert len(texts) == 1


@pytest.mark.parametrize("method", ["byclass", "local", "global", "uncorrected", "likelihood"])
@pytest.mark.parametrize(
    "mechanism", [UniformNoise(privacy=0.25), ValueClasses(count=10), None], ids=str
)
def test_every_method_takes_dates_told_by_any_channel_and_missing_ones(method, mechanism):
    columns, y = _columns(1500, seed=3)
    born = columns["born"].copy()
    born[::20] = np.datetime64("NaT")
    spec = _spec(with_mechanism(BORN, mechanism))
    table = pd.DataFrame(columns | {"born": born})

    tree = DisguisedTreeClassifier(spec, method=method, random_state=0)
    tree.fit(disguise(table, spec, seed=4), y)

    assert tree.score(table, y) > 0.8
    assert not (tree.tree_.threshold[np.isfinite(tree.tree_.threshold)] % 1).any()


def test_inversion_takes_dates_in_clear():
    columns, y = _columns(1000, seed=3)
    spec = Specification({"born": with_mechanism(BORN, None)})
    table = pa.table({"born": columns["born"]})

    tree = DisguisedTreeClassifier(spec, method="inversion").fit(disguise(table, spec), y)

    assert tree.score(table, y) == 1
    with pytest.raises(SpecificationError, match="cannot be inverted"):
        DisguisedTreeClassifier(_spec(), method="inversion").fit(
            disguise(pd.DataFrame(columns), _spec()), y
        )


def test_the_accuracy_is_estimated_from_reports_of_dates():
    columns, y = _columns(3000, seed=5)
    spec, table = _spec(), pd.DataFrame(columns)
    reports = disguise(table, spec, seed=6)
    tree = DisguisedTreeClassifier(spec, method="byclass").fit(reports, y)

    found = tree.score_disguised(reports, y)

    # Five errors: fails by chance less than once in a million runs.
    assert abs(found.accuracy - tree.score(table, y)) < 5 * found.error


@pytest.mark.parametrize("make", MAKERS.values(), ids=list(MAKERS))
def test_a_tree_in_clear_takes_dates_as_they_are(make, tmp_path):
    table = make(
        {
            "born": [datetime.date(1980 + k, 1, 1) for k in range(8)],
            "hired": [datetime.datetime(2000, 1, 1, k) for k in range(8)],
        }
    )
    y = ["old"] * 4 + ["young"] * 4

    tree = DisguisedTreeClassifier(pruning=None).fit(table, y)

    assert tree.to_text() == (
        "born < 1983-07-03: old (4 records, 100.0 %)\n"
        "born >= 1983-07-03: young (4 records, 100.0 %)"
    )
    tree.to_json(tmp_path / "a.json")
    again = DisguisedTreeClassifier.from_json(tmp_path / "a.json")
    assert again.predict(table).tolist() == y
    assert tree.rules()[0].conditions == ("born < 1983-07-03",)
    assert "1983-07-03" in tree.to_graphviz()


def test_a_threshold_between_two_days_is_the_later_one():
    table = pa.table({"born": [datetime.date(1984, 3, 1), datetime.date(1984, 3, 2)]})

    tree = DisguisedTreeClassifier(pruning=None).fit(table, ["a", "b"])

    assert tree.to_text().splitlines()[0].startswith("born < 1984-03-02: a")
    assert tree.predict(table).tolist() == ["a", "b"]


def test_numbers_are_no_dates_to_a_tree():
    table = pa.table({"born": [datetime.date(1984, 3, 1), datetime.date(1984, 3, 2)]})
    tree = DisguisedTreeClassifier(pruning=None).fit(table, ["a", "b"])

    with pytest.raises(DomainError, match="column 'born': expected dates"):
        tree.predict(pa.table({"born": [5174]}))


def test_a_file_with_a_threshold_that_is_no_date_is_refused(tmp_path):
    table = pa.table({"born": [datetime.date(1984, 3, 1), datetime.date(1984, 3, 2)]})
    DisguisedTreeClassifier(pruning=None).fit(table, ["a", "b"]).to_json(tmp_path / "a.json")
    text = (tmp_path / "a.json").read_text()

    for wrong in ("5174", '"1984-02-31"', "null"):
        (tmp_path / "b.json").write_text(text.replace('"1984-03-02"', wrong))
        with pytest.raises(ModelError, match=r"nodes\[0\]\.below: expected a date such as 1990-01"):
            DisguisedTreeClassifier.from_json(tmp_path / "b.json")


def test_missing_dates_alone_read_as_known_and_missing(tmp_path):
    table = pa.table({"born": [datetime.date(1984, 3, 1)] * 3 + [None] * 3})
    tree = DisguisedTreeClassifier(pruning=None).fit(table, ["a"] * 3 + ["b"] * 3)

    tree.to_json(tmp_path / "a.json")

    assert "born is missing" in tree.to_text()
    again = DisguisedTreeClassifier.from_json(tmp_path / "a.json")
    assert again.predict(table).tolist() == tree.predict(table).tolist()


def test_text_is_left_out_of_a_tree_and_need_not_be_there():
    columns, y = _columns(500, seed=1)
    spec = _spec()
    reports = disguise(pd.DataFrame(columns), spec, seed=2)

    tree = DisguisedTreeClassifier(spec, method="byclass").fit(reports, y)

    assert tree.tree_.names == ["born", "height"]
    alone = pd.DataFrame(columns)[["born", "height"]]
    assert (tree.predict(alone) == tree.predict(pd.DataFrame(columns))).all()
    assert DisguisedNaiveBayesClassifier(spec).fit(reports, y).n_features_in_ == 2
    with pytest.raises(SpecificationError, match=r"at least one beside the class .* no text"):
        DisguisedTreeClassifier(Specification({"note": Text()})).fit(pa.table({"note": ["x"]}), [0])


def test_parties_may_differ_in_how_they_disguise_dates():
    one, y_one = _columns(300, seed=1)
    two, y_two = _columns(2000, seed=2)
    clear = Specification({"born": with_mechanism(BORN, None)}, class_attribute="group")
    noisy = Specification({"born": BORN}, class_attribute="group")
    truths, others = (pd.DataFrame({"born": c["born"]}) for c in (one, two))

    tree = DisguisedTreeClassifier(noisy, random_state=0).fit_parties(
        [Party(truths, clear, y_one), Party(disguise(others, noisy, seed=3), noisy, y_two)]
    )

    assert tree.score(truths, y_one) > 0.9


def test_a_date_and_a_category_stand_in_one_tree():
    columns, y = _columns(2000, seed=1)
    wrong = np.random.default_rng(0).random(2000) < 0.5
    spec = Specification({"born": BORN, "told": Categorical(["no", "yes"])})
    table = pl.DataFrame({"born": columns["born"], "told": np.where(wrong, "yes", "no")})
    labels = np.where(wrong, "unknown", y)

    tree = DisguisedTreeClassifier(spec, method="byclass").fit(disguise(table, spec), labels)

    conditions = {condition for rule in tree.rules() for condition in rule.conditions}
    assert "told = yes" in conditions
    assert any(condition.startswith("born < 19") for condition in conditions)
    assert tree.score(table, labels) > 0.9
