import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from error_texts import all_texts
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from scumble import Categorical, DisguisedTreeClassifier, Numeric, Specification, disguise
from scumble.datasets import make_quest, quest_specification
from scumble.errors import (
    DomainError,
    ScumbleError,
    ScumbleWarning,
    SpecificationError,
    TableError,
)
from scumble.mechanisms import (
    GaussianNoise,
    RandomizedResponse,
    UniformNoise,
    ValueClasses,
    Warner,
)
from scumble.mining._sources import METHODS
from scumble.reconstruction import Bayes

SPEC = quest_specification(GaussianNoise(privacy=0.5))


def _quest(function=1, *, n=5000, seed=1, spec=SPEC, backend="pyarrow"):
    X, y = make_quest(function, n=n, seed=seed, backend=backend)
    return disguise(X, spec, seed=seed), y


@pytest.fixture(scope="module")
def truths():
    return make_quest(1, n=4000, seed=99)


# A table of all kinds: the class depends on noisy age, randomized colour, and public size.
MIXED = Specification(
    {
        "age": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
        "colour": Categorical(["red", "green", "blue"], mechanism=RandomizedResponse(keep=0.8)),
        "smoker": Categorical(["no", "yes"], mechanism=Warner(keep=0.8, group="health")),
        "drinker": Categorical(["no", "yes"], mechanism=Warner(keep=0.8, group="health")),
        "size": Numeric(0, 10),
        "name": Categorical(["x", "y"], sensitivity="withheld"),
        "label": Categorical(["A", "B", "C"]),
    },
    class_attribute="label",
)


def _mixed(n=20_000, *, seed=1, missing=0.05):
    rng = np.random.default_rng(seed)
    age, size = rng.uniform(0, 100, n), rng.uniform(0, 10, n)
    colour = rng.choice(["red", "green", "blue"], n)
    smoker, drinker = (rng.choice(["no", "yes"], n) for _ in range(2))
    label = np.where(age < 40, "A", np.where((colour == "red") == (size < 5), "B", "C"))
    return pd.DataFrame(
        {
            "age": np.where(rng.random(n) < missing, np.nan, age),
            "colour": np.where(rng.random(n) < missing, None, colour),
            "smoker": smoker,
            "drinker": drinker,
            "size": size,
            "name": rng.choice(["x", "y"], n),
            "label": label,
        }
    )


@pytest.mark.parametrize("method", METHODS)
def test_every_method_learns_the_first_function(method, truths):
    reports, y = _quest(n=20_000)

    tree = DisguisedTreeClassifier(SPEC, method=method).fit(reports, y)

    assert tree.score(*truths) > {"uncorrected": 0.8}.get(method, 0.9)
    assert tree.classes_.tolist() == ["A", "B"]


def test_correcting_for_the_noise_is_better_than_not(truths):
    spec = quest_specification(UniformNoise(privacy=1.0))
    reports, y = _quest(n=20_000, spec=spec)

    accuracy = {m: DisguisedTreeClassifier(spec, method=m).fit(reports, y) for m in METHODS}
    accuracy = {method: tree.score(*truths) for method, tree in accuracy.items()}

    assert min(accuracy["byclass"], accuracy["local"]) > accuracy["global"]
    assert accuracy["global"] > accuracy["uncorrected"]


@pytest.mark.parametrize("method", METHODS)
def test_a_mixed_table_with_three_classes_and_missing_values(method):
    table = _mixed()
    reports = disguise(table, MIXED, seed=1)

    tree = DisguisedTreeClassifier(MIXED, method=method).fit(reports)

    test = _mixed(seed=2, missing=0.0)
    assert tree.score(test, test["label"]) > 0.75
    assert tree.tree_.names == ["age", "colour", "smoker", "drinker", "size"]
    assert tree.tree_.missing_seen == {"age", "colour"}
    probabilities = tree.predict_proba(test)
    assert probabilities.shape == (len(test), 3)
    assert probabilities.sum(axis=1) == pytest.approx(1)
    importance = dict(zip(tree.tree_.names, tree.feature_importances_, strict=True))
    assert importance["age"] > importance["size"] > importance["smoker"] + importance["drinker"]


