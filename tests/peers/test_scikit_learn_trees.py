"""A tree on clear data against scikit-learn's."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from scumble import DisguisedTreeClassifier
from scumble.datasets import make_quest


def _matrix(table):
    return np.column_stack([np.asarray(table[name], dtype=float) for name in table.column_names])


def _splits(tree, node=0):
    """Return the splits of a tree of ours, from a node down."""
    if tree.attribute[node] < 0:
        return None
    below = int(tree.child[node])
    return (
        int(tree.attribute[node]),
        round(float(tree.threshold[node]), 6),
        _splits(tree, below),
        _splits(tree, below + 1),
    )


def _their_splits(tree, node=0):
    if tree.children_left[node] < 0:
        return None
    return (
        int(tree.feature[node]),
        round(float(tree.threshold[node]), 6),
        _their_splits(tree, tree.children_left[node]),
        _their_splits(tree, tree.children_right[node]),
    )


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("missing", [False, True])
def test_splits_are_the_same_where_the_candidates_coincide(criterion, classes, missing):
    rng = np.random.default_rng(7 + classes)
    # At most 1000 values, all of them exact in the single precision of scikit-learn.
    X = rng.integers(0, 512, (3000, 4)) / 4.0
    y = (X[:, 0] + X[:, 1] * X[:, 2] / 128 + rng.normal(0, 30, 3000)) // (256 / classes) % classes
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    weight = rng.integers(1, 10, 3000)

    # Deeper down, several attributes part a small node alike, and either may be taken.
    ours = DisguisedTreeClassifier(pruning=None, criterion=criterion, max_depth=5)
    theirs = DecisionTreeClassifier(criterion=criterion, max_depth=5, random_state=0)
    ours.fit(X, y, sample_weight=weight)
    theirs.fit(X, y, sample_weight=weight)

    assert _splits(ours.tree_) == _their_splits(theirs.tree_)
    assert (ours.predict(X) == theirs.predict(X)).all()
    assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X))
    assert ours.feature_importances_ == pytest.approx(theirs.feature_importances_)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    assert ours.get_depth() == theirs.get_depth()


def test_a_decision_path_holds_as_many_nodes_as_theirs():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 100, (500, 3)).astype(float)
    y = X[:, 0] > X[:, 1]

    ours = DisguisedTreeClassifier(pruning=None, max_depth=3).fit(X, y)
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)

    assert (ours.decision_path(X).sum(axis=1) == theirs.decision_path(X).sum(axis=1)).all()
    assert (ours.decision_path(X)[:, 0].toarray() == 1).all()
    on_path = ours.decision_path(X)[np.arange(500), ours.apply(X)]
    assert (np.asarray(on_path) == 1).all()


@pytest.mark.parametrize("function", [1, 2, 3, 4, 5])
def test_quest_functions_are_learned_within_half_a_point(function):
    differences = []
    for seed in (1, 2, 3):
        X, y = make_quest(function, n=50_000, seed=seed)
        X_test, y_test = make_quest(function, n=10_000, seed=100 + seed)
        ours = DisguisedTreeClassifier().fit(X, y).score(X_test, y_test)
        theirs = DecisionTreeClassifier(random_state=0).fit(_matrix(X), y)
        differences.append(theirs.score(_matrix(X_test), y_test) - ours)

    assert np.mean(differences) < 0.005


def test_it_works_in_a_pipeline_whose_steps_give_data_frames():
    X, y = make_quest(1, n=2000, seed=1, backend="pandas")
    pipeline = make_pipeline(StandardScaler(), DisguisedTreeClassifier())
    pipeline.set_output(transform="pandas")

    pipeline.fit(X, y)

    assert pipeline.score(X, y) > 0.95
    assert list(pipeline[-1].feature_names_in_) == list(X.columns)


def test_a_grid_is_searched_and_a_score_cross_validated():
    X, y = make_quest(1, n=1000, seed=1, backend="pandas")
    grid = {"max_depth": [1, 3], "pruning": [None, "mdl"], "criterion": ["gini", "entropy"]}

    search = GridSearchCV(DisguisedTreeClassifier(), grid, cv=3).fit(X, y)

    assert search.best_params_["max_depth"] == 3
    assert cross_val_score(DisguisedTreeClassifier(), X, y, cv=3).min() > 0.9
