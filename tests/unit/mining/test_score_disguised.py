"""The accuracy on truths, estimated from reports.

The statistical checks allow six standard errors, which a bell curve leaves in two of a billion
cases; seeds are fixed. Their twin: the estimate that takes reports for truths is off by more.
"""

from dataclasses import asdict, replace

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from scumble import Categorical, DisguisedTreeClassifier, Numeric, Specification, disguise
from scumble.datasets import make_quest, quest_specification
from scumble.errors import DomainError, ScumbleWarning, TableError
from scumble.mechanisms import GaussianNoise, RandomizedResponse, UniformNoise, Warner
from scumble.mining import C45Classifier, DisguisedScore, Tree

NOISY = quest_specification(UniformNoise(privacy=0.5))
VALUES = ["no", "yes"]


def _votes_spec(label=None):
    votes = {
        f"vote{j}": Categorical(VALUES, mechanism=Warner(keep=0.85, group=f"g{j // 3}"))
        for j in range(6)
    }
    party = Categorical(["left", "right"], mechanism=label)
    return Specification({**votes, "party": party}, class_attribute="party")


def _votes(n=5000, *, seed=1):
    rng = np.random.default_rng([seed, 3])
    right = rng.random(n) < 0.45
    chance = np.array([0.9, 0.75, 0.6, 0.15, 0.4, 0.5])
    yes = rng.random((n, 6)) < np.where(right[:, None], chance, 1 - chance)
    table = pd.DataFrame(np.array(VALUES)[yes.astype(int)], columns=[f"vote{j}" for j in range(6)])
    table["party"] = np.where(right, "right", "left")
    return table


def _quest_case():
    X, y = make_quest(2, n=20_000, seed=1)
    tree = DisguisedTreeClassifier(NOISY, method="byclass").fit(disguise(X, NOISY, seed=1), y)
    X, y = make_quest(2, n=5000, seed=2)
    return tree, X, y, disguise(X, NOISY, seed=3), y


def _votes_case(label=None):
    spec = _votes_spec(label)
    clear = Specification({name: Categorical(VALUES) for name in _votes(1) if name != "party"})
    truths = _votes(seed=1)
    learnt = DisguisedTreeClassifier(clear, method="byclass", max_depth=4).fit(
        truths.drop(columns="party"), truths["party"]
    )
    tree = DisguisedTreeClassifier(spec, method="likelihood")
    tree.tree_, tree.classes_ = learnt.tree_, learnt.classes_
    X = _votes(seed=2)
    reports = disguise(X, spec, seed=3)
    return tree, X, X["party"], reports.drop(columns="party"), reports["party"]


CASES = {
    "noise": _quest_case,
    "shared coins": _votes_case,
    "shared coins, disguised class": lambda: _votes_case(RandomizedResponse(keep=0.8)),
}


@pytest.fixture(scope="module", params=list(CASES))
def case(request):
    tree, X, y, reports, y_reports = CASES[request.param]()
    return tree, X, y, reports, y_reports, tree.score_disguised(reports, y_reports)


def test_the_estimate_is_within_its_error(case):
    tree, X, y, _, _, found = case

    assert abs(found.accuracy - tree.score(X, y)) < 6 * found.error
    assert found.error < 0.06
    assert found.records == 5000


def test_taking_reports_for_truths_is_caught(case):
    tree, X, y, reports, y_reports, found = case

    naive = np.mean(tree.predict(reports) == np.asarray(y_reports))

    binomial = np.sqrt(naive * (1 - naive) / len(reports))
    assert abs(naive - tree.score(X, y)) > 6 * binomial
    assert abs(naive - tree.score(X, y)) > 2 * abs(found.accuracy - tree.score(X, y))


MIXED = {
    "size": Numeric(0, 10),
    "colour": Categorical(["red", "green", "blue"]),
}


def _mixed(n=2000, *, seed=1, missing=0.1):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {"size": rng.uniform(0, 10, n), "colour": rng.choice(["red", "green", "blue"], n)}
    )
    y = np.where((table["size"] > 4) ^ (table["colour"] == "red"), "A", "B")
    y[rng.random(n) < 0.1] = "A"
    table[rng.random((n, 2)) < missing] = None
    return table, y