def test_truths_need_neither_the_class_nor_what_is_withheld():
    tree = DisguisedTreeClassifier(MIXED, method="byclass").fit(
        disguise(_mixed(2000), MIXED, seed=1)
    )
    test = _mixed(100, seed=2)

    everything = tree.predict(test)

    assert (tree.predict(test.drop(columns=["label", "name"])) == everything).all()
    assert (tree.predict(test[test.columns[::-1]]) == everything).all()


def test_the_class_is_taken_from_the_table_or_given():
    reports = disguise(_mixed(2000), MIXED, seed=1)

    from_table = DisguisedTreeClassifier(MIXED, method="byclass").fit(reports)
    given = DisguisedTreeClassifier(MIXED, method="byclass").fit(
        reports.drop(columns="label"), reports["label"]
    )

    assert from_table.to_text() == given.to_text()


@pytest.mark.parametrize("kind", ["pyarrow", "pandas", "polars", "numpy"])
def test_any_table_gives_the_same_tree(kind, truths):
    reports, y = _quest()
    expected = DisguisedTreeClassifier(SPEC, method="byclass").fit(reports, y)
    frame = reports.to_pandas()
    table = {
        "pyarrow": reports,
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "numpy": frame.to_numpy(),
    }[kind]
    labels = {"pandas": pd.Series(y), "polars": pl.Series(y), "pyarrow": pa.array(y)}.get(kind, y)

    tree = DisguisedTreeClassifier(SPEC, method="byclass").fit(table, labels)

    assert tree.to_text() == expected.to_text()
    assert tree.classes_.tolist() == ["A", "B"]
    truth = truths[0].to_pandas()
    truth = {"polars": pl.from_pandas(truth), "numpy": truth.to_numpy()}.get(kind, truth)
    assert (tree.predict(truth) == expected.predict(truths[0])).all()


def test_clear_tables_with_text_need_no_specification():
    rng = np.random.default_rng(1)
    colour = rng.choice(["red", "green", "blue"], 1000)
    size = rng.uniform(0, 10, 1000)
    constant = np.repeat("same", 1000)
    y = (colour == "red") ^ (size < 5)
    table = pl.DataFrame({"constant": constant, "colour": colour, "size": size})

    tree = DisguisedTreeClassifier().fit(table, y)

    assert tree.score(table, y) > 0.99
    unseen = pl.DataFrame({"constant": ["new"], "colour": ["violet"], "size": [1.0]})
    assert tree.predict(unseen).shape == (1,)


def test_the_number_of_threads_changes_nothing(monkeypatch):
    monkeypatch.setattr("scumble.engines._rows._ROWS_PER_THREAD", 100)
    reports, y = _quest()

    for method in METHODS:
        one = DisguisedTreeClassifier(SPEC, method=method).fit(reports, y)
        two = DisguisedTreeClassifier(SPEC, method=method, n_jobs=2).fit(reports, y)
        assert one.to_text() == two.to_text()


@pytest.mark.parametrize("method", METHODS)
def test_a_weight_counts_like_so_many_records(method, truths):
    spec = Specification({n: SPEC[n] for n in ("salary", "age")})
    reports, y = _quest(n=2000)
    reports = reports.select(["salary", "age"]).replace_schema_metadata(None)
    weight = np.random.default_rng(1).integers(0, 4, len(y))
    repeated = np.repeat(np.arange(len(y)), weight)
    options = {"method": method, "min_samples_reconstruct": 10**9}

    weighted = DisguisedTreeClassifier(spec, **options, cells=20).fit(reports, y, weight)
    plain = DisguisedTreeClassifier(spec, **options, cells=20).fit(
        reports.take(repeated), y[repeated]
    )

    # A few reports are dealt out by chance, each record by its own.
    assert weighted.tree_.threshold == pytest.approx(plain.tree_.threshold, nan_ok=True)
    assert weighted.tree_.counts == pytest.approx(plain.tree_.counts, rel=0.05, abs=5)


