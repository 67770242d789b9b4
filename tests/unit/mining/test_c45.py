import numpy as np
import pandas as pd
import polars as pl
import pytest
from golf import golf

from scumble.datasets import make_quest
from scumble.errors import SpecificationError
from scumble.mining import C45Classifier


@pytest.fixture(scope="module")
def played():
    return C45Classifier().fit(*golf())


@pytest.fixture(scope="module")
def unknown():
    return C45Classifier().fit(*golf(unknown=True))


def test_golf_gives_the_published_tree(played):
    assert played.to_text().splitlines() == [
        "outlook = overcast: play (4 records, 100.0 %)",
        "outlook = rain:",
        "|  windy = false: play (3 records, 100.0 %)",
        "|  windy = true: don't (2 records, 100.0 %)",
        "outlook = sunny:",
        "|  humidity <= 75: play (2 records, 100.0 %)",
        "|  humidity > 75: don't (3 records, 100.0 %)",
    ]


def test_golf_with_an_unknown_outlook_gives_the_published_tree_with_parts_of_that_day(unknown):
    assert unknown.to_text().splitlines() == [
        "outlook = overcast: play (3.231 records, 100.0 %)",
        "outlook = rain:",
        "|  windy = false: play (3 records, 100.0 %)",
        "|  windy = true: don't (2.385 records, 83.9 %)",
        "outlook = sunny:",
        "|  humidity <= 75: play (2 records, 100.0 %)",
        "|  humidity > 75: don't (3.385 records, 88.6 %)",
    ]


def test_a_missing_value_is_asked_down_every_branch_as_published(unknown):
    day = pd.DataFrame(
        {"outlook": ["sunny"], "temperature": [70.0], "humidity": [None], "windy": ["false"]}
    ).astype({"humidity": float})

    # Don't: 3.4 / 5.4 of 3 / 3.4; play: 2 / 5.4 of all, and 3.4 / 5.4 of 0.4 / 3.4.
    assert unknown.predict_proba(day) == pytest.approx(np.array([[0.56, 0.44]]), abs=5e-3)
    assert unknown.predict(day).tolist() == ["don't"]
    # The leaf of most weight is the drier half of sunny days.
    leaf = int(unknown.apply(day)[0])
    assert unknown.tree_.weights[leaf] == pytest.approx(3 + 5 / 13)


def test_an_unknown_category_is_a_missing_one(played):
    X, _ = golf()
    foggy, missing = X[:1].copy(), X[:1].copy()
    foggy["outlook"], missing["outlook"] = "fog", None

    assert (played.predict_proba(foggy) == played.predict_proba(missing)).all()
    assert played.predict_proba(missing)[0].sum() == pytest.approx(1)


def test_where_all_is_missing_the_shares_of_the_training_records_are_answered(played):
    X, _ = golf()
    nothing = X[:1].copy().astype({"windy": object, "outlook": object})
    nothing.loc[0] = [None, np.nan, np.nan, None]

    assert played.predict_proba(nothing)[0] == pytest.approx([5 / 14, 9 / 14])


def _with_an_empty_branch():
    a = ["x"] * 10 + ["y"] * 10
    b = ["p"] * 5 + ["q"] * 5 + ["p"] * 3 + ["q"] * 3 + ["r"] * 4
    X = pd.DataFrame({"a": a, "b": b})
    return X, np.array(["A"] * 5 + ["B"] * 5 + ["C"] * 10)


def test_a_branch_that_no_record_takes_answers_as_the_node_above(tmp_path):
    X, y = _with_an_empty_branch()
    tree = C45Classifier().fit(X, y)
    unseen = pd.DataFrame({"a": ["x"], "b": ["r"]})

    assert tree.to_text().splitlines()[3] == "|  b = r: A (0 records, 50.0 %)"
    assert tree.predict_proba(unseen).tolist() == [[0.5, 0.5, 0]]
    assert (tree.predict(X) == y).all()
    tree.to_json(tmp_path / "tree.json")
    again = C45Classifier.from_json(tmp_path / "tree.json")
    assert again.predict_proba(unseen).tolist() == [[0.5, 0.5, 0]]


def test_a_shipped_tree_answers_as_the_one_that_was_written(unknown, tmp_path):
    X, _ = golf(unknown=True)
    unknown.to_json(tmp_path / "golf.json")

    again = C45Classifier.from_json(tmp_path / "golf.json")

    assert again.to_text() == unknown.to_text()
    assert again.get_params() == unknown.get_params()
    assert (again.predict_proba(X) == unknown.predict_proba(X)).all()


