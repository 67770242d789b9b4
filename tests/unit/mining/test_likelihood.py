import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, DisguisedTreeClassifier, Numeric, Specification, disguise
from scumble.datasets import make_quest, quest_specification
from scumble.errors import ScumbleWarning, SpecificationError, TableError
from scumble.mechanisms import GaussianNoise, RandomizedResponse, UniformNoise, Warner, grouped
from scumble.mining._candidate import compared, mean_weights
from scumble.mining._likelihood import _asked
from scumble.population import Population

SPEC = quest_specification(UniformNoise(privacy=1.0))


def _quest(function=2, *, n=10_000, seed=1):
    X, y = make_quest(function, n=n, seed=seed)
    return disguise(X, SPEC, seed=seed), y


@pytest.fixture(scope="module")
def fitted():
    return DisguisedTreeClassifier(SPEC, method="likelihood", random_state=1).fit(*_quest())


def test_it_knows_more_than_reconstruction_by_class(fitted):
    X, y = make_quest(2, n=5000, seed=99)
    by_class = DisguisedTreeClassifier(SPEC, method="byclass").fit(*_quest())

    assert fitted.score(X, y) > by_class.score(X, y) + 0.05
    assert fitted.get_n_leaves() < 200


def test_it_says_what_it_chose_and_why(fitted):
    chosen = [candidate for candidate in fitted.selection_ if candidate.chosen]

    assert chosen
    names = [candidate.name for candidate in fitted.selection_]
    assert {"mixture", "smooth mixture", "leaves"} <= set(names)
    leaves = fitted.selection_[names.index("leaves")]
    assert "standard errors" in leaves.why
    others = [candidate for candidate in chosen if candidate is not leaves]
    assert others or leaves.chosen
    assert all(candidate.behind <= candidate.error for candidate in others)
    assert not others or min(candidate.behind for candidate in others) == 0


def test_few_records_of_many_classes_get_leaves_for_each_class():
    rng = np.random.default_rng(3)
    number = Numeric(0, 1, mechanism=UniformNoise(privacy=0.25))
    spec = Specification(dict.fromkeys("xyz", number))
    truths = pd.DataFrame(rng.random((1_500, 3)), columns=list("xyz"))
    angle = np.arctan2(truths["y"] - 0.5, truths["x"] - 0.5)
    sector = np.floor(8 * (angle / (2 * np.pi) + 0.5)).clip(0, 7).astype(int)

    tree = DisguisedTreeClassifier(spec, random_state=1).fit(
        disguise(truths, spec, seed=3), sector.to_numpy()
    )

    assert 20 < tree.get_n_leaves() <= 80


def test_only_what_tells_the_class_is_tested(fitted):
    tested = {fitted.tree_.names[j] for j in fitted.tree_.tested}

    assert tested <= {"salary", "commission", "age"}
    assert len(fitted.feature_importances_) == 9


def test_a_teacher_is_asked_about_values_that_the_population_has_nobody_of():
    level = Numeric(0, 4, step=1)
    cells = [level.cells(5), level.cells(5)]
    shares = [np.array([[0.25, 0.25, 0.0, 0.25, 0.25]]), np.array([[1.0, 0.0, 0.0, 0.0, 0.0]])]
    nobody_in_the_middle = Population(
        {"x": level, "y": level}, cells, np.array([1.0]), np.array([0]), shares, 2
    )

    codes = _asked(nobody_in_the_middle, 10_000, seed=1)

    # In a tenth of the draws one attribute of two is any of five.
    assert np.mean(codes[:, 0] == 3) == pytest.approx(0.01, abs=0.005)
    assert np.mean(codes[:, 1] == 1) == pytest.approx(0.96, abs=0.01)


def test_a_tree_counts_people_and_not_what_its_teacher_was_asked_about():
    amount = Numeric(0, 100, mechanism=UniformNoise(privacy=0.1))
    spec = Specification({"amount": amount})
    truths = pd.DataFrame({"amount": np.random.default_rng(1).exponential(4, 4000).clip(0, 100)})
    rich = truths["amount"] > 12

    found = DisguisedTreeClassifier(spec, random_state=1).fit(
        disguise(truths, spec, seed=2), np.where(rich, "rich", "poor")
    )

    # Nearly nine of ten values drawn anew are above 12: as people they would double the share.
    missing = found.predict_proba(pd.DataFrame({"amount": [np.nan]}))
    assert missing[0, 1] == pytest.approx(rich.mean(), abs=0.01)
    assert found.tree_.probabilities[0, 1] == pytest.approx(rich.mean(), abs=0.01)


def test_counts_are_those_of_the_training_records(fitted):
    assert fitted.tree_.counts[0].sum() == pytest.approx(10_000)


def test_a_seed_makes_it_repeatable():
    reports, y = _quest(n=1000)

    one, two = (
        DisguisedTreeClassifier(SPEC, method="likelihood", random_state=5).fit(reports, y)
        for _ in range(2)
    )

    assert one.to_text() == two.to_text()


def test_it_is_written_down_and_read(fitted, tmp_path):
    fitted.to_json(tmp_path / "model.json")
    X, _ = make_quest(2, n=500, seed=3)

    read = DisguisedTreeClassifier.from_json(tmp_path / "model.json")

    assert (read.predict(X) == fitted.predict(X)).all()


def test_where_nothing_tells_the_class_it_says_so():
    reports, _ = _quest(n=500)
    y = np.random.default_rng(5).choice(["A", "B"], 500)
    tree = DisguisedTreeClassifier(SPEC, method="likelihood", random_state=1)

    with pytest.warns(ScumbleWarning, match="no attribute tells anything of the class"):
        tree.fit(reports, y)

    assert tree.get_n_leaves() == 1
    assert tree.selection_ == []