def test_weights_are_not_touched():
    reports, y = _quest(n=1000)
    weight = np.random.default_rng(1).random(1000)
    before = weight.copy()

    DisguisedTreeClassifier(SPEC, method="byclass").fit(reports, y, sample_weight=weight)

    assert (weight == before).all()


def test_weights_that_sum_to_one_give_the_tree_of_equal_records():
    reports, y = _quest(n=2000)

    weighted = DisguisedTreeClassifier(SPEC, method="byclass").fit(
        reports, y, sample_weight=np.full(2000, 1 / 2000)
    )

    # Equal up to rounding, so compare what is told and not to the last bit.
    assert (
        weighted.get_n_leaves()
        == DisguisedTreeClassifier(SPEC, method="byclass").fit(reports, y).get_n_leaves()
    )


def test_a_fitted_tree_is_cloned_unfitted_and_pickled_fitted(truths):
    reports, y = _quest()
    tree = DisguisedTreeClassifier(SPEC, method="global", reconstruction=Bayes()).fit(reports, y)

    copy = pickle.loads(pickle.dumps(tree))

    assert (copy.predict(truths[0]) == tree.predict(truths[0])).all()
    assert clone(tree).get_params()["spec"] == SPEC
    with pytest.raises(NotFittedError):
        clone(tree).predict(truths[0])


@pytest.mark.parametrize("options", [{"max_depth": 2}, {"min_samples_leaf": 300}])
def test_growth_stops_where_it_is_told(options):
    reports, y = _quest(2)
    tree = DisguisedTreeClassifier(SPEC, method="byclass", pruning=None, **options).fit(reports, y)

    if "max_depth" in options:
        assert tree.get_depth() == 2
    else:
        leaves = tree.tree_.attribute < 0
        assert tree.tree_.counts[leaves].sum(axis=1).min() >= 300


def test_a_split_must_decrease_the_impurity_as_much_as_told():
    reports, y = _quest(2)

    tree = DisguisedTreeClassifier(
        SPEC, method="byclass", pruning=None, min_impurity_decrease=0.9
    ).fit(reports, y)

    assert tree.get_n_leaves() == 1


def test_a_node_of_few_disguised_records_is_not_split():
    reports, y = _quest(2, n=20_000)
    tree = DisguisedTreeClassifier(SPEC, method="byclass", pruning=None).fit(reports, y).tree_

    assert tree.counts[tree.attribute >= 0].sum(axis=1).min() >= 10


def test_pruning_makes_the_tree_smaller():
    reports, y = _quest(2, n=20_000)
    leaves = {
        pruning: DisguisedTreeClassifier(SPEC, method="byclass", pruning=pruning)
        .fit(reports, y)
        .get_n_leaves()
        for pruning in (None, "sliq", "mdl", "both")
    }

    assert leaves["both"] < leaves["mdl"] < leaves["sliq"] < leaves[None]


def test_one_class_only_is_what_is_predicted():
    reports, _ = _quest(n=100)

    tree = DisguisedTreeClassifier(SPEC, method="byclass").fit(reports, np.repeat("A", 100))

    assert tree.get_n_leaves() == 1
    assert set(tree.predict(reports)) == {"A"}
    assert tree.feature_importances_.tolist() == [0] * 9


@pytest.mark.parametrize("method", METHODS)
def test_a_table_of_missing_values_gives_the_most_frequent_class(method):
    reports, y = _quest(n=101)
    nothing = pd.DataFrame({name: np.full(101, np.nan) for name in reports.column_names})

    tree = DisguisedTreeClassifier(SPEC, method=method).fit(nothing, y)

    assert set(tree.predict(nothing)) == {"A"}


def test_a_column_of_missing_values_does_no_harm(truths):
    reports, y = _quest()
    frame = reports.to_pandas()
    frame["loan"] = np.nan

    tree = DisguisedTreeClassifier(SPEC, method="byclass").fit(frame, y)

    assert tree.score(*truths) > 0.85
    assert tree.tree_.missing_seen == {"loan"}


