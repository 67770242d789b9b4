import pickle

import numpy as np
import pandas as pd
import pytest

from scumble import (
    Categorical,
    DisguisedForestClassifier,
    DisguisedTreeClassifier,
    Numeric,
    Specification,
    disguise,
)
from scumble.datasets import make_quest, quest_specification
from scumble.errors import SpecificationError
from scumble.mechanisms import GaussianNoise, RandomizedResponse

SPEC = quest_specification(GaussianNoise(privacy=0.5))


@pytest.fixture(scope="module")
def fitted():
    X, y = make_quest(5, n=25_000, seed=1)
    return DisguisedForestClassifier(SPEC, ensembles=1, random_state=1).fit(
        disguise(X, SPEC, seed=1), y
    )


def test_it_is_at_least_as_good_as_the_tree(fitted):
    X, y = make_quest(5, n=5000, seed=2)

    assert fitted.score(X, y) > fitted.tree_.score(X, y) - 0.005
    assert fitted.score(X, y) > 0.93


def test_where_there_is_a_rule_the_tree_has_its_say():
    """Its thresholds lie anywhere, those of rules as likely on a grid: it decides beside them."""
    X, y = make_quest(1, n=20_000, seed=4)
    forest = DisguisedForestClassifier(SPEC, ensembles=1, random_state=1).fit(
        disguise(X, SPEC, seed=4), y
    )
    truths, labels = make_quest(1, n=20_000, seed=5)

    assert forest.tree_.get_n_leaves() == 3
    assert forest._teacher.is_ruled
    told = forest.predict_proba(truths)
    rules = 2 * told - forest.tree_.predict_proba(truths)
    assert rules.min() > -1e-9
    assert 0 < np.abs(rules - told).max() < 0.5
    assert forest.score(truths, labels) >= forest.tree_.score(truths, labels)


def test_the_tree_beside_it_is_an_ordinary_one(fitted):
    assert isinstance(fitted.tree_, DisguisedTreeClassifier)
    assert fitted.tree_.get_n_leaves() <= 200
    assert fitted.selection_ == fitted.tree_.selection_


def test_probabilities_sum_to_one_and_decide(fitted):
    X, _ = make_quest(5, n=100, seed=3)

    chances = fitted.predict_proba(X)

    assert chances.sum(axis=1) == pytest.approx(np.ones(100))
    assert (fitted.classes_[chances.argmax(axis=1)] == fitted.predict(X)).all()


def test_it_can_be_pickled(fitted):
    X, _ = make_quest(5, n=100, seed=3)

    assert (pickle.loads(pickle.dumps(fitted)).predict(X) == fitted.predict(X)).all()


def test_missing_values_and_values_never_seen_are_taken():
    spec = Specification(
        {
            "age": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.3)),
            "town": Categorical(["a", "b", "c"], mechanism=RandomizedResponse(keep=0.8)),
            "rooms": Numeric(1, 9),
        }
    )
    rng = np.random.default_rng(1)
    n = 3000
    X = pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.uniform(0, 100, n)),
            "town": rng.choice(["a", "b", "c"], n),
            "rooms": rng.integers(1, 5, n).astype(float),
        }
    )
    y = np.where(X["age"].fillna(0) > 50, "old", "young")
    forest = DisguisedForestClassifier(spec, random_state=1).fit(disguise(X, spec, seed=1), y)

    fresh = pd.DataFrame({"age": [np.nan, 90.0], "town": ["a", None], "rooms": [9.0, 2.5]})

    assert forest.predict(fresh).shape == (2,)
    assert forest.predict(fresh)[1] == "old"


def test_without_a_specification_it_says_what_to_take():
    with pytest.raises(SpecificationError, match="HistGradientBoostingClassifier"):
        DisguisedForestClassifier().fit([[1.0], [2.0]], [0, 1])


def test_a_number_of_ensembles_that_makes_no_sense_is_refused():
    with pytest.raises(SpecificationError, match="ensembles"):
        DisguisedForestClassifier(SPEC, ensembles=0).fit([[1.0]], [0])
