import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import BernoulliNB

from scumble import Categorical, Numeric, Specification, disguise
from scumble.errors import SpecificationError, TableError
from scumble.mechanisms import GaussianNoise, grouped
from scumble.mining import DisguisedNaiveBayesClassifier

CLEAR = Specification(
    dict.fromkeys(["a", "b", "c", "d", "class"], Categorical([False, True])),
    class_attribute="class",
)


def _people(n, seed=0):
    rng = np.random.default_rng(seed)
    kind = rng.random(n) < 0.4
    chances = {"a": 0.9, "b": 0.7, "c": 0.65, "d": 0.8}
    table = {name: rng.random(n) < np.where(kind, p, 1 - p) for name, p in chances.items()}
    return pd.DataFrame({**table, "class": kind})


def test_in_clear_it_is_naive_bayes():
    people, others = _people(3000), _people(500, seed=1)
    model = DisguisedNaiveBayesClassifier(CLEAR).fit(people)
    peer = BernoulliNB(alpha=0.5).fit(people[list("abcd")], people["class"])

    found = model.predict_proba(others[list("abcd")])

    assert found == pytest.approx(peer.predict_proba(others[list("abcd")]), abs=0.01)


@pytest.mark.parametrize("groups", [1, 2, 3, "each"])
def test_through_coins_it_is_nearly_what_it_is_in_clear(groups):
    people, others = _people(10_000), _people(5000, seed=1)
    coins = grouped(CLEAR, keep=0.7, groups=groups, seed=1)
    clear = DisguisedNaiveBayesClassifier(CLEAR).fit(people)

    model = DisguisedNaiveBayesClassifier(coins).fit(disguise(people, coins, seed=2))

    truths = others[list("abcd")]
    assert model.score(truths, others["class"]) > clear.score(truths, others["class"]) - 0.02


def test_numbers_and_missing_values_are_taken_too():
    rng = np.random.default_rng(0)
    kind = rng.random(4000) < 0.5
    spec = Specification(
        {
            "size": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
            "class": Categorical([False, True]),
        },
        class_attribute="class",
    )
    size = np.clip(rng.normal(np.where(kind, 70, 30), 10), 0, 100)
    truths = pd.DataFrame({"size": np.where(rng.random(4000) < 0.1, np.nan, size), "class": kind})

    model = DisguisedNaiveBayesClassifier(spec).fit(disguise(truths, spec, seed=1))

    assert model.score(pd.DataFrame({"size": size}), kind) > 0.93
    unknown = model.predict_proba(pd.DataFrame({"size": [np.nan]}))
    assert unknown == pytest.approx(np.array([[0.5, 0.5]]), abs=0.05)


def test_what_is_lacking_is_said():
    people = _people(10)

    with pytest.raises(SpecificationError, match="spec: expected a Specification"):
        DisguisedNaiveBayesClassifier().fit(people)
    with pytest.raises(TableError, match="requires y"):
        DisguisedNaiveBayesClassifier(CLEAR).fit(people.drop(columns="class"))


@pytest.mark.parametrize("keep", [0.8, 0.3])
def test_the_shares_of_classes_are_those_of_truths(keep):
    people = _people(20_000)
    coins = grouped(CLEAR, keep=keep, groups="each")

    model = DisguisedNaiveBayesClassifier(coins).fit(disguise(people, coins, seed=1))

    assert model.population_.class_shares[1] == pytest.approx(0.4, abs=0.02)
    assert model.score(people[list("abcd")], people["class"]) > 0.88  # the best has .91