def test_a_declared_class_may_be_unseen_but_not_a_seen_one_undeclared():
    reports = disguise(_mixed(500), MIXED, seed=1)
    only_two = reports[reports["label"] != "C"]

    assert DisguisedTreeClassifier(MIXED, method="byclass").fit(only_two).classes_.tolist() == [
        "A",
        "B",
    ]
    with pytest.raises(DomainError, match="class: 1 of 3 values are not among the 3 declared"):
        DisguisedTreeClassifier(MIXED, method="byclass").fit(
            reports, reports["label"].replace("C", "D")
        )


def test_a_class_unseen_in_training_is_never_right(truths):
    reports, y = _quest(n=500)
    tree = DisguisedTreeClassifier(SPEC, method="byclass").fit(reports, y)

    assert tree.score(truths[0], np.repeat("C", len(truths[1]))) == 0


def test_columns_that_do_not_match_are_refused():
    reports, y = _quest(n=100)
    tree = DisguisedTreeClassifier(SPEC, method="byclass")

    with pytest.raises(TableError, match="1 of its own missing: 'age'"):
        tree.fit(reports.drop(["age"]), y)
    with pytest.raises(TableError, match="1 that it does not declare"):
        tree.fit(reports.append_column("other", pa.array(np.zeros(100))), y)
    with pytest.raises(TableError, match="expected an array of 9 columns"):
        tree.fit(np.zeros((100, 4)), y)
    with pytest.raises(TableError, match="missing: 'age'"):
        tree.fit(reports, y).predict(reports.drop(["age"]))


def test_reports_outside_the_report_domain_are_counted_and_not_shown():
    spec = quest_specification(UniformNoise(privacy=0.5))
    reports, y = _quest(n=100, spec=spec)
    frame = reports.to_pandas()
    frame.loc[:2, "age"] = 4711.5

    for method in METHODS:
        with pytest.raises(DomainError, match="column 'age': 3 of 100 values lie outside") as error:
            DisguisedTreeClassifier(spec, method=method).fit(frame, y)
        assert "4711" not in all_texts(error.value)


def test_text_where_numbers_are_declared_is_refused_and_not_shown():
    reports, y = _quest(n=3)
    frame = reports.to_pandas()
    frame["age"] = ["secret", "b", "c"]

    with pytest.raises(DomainError, match="column 'age'") as error:
        DisguisedTreeClassifier(SPEC, method="byclass").fit(frame, y)
    assert "secret" not in all_texts(error.value)


def test_a_disguised_class_needs_a_method_that_ignores_it():
    spec = Specification(
        {
            "age": Numeric(0, 100),
            "label": Categorical(["no", "yes"], mechanism=Warner(keep=0.8)),
        },
        class_attribute="label",
    )
    age = np.linspace(0, 100, 200)
    table = pd.DataFrame({"age": age, "label": np.where(age < 50, "no", "yes")})
    reports = disguise(table, spec, seed=1)

    with pytest.raises(SpecificationError, match="class: 'byclass' needs it in clear"):
        DisguisedTreeClassifier(spec, method="byclass").fit(reports)
    assert DisguisedTreeClassifier(spec, method="uncorrected").fit(reports).score(
        table, table["label"]
    ) == pytest.approx(1, abs=0.05)


def test_missing_classes_are_counted():
    reports, y = _quest(n=100)
    labels = y.astype(object)
    labels[:7] = None

    with pytest.raises(TableError, match="7 of 100 records have no class"):
        DisguisedTreeClassifier(SPEC, method="byclass").fit(reports, labels)


def test_everything_withheld_is_refused():
    spec = Specification(
        {"name": Categorical(["x", "y"], sensitivity="withheld")}, class_attribute="label"
    )

    with pytest.raises(SpecificationError, match="at least one beside the class"):
        DisguisedTreeClassifier(spec, method="byclass").fit(
            pd.DataFrame({"name": [None, None]}), [0, 1]
        )