# Three classes; the class depends on noisy age, randomized colour and public size.
MIXED = Specification(
    {
        "age": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
        "colour": Categorical(["red", "green", "blue"], mechanism=RandomizedResponse(keep=0.7)),
        "smoker": Categorical(["no", "yes"], mechanism=Warner(keep=0.8, group="health")),
        "drinker": Categorical(["no", "yes"], mechanism=Warner(keep=0.8, group="health")),
        "size": Numeric(0, 10),
        "name": Categorical(["x", "y"], sensitivity="withheld"),
        "label": Categorical(["A", "B", "C"], mechanism=RandomizedResponse(keep=0.8)),
    },
    class_attribute="label",
)


def _mixed(n, *, seed=1, missing=0.05):
    rng = np.random.default_rng([seed, 7])
    age, size = rng.uniform(0, 100, n), rng.uniform(0, 10, n)
    colour = rng.choice(["red", "green", "blue"], n)
    smoker, drinker = (rng.choice(["no", "yes"], n) for _ in range(2))
    label = np.where(age < 40, "A", np.where((colour == "red") | (size < 3), "B", "C"))
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


def test_a_mixed_table_with_a_disguised_class_of_three():
    tree = DisguisedTreeClassifier(MIXED, method="likelihood", random_state=1)

    tree.fit(disguise(_mixed(3000), MIXED, seed=1))

    test = _mixed(5000, seed=2, missing=0.0)
    assert tree.score(test, test["label"]) > 0.9
    assert tree.classes_.tolist() == ["A", "B", "C"]


def test_all_values_of_a_disguised_class_must_be_reported():
    reports = disguise(_mixed(500), MIXED, seed=1)

    with pytest.raises(TableError, match="expected reports of all 3 values, got 2"):
        DisguisedTreeClassifier(MIXED, method="likelihood").fit(reports[reports["label"] != "C"])


def test_weights_are_refused():
    reports, y = _quest(n=100)

    with pytest.raises(SpecificationError, match="sample_weight: expected none"):
        DisguisedTreeClassifier(SPEC, method="likelihood").fit(reports, y, np.ones(100))


def test_a_thousand_records_suffice_to_beat_reconstruction_by_class():
    X, y = make_quest(2, n=5000, seed=99)
    spec = quest_specification(GaussianNoise(privacy=0.5))
    truths, classes = make_quest(2, n=1000, seed=4)
    reports = disguise(truths, spec, seed=5)

    ours, theirs = (
        DisguisedTreeClassifier(spec, method=method, random_state=1).fit(reports, classes)
        for method in ("likelihood", "byclass")
    )

    assert ours.score(X, y) > theirs.score(X, y)
    assert np.isfinite(ours.predict_proba(X)).all()


def test_in_doubt_all_that_cannot_be_told_from_the_best_are_chosen():
    scores = {
        "best": np.array([-1.0, -1.0, -1.0, -1.0]),
        "much the same": np.array([-0.5, -1.6, -0.5, -1.6]),
        "worse": np.array([-2.0, -2.1, -2.0, -2.1]),
    }

    chosen = [candidate.name for candidate in compared(scores) if candidate.chosen]

    assert chosen == ["best", "much the same"]


def test_who_cannot_be_told_apart_keeps_the_weight_of_before():
    told = np.log(np.random.default_rng(1).uniform(0.3, 0.9, 300))

    weights = mean_weights({"large": told, "small": told}, {"small": 6})

    assert abs(weights["small"] - 6 / 7) < 0.02
    assert abs(sum(weights.values()) - 1) < 1e-9


def test_records_outweigh_what_was_thought_before():
    good, bad = np.full(2000, np.log(0.6)), np.full(2000, np.log(0.5))

    assert mean_weights({"large": good, "small": bad}, {"small": 6})["large"] > 0.9


def _answers(n, *, seed):
    """Return people whose ten answers depend on their class alone."""
    rng = np.random.default_rng([seed, 1])
    party = rng.random(n) < 0.5
    answers = {f"a{k}": party ^ (rng.random(n) < 0.25 + 0.02 * k) for k in range(10)}
    return pd.DataFrame({**answers, "party": party})


ANSWERS = Specification(
    dict.fromkeys(_answers(1, seed=0), Categorical([False, True])), class_attribute="party"
)


def test_of_few_records_learners_that_come_to_the_same_are_tried_once():
    coins = grouped(ANSWERS, groups="each", keep=0.7, class_in="clear")
    people = _answers(300, seed=1)

    tree = DisguisedTreeClassifier(coins, random_state=1).fit(disguise(people, coins, seed=1))

    assert [own.name for own in tree.selection_] == ["mixture", "bound mixture", "naive Bayes"]
    assert all(own.why.startswith("weighs") for own in tree.selection_)
    assert tree.get_n_leaves() <= 20


def test_weak_reports_of_a_class_with_its_own_coin_make_a_tree():
    coins = grouped(ANSWERS, groups="each", keep=0.75, class_in="own")
    test = _answers(2000, seed=9)
    right = []
    for seed in (1, 2, 3):
        reports = disguise(_answers(400, seed=seed), coins, seed=seed)
        tree = DisguisedTreeClassifier(coins, random_state=1).fit(reports)
        right.append(tree.score(test.drop(columns="party"), test["party"]))

    assert np.mean(right) > 0.75