@pytest.mark.parametrize("spec", [None, Specification(MIXED)], ids=["no spec", "clear spec"])
def test_in_clear_it_is_the_usual_accuracy_and_its_binomial_error(spec):
    tree = DisguisedTreeClassifier(spec, method="byclass").fit(*_mixed())
    X, y = _mixed(1000, seed=2)

    found = tree.score_disguised(X, y)

    accuracy = tree.score(X, y)
    assert found.accuracy == pytest.approx(accuracy, abs=1e-12)
    assert found.error == pytest.approx(np.sqrt(accuracy * (1 - accuracy) / 1000), abs=1e-12)


def test_in_clear_missing_values_are_answered_as_they_are_predicted():
    rng = np.random.default_rng(4)
    values = rng.random((4000, 1))
    # The leaf in the middle is the heaviest, but those beside it are more together.
    y = np.where(np.abs(values[:, 0] - 0.5) < 0.2, "a", "b")
    values[rng.random(values.shape) < 0.3] = np.nan
    tree = DisguisedTreeClassifier().fit(values, y)
    tree.tree_ = C45Classifier().fit(values, y).tree_

    found = tree.score_disguised(values, y)

    assert found.accuracy == pytest.approx(tree.score(values, y))
    of_heaviest_leaf = tree.classes_[tree.tree_.answers[tree.apply(values)]]
    assert np.mean(of_heaviest_leaf == y) < found.accuracy - 0.01


def test_nearly_no_noise_gives_nearly_the_usual_accuracy_through_the_likelihood():
    colour = Categorical(["red", "green", "blue"], mechanism=RandomizedResponse(keep=1 - 1e-9))
    spec = Specification({**MIXED, "colour": colour})
    tree = DisguisedTreeClassifier(spec, method="byclass").fit(*_mixed())
    X, y = _mixed(1000, seed=2)

    found = tree.score_disguised(X, y)

    accuracy = tree.score(X, y)
    assert found.accuracy == pytest.approx(accuracy, abs=2e-3)
    assert found.error == pytest.approx(np.sqrt(accuracy * (1 - accuracy) / 1000), rel=0.1)


def test_the_same_reports_give_the_same_score():
    colour = Categorical(["red", "green", "blue"], mechanism=RandomizedResponse(keep=0.8))
    spec = Specification({**MIXED, "colour": colour})
    tree = DisguisedTreeClassifier(spec, method="byclass").fit(*_mixed())

    one, two = (tree.score_disguised(*_mixed(500)) for _ in range(2))

    assert one == two


def test_a_class_that_the_tree_does_not_know_is_never_answered():
    tree = DisguisedTreeClassifier(Specification(MIXED), method="byclass").fit(*_mixed())
    X, y = _mixed(500, seed=2)

    assert tree.score_disguised(X, np.full(500, "C")).accuracy == 0
    assert tree.score_disguised(X, np.where(y == "A", "C", y)).accuracy < 0.5


def test_a_single_leaf_is_right_as_often_as_its_class_occurs():
    tree, _, y, reports, y_reports = _votes_case(RandomizedResponse(keep=0.9))
    full = tree.tree_
    none = np.array([-1])
    tree.tree_ = Tree(
        full.attributes,
        full.classes,
        none,
        none,
        0 * none,
        none * np.nan,
        {},
        none,
        full.counts[:1],
    )

    found = tree.score_disguised(reports, y_reports)

    assert tree.tree_.label(0) == "left"
    assert abs(found.accuracy - np.mean(y == "left")) < 6 * found.error < 0.1


def test_where_noise_hides_everything_it_says_so():
    spec = Specification({"size": Numeric(0, 10, mechanism=GaussianNoise(privacy=20.0))})
    clear = DisguisedTreeClassifier(Specification({"size": Numeric(0, 10)}), method="byclass")
    X, _ = _mixed(missing=0.0)
    X = X[["size"]]
    y = np.where(X["size"] > 5, "A", "B")
    tree = DisguisedTreeClassifier(spec, method="byclass")
    tree.tree_, tree.classes_ = clear.fit(X, y).tree_, clear.classes_

    with pytest.warns(ScumbleWarning, match="the reports leave the accuracy open"):
        found = tree.score_disguised(disguise(X, spec, seed=1), y)

    assert found.error > 0.1
    assert 0 <= found.accuracy <= 1