def test_too_many_categories_are_refused():
    spec = Specification({"code": Categorical([str(k) for k in range(10_001)])})
    table = pd.DataFrame({"code": ["1", "2"]})

    with pytest.raises(SpecificationError, match=r"attributes\.code: .* at most 10,000 values"):
        DisguisedTreeClassifier(spec, method="byclass").fit(table, [0, 1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "by class"}, "method: unknown 'by class'; did you mean 'byclass'"),
        ({"criterion": "ginni"}, "criterion: unknown 'ginni'; did you mean 'gini'"),
        ({"pruning": "cart"}, "pruning: unknown 'cart'"),
        ({"max_depth": 0}, "max_depth: expected at least 1, got 0"),
        ({"min_samples_split": 1}, "min_samples_split: expected at least 2, got 1"),
        ({"cells": 0}, "cells: expected at least 1, got 0"),
        ({"min_samples_leaf": float("nan")}, "min_samples_leaf: expected at least 1"),
        ({"min_samples_leaf": 0.3}, "min_samples_leaf: expected at least 1, got 0.3"),
        ({"max_depth": "deep"}, "max_depth: expected a number"),
        ({"cells": 10.5}, "cells: expected a whole number up to 4000"),
        ({"cells": 70_000}, "cells: expected a whole number up to 4000"),
        ({"reconstruction": "ems"}, "reconstruction: expected a method such as Bayes"),
        ({"spec": "quest.toml"}, "spec: expected a Specification, got str"),
    ],
)
def test_a_wrong_parameter_is_named(options, message):
    reports, y = _quest(n=10)

    with pytest.raises(ScumbleError, match=message):
        DisguisedTreeClassifier(**({"spec": SPEC} | options)).fit(reports, y)


def test_reports_of_another_specification_give_a_warning():
    reports, y = _quest(n=10)

    with pytest.warns(ScumbleWarning, match="were disguised by another specification"):
        DisguisedTreeClassifier(
            quest_specification(GaussianNoise(privacy=1.0)), method="byclass"
        ).fit(reports, y)


def test_a_tiny_table_is_learned_in_silence():
    reports, y = _quest(n=2)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for method in METHODS:
            tree = DisguisedTreeClassifier(SPEC, method=method).fit(reports, y)
            assert tree.get_n_leaves() == 1


def test_missing_values_at_random_places_of_a_long_column_do_no_harm():
    n = 400_000
    a = np.full(n, np.nan)
    a[1::2] = 1.0
    b = np.random.default_rng(0).integers(0, 3, n) * 1.0

    tree = DisguisedTreeClassifier().fit(np.column_stack([b, a]), ~np.isnan(a))

    assert tree.tree_.counts[0].sum() == n
    assert tree.score(np.column_stack([b, a]), ~np.isnan(a)) == 1


@pytest.mark.parametrize(
    "mechanism",
    [
        GaussianNoise(privacy=0.5, grid=5),
        GaussianNoise(privacy=0.5, grid=20),
        ValueClasses(cuts=[37]),
    ],
)
def test_reports_that_share_few_values_are_dealt_out_to_the_cells(mechanism):
    x = np.random.default_rng(0).uniform(0, 100, 20_000)
    spec = Specification({"x": Numeric(0, 100, mechanism=mechanism)})
    table = pd.DataFrame({"x": x})
    reports = disguise(table, spec, seed=1)

    for method in ("byclass", "local"):
        tree = DisguisedTreeClassifier(spec, method=method).fit(reports, x > 37)
        assert tree.score(table, x > 37) > 0.97


@pytest.mark.parametrize("values", [50, 1000, 2500])
def test_a_column_of_many_values_does_not_fit_coin_flips(values):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"id": [f"v{k}" for k in np.arange(5000) % values]})

    assert DisguisedTreeClassifier().fit(table, rng.integers(0, 2, 5000)).get_n_leaves() == 1


def test_a_name_does_not_win_over_what_tells_the_class_as_well():
    age = np.random.default_rng(0).uniform(0, 100, 1000)
    table = pd.DataFrame({"name": [f"n{k}" for k in range(1000)], "age": age})

    tree = DisguisedTreeClassifier().fit(table, age > 50)

    assert tree.to_text().startswith("age <")


