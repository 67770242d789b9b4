"""Attributes with a coding: a tree learns from declared values and reads raw truths."""

from functools import cache

import numpy as np
import pyarrow as pa
import pytest

from scumble import Categorical, Coding, DisguisedTreeClassifier, Specification, disguise
from scumble.mechanisms import UnrelatedQuestion

AGES = Coding(cuts=[37], missing="young")
ATTRIBUTES = {
    "age": (["young", "old"], AGES),
    "town": (["north", "south"], Coding(lists=[["Oslo", "Bergen"], ["Rome"]])),
    "grade": (["low", "middle", "high"], Coding(cuts=[1.5, 2.5])),
}


def _people(n, seed):
    rng = np.random.default_rng(seed)
    age, town = rng.integers(18, 90, n), rng.choice(["Oslo", "Bergen", "Rome"], n)
    y = np.where((age > 37) == (town == "Rome"), "no", "yes")
    return pa.table({"age": age, "town": town, "grade": rng.normal(2, 1, n)}), y


def _spec(keep):
    question = UnrelatedQuestion(keep=keep, group="g") if keep < 1 else None
    attributes = {
        name: Categorical(values, coding=coding, mechanism=None if name == "grade" else question)
        for name, (values, coding) in ATTRIBUTES.items()
    }
    return Specification(attributes, class_attribute="rich")


@cache
def _fitted(keep, method):
    X, y = _people(3000, 1)
    spec = _spec(keep)
    return DisguisedTreeClassifier(spec, method=method, random_state=0).fit(
        disguise(X, spec, seed=2), y
    )


@pytest.mark.parametrize("method", ["likelihood", "byclass", "local", "global", "uncorrected"])
@pytest.mark.parametrize("keep", [1, 0.8])
def test_a_tree_learns_from_reports_and_predicts_from_raw_truths(tmp_path, method, keep):
    tree = _fitted(keep, method)
    X_test, y_test = _people(1000, 3)

    right = np.mean(tree.predict(X_test) == y_test)

    assert right > (0.95 if keep == 1 or method == "likelihood" else 0.4)
    tree.to_json(tmp_path / "tree.json")
    shipped = DisguisedTreeClassifier.from_json(tmp_path / "tree.json")
    assert (shipped.predict(X_test) == tree.predict(X_test)).all()
    assert shipped.tree_.attributes["age"].coding == AGES


def test_a_tree_is_scored_on_coded_reports_in_clear():
    tree = _fitted(1, "likelihood")
    spec = _spec(1)
    X_test, y_test = _people(1000, 3)

    score = tree.score_disguised(disguise(X_test, spec), y_test)

    assert score.accuracy == pytest.approx(tree.score(X_test, y_test))
    assert "north" in tree.to_text()


def test_a_tree_is_scored_on_coded_reports_in_disguise():
    tree = _fitted(0.8, "likelihood")
    spec = _spec(0.8)
    X_test, y_test = _people(3000, 3)

    score = tree.score_disguised(disguise(X_test, spec, seed=3), y_test)

    assert score.accuracy == pytest.approx(tree.score(X_test, y_test), abs=4 * score.error)