def test_more_records_than_fit_in_memory_are_left_out(monkeypatch):
    tree, X, y, reports, y_reports = _votes_case()
    monkeypatch.setattr("scumble.mining._accuracy_views._FIRST_ENTRIES", 20_000)
    monkeypatch.setattr("scumble.mining._accuracy_views._MOST_ENTRIES", 20_000)

    found = tree.score_disguised(reports, y_reports)

    assert found.records < 5000
    assert abs(found.accuracy - tree.score(X, y)) < 6 * found.error


def test_missing_reports_are_missing_truths():
    colour = Categorical(["red", "green", "blue"], mechanism=RandomizedResponse(keep=0.8))
    spec = Specification({**MIXED, "colour": colour})
    X, y = _mixed(4000, missing=0.3)
    tree = DisguisedTreeClassifier(spec, method="byclass").fit(disguise(X, spec, seed=1), y)
    X, y = _mixed(4000, seed=2, missing=0.3)

    found = tree.score_disguised(disguise(X, spec, seed=4), y)

    assert abs(found.accuracy - tree.score(X, y)) < 6 * found.error < 0.3


def test_by_inversion_what_goes_down_every_branch_is_refused():
    tree, _, _, reports, y = _votes_case()
    reports = reports.copy()
    shared = np.where(tree.tree_.attribute >= 0, -1, tree.tree_.missing)
    tree.tree_ = replace(tree.tree_, missing=shared)
    whole = tree.score_disguised(reports, y, method="inversion")
    tested = tree.tree_.names[tree.tree_.attribute[0]]
    reports.loc[:9, tested] = None

    with pytest.raises(TableError, match="10 records"):
        tree.score_disguised(reports, y, method="inversion")
    assert 0.5 < whole.accuracy < 1.1


def test_a_score_reads_well():
    score = DisguisedScore(0.9, 0.0123, 5000)

    assert str(score) == "0.900 +- 0.012 (5,000 records)"
    assert float(score) == 0.9
    assert DisguisedScore(**asdict(score)) == score


def test_bad_input_is_refused():
    tree = DisguisedTreeClassifier(Specification(MIXED), method="byclass").fit(*_mixed())
    X, y = _mixed(100)

    with pytest.raises(NotFittedError):
        DisguisedTreeClassifier(Specification(MIXED), method="byclass").score_disguised(X, y)
    with pytest.raises(TableError, match="expected the columns of the specification"):
        tree.score_disguised(X[["size"]], y)
    with pytest.raises(TableError, match="requires y"):
        tree.score_disguised(X)
    with pytest.raises(ValueError, match="inconsistent numbers"):
        tree.score_disguised(X, y[:50])
    with pytest.raises(TableError, match="have no class"):
        tree.score_disguised(X, np.where(y == "A", None, y))


def test_a_class_outside_its_domain_is_refused():
    tree, _, _, reports, _ = _votes_case(RandomizedResponse(keep=0.8))

    with pytest.raises(DomainError, match="class"):
        tree.score_disguised(reports, np.full(len(reports), "middle"))


def test_a_class_that_shares_a_coin_with_what_is_tested_is_inverted():
    tree, X, *_ = _votes_case(Warner(keep=0.85, group="g0"))

    found = tree.score_disguised(disguise(X, tree.spec, seed=1))

    truth = tree.score(X.drop(columns="party"), X["party"])
    assert abs(found.accuracy - truth) < 6 * found.error
    assert found.error < 0.03


def test_reports_of_another_specification_are_warned_of():
    tree, X, y, _, _ = _votes_case()
    other = disguise(X, _votes_spec(RandomizedResponse(keep=0.9)), seed=1)

    with pytest.warns(ScumbleWarning, match=r"score_disguised: .* another specification"):
        tree.score_disguised(other[:300].drop(columns="party"), y[:300])