def test_declaring_more_values_than_occur_costs_nothing():
    rng = np.random.default_rng(1)
    code = rng.integers(0, 4, 2000)
    y = (code < 2) ^ (rng.random(2000) < 0.05)
    table = pd.DataFrame({"code": [f"v{k}" for k in code]})

    for declared in (4, 5000):
        spec = Specification({"code": Categorical([f"v{k}" for k in range(declared)])})
        assert DisguisedTreeClassifier(spec, method="byclass").fit(table, y).get_n_leaves() == 2


def test_a_table_with_names_and_one_without_are_matched_by_place():
    X = np.random.default_rng(1).random((200, 2))
    frame = pd.DataFrame(X, columns=["age", "size"])
    y = X[:, 1] > 0.5

    with pytest.warns(UserWarning, match="feature names"):
        from_frame = DisguisedTreeClassifier().fit(frame, y).predict(X)
    with pytest.warns(UserWarning, match="feature names"):
        from_array = DisguisedTreeClassifier().fit(X, y).predict(frame)

    assert (from_frame == y).all()
    assert (from_array == y).all()


def test_importances_are_as_many_as_columns():
    table = pd.DataFrame({"same": ["c"] * 40, "v": np.arange(40.0)})

    tree = DisguisedTreeClassifier().fit(table, np.arange(40) >= 20)

    assert tree.feature_importances_.tolist() == [0, 1]
    assert DisguisedTreeClassifier().fit(table[["same"]], [0, 1] * 20).get_n_leaves() == 1


def test_whether_a_text_is_there_may_tell_the_class():
    table = pd.DataFrame({"smoker": ["yes", None] * 50, "z": np.arange(100) % 5.0})

    assert DisguisedTreeClassifier().fit(table, [1, 0] * 50).score(table, [1, 0] * 50) == 1


def test_categories_of_numbers_are_learned():
    code = np.random.default_rng(1).choice([3, 5, 9], 300)
    table = pd.DataFrame({"code": pd.Categorical(code)})

    assert DisguisedTreeClassifier().fit(table, code == 5).score(table, code == 5) == 1


def test_an_empty_cell_is_a_missing_category_whatever_its_type():
    tree = DisguisedTreeClassifier().fit(pd.DataFrame({"c": ["a", "b"] * 9}), [0, 1] * 9)

    assert tree.predict(pd.DataFrame({"c": [np.nan]})).shape == (1,)


def test_nobody_is_put_right_where_nobody_is_asked_about():
    reports, y = _quest(n=100)

    assert DisguisedTreeClassifier(SPEC, method="byclass").fit(reports, y).predict(
        reports[:0]
    ).shape == (0,)


def test_more_reports_than_codes_are_refused():
    spec = Specification({"x": Numeric(0, 100, mechanism=ValueClasses(count=70_000))})
    reports = disguise(pd.DataFrame({"x": np.arange(100.0)}), spec, seed=1)

    with pytest.raises(SpecificationError, match="at most 65,534 different reports"):
        DisguisedTreeClassifier(spec, method="byclass").fit(reports, [0, 1] * 50)


@pytest.mark.parametrize("method", ["byclass", "global"])
def test_a_coin_that_lies_more_often_than_not_is_seen_through(method):
    smoker = np.random.default_rng(1).choice(["no", "yes"], 5000)
    spec = Specification({"smoker": Categorical(["no", "yes"], mechanism=Warner(keep=0.2))})
    table = pd.DataFrame({"smoker": smoker})
    reports = disguise(table, spec, seed=1)

    tree = DisguisedTreeClassifier(spec, method=method).fit(reports, smoker == "yes")

    assert tree.score(table, smoker == "yes") == 1


def test_no_error_shows_a_value_of_a_clear_table():
    for call in (
        lambda: DisguisedTreeClassifier().fit([["Alice"], ["Bob"]], [0, 1]),
        lambda: DisguisedTreeClassifier().fit([[1.0], [2.0]], [0, 1]).predict([["Alice"]]),
        lambda: DisguisedTreeClassifier().fit([[1.0], [2.0]], [0, 1], ["Alice", "Bob"]),
    ):
        with pytest.raises(ScumbleError) as error:
            call()
        assert "Alice" not in all_texts(error.value)