def test_it_is_read_as_rules_of_which_each_record_satisfies_one(played):
    rules = [str(rule) for rule in played.rules()]

    assert rules[0] == "if outlook = overcast then play (support 28.6 %, confidence 100.0 %)"
    assert len(rules) == played.get_n_leaves() == 5
    assert sum(rule.support for rule in played.rules()) == pytest.approx(1)


def test_the_path_of_a_record_leads_from_the_root_to_its_leaf(played):
    X, _ = golf()

    paths = played.decision_path(X).toarray()

    leaves = played.apply(X)
    assert (paths[np.arange(len(X)), leaves] == 1).all()
    assert (paths.sum(axis=1) == 1 + played.tree_.depths[leaves]).all()
    assert played.get_depth() == 2


def test_importances_sum_to_one_and_are_zero_of_what_is_not_tested(played):
    assert played.feature_importances_.sum() == pytest.approx(1)
    assert played.feature_importances_[1] == 0
    assert (played.feature_importances_[[0, 2, 3]] > 0).all()


def test_any_kind_of_table_gives_the_same_tree(played):
    X, y = golf()

    assert C45Classifier().fit(pl.from_pandas(X), y).to_text() == played.to_text()
    numbers = X[["temperature", "humidity"]].to_numpy()
    assert C45Classifier(pruned=False).fit(numbers, y).predict(numbers).shape == (14,)


def test_a_threshold_is_a_value_that_occurs_not_above_the_middle():
    X = [[1.0], [2.0], [3.0], [10.0], [11.0], [12.0]]
    tree = C45Classifier().fit(X, [0, 0, 0, 1, 1, 1])

    assert tree.to_text().startswith("x0 <= 3:")
    assert tree.predict([[3.0], [3.001]]).tolist() == [0, 1]


def test_weights_count_as_repeated_records():
    X, y = golf(unknown=True)
    weights = np.random.default_rng(0).integers(1, 4, len(X))

    weighted = C45Classifier().fit(X, y, sample_weight=weights)
    repeated = C45Classifier().fit(X.loc[X.index.repeat(weights)], np.repeat(y, weights))

    assert weighted.to_text() == repeated.to_text()


def test_raising_and_pruning_make_smaller_trees_of_noise():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({f"c{j}": rng.choice(list("abcd"), 900) for j in range(6)})
    X["size"] = rng.random(900)
    y = X["c0"].isin(["a", "b"]).to_numpy() ^ (rng.random(900) < 0.3)

    sizes = [
        C45Classifier(**how).fit(X, y).get_n_leaves()
        for how in ({"pruned": False}, {"confidence": 0.5}, {"confidence": 0.05})
    ]

    assert sizes[0] > sizes[1] > sizes[2] >= 4


def test_threads_change_nothing():
    X, y = make_quest(function=2, n=60_000, seed=3)

    one, two = (C45Classifier(n_jobs=jobs).fit(X, y) for jobs in (1, 2))

    assert one.to_text() == two.to_text()
    assert one.score(X, y) > 0.98


def test_many_missing_values_of_many_categories_stay_within_bounds():
    rng = np.random.default_rng(4)
    n = 3_000
    X = pd.DataFrame({f"c{j}": rng.integers(0, 30, n).astype(str) for j in range(4)})
    X["size"] = rng.random(n)
    X = X.mask(rng.random(X.shape) < 0.3)
    y = rng.random(n) < 0.3

    tree = C45Classifier(confidence=0.5).fit(X, y).tree_

    leaves = tree.attribute < 0
    assert tree.counts[leaves].sum(axis=0) == pytest.approx(tree.counts[0], rel=1e-3)


def test_all_attributes_of_many_values_may_be_tested_where_there_are_no_others():
    X = pd.DataFrame({"name": list("aabbccdd")})

    assert C45Classifier().fit(X, list("xxyyxxyy")).get_n_leaves() == 4


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"confidence": 0}, "confidence: expected a number above 0 and at most 0.5, got 0"),
        ({"confidence": 0.6}, "confidence: expected a number above 0 and at most 0.5, got 0.6"),
        ({"confidence": "low"}, "confidence: expected a number"),
        ({"min_samples_leaf": 0.5}, "min_samples_leaf: expected a number from 1 on, got 0.5"),
        ({"min_samples_leaf": np.nan}, "min_samples_leaf: expected a number from 1 on, got nan"),
        ({"pruned": "yes"}, "pruned: expected True or False, got 'yes'"),
    ],
)
def test_a_wrong_parameter_is_named(wrong, message):
    with pytest.raises(SpecificationError, match=message):
        C45Classifier(**wrong).fit(*golf())
