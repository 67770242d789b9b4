import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from scumble import Categorical, DisguisedTreeClassifier, Numeric, Specification, disguise
from scumble.errors import DomainError, ScumbleWarning, SpecificationError, TableError
from scumble.mechanisms import GaussianNoise, UnrelatedQuestion, Warner, grouped
from scumble.mining import Party, side_by_side

ANSWER = Categorical([False, True])
CLEAR = Specification(dict.fromkeys(["a", "b", "c", "class"], ANSWER), class_attribute="class")


def _people(n, seed=0):
    rng = np.random.default_rng(seed)
    kind = rng.random(n) < 0.5
    table = pd.DataFrame({name: kind ^ (rng.random(n) < 0.15) for name in "abc"})
    return table.assign(**{"class": kind})


def _truths(table):
    return table.drop(columns="class"), table["class"]


def test_a_noisy_party_helps_a_small_clear_one():
    test = _people(4000, seed=9)
    scores = []
    for seed in range(2):
        clear, others = _people(30, seed=seed), _people(500, seed=seed + 100)
        coins = grouped(CLEAR, keep=0.65, groups=2, seed=seed)
        noisy = Party(disguise(others, coins, seed=seed), coins)
        tree = DisguisedTreeClassifier(CLEAR, random_state=seed)
        alone = tree.fit(clear).score(*_truths(test))
        both = tree.fit_parties([Party(clear, CLEAR), noisy]).score(*_truths(test))
        scores.append((alone, both))

    alone, both = np.mean(scores, axis=0)
    assert both > 0.9  # the best rule, two of three, has .94
    assert both >= alone


def test_parties_may_differ_in_groups_noise_and_missing_values():
    rng = np.random.default_rng(0)
    n = 3000
    kind = rng.random(n) < 0.5
    table = pd.DataFrame(
        {"size": np.clip(rng.normal(np.where(kind, 70, 30), 8), 0, 100), "a": kind, "class": kind}
    )
    clear = Specification(
        {"size": Numeric(0, 100), "a": ANSWER, "class": ANSWER}, class_attribute="class"
    )
    warner = Categorical([False, True], mechanism=Warner(keep=0.8, group="g"))
    noisy = Specification(
        {
            "size": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
            "a": warner,
            "class": warner,
        },
        class_attribute="class",
    )
    first = table[:1500].copy()
    first.loc[:200, "size"] = np.nan
    reports = disguise(table[1500:].reset_index(drop=True), noisy, seed=1)

    tree = DisguisedTreeClassifier(clear, random_state=0)
    tree.fit_parties(
        [Party(first.drop(columns="class"), clear, first["class"]), Party(reports, noisy)]
    )

    assert tree.score(table[["size", "a"]], kind) > 0.97


def test_columns_of_the_same_people_are_put_side_by_side():
    people = _people(2000)
    told = Categorical([False, True], mechanism=Warner(keep=0.8))
    theirs = Specification({"a": told})
    ours = Specification(dict.fromkeys(["b", "c", "class"], ANSWER), class_attribute="class")
    reports = disguise(people[["a"]], theirs, seed=1)

    both = side_by_side([Party(reports, theirs), Party(people[["b", "c", "class"]], ours)])
    tree = DisguisedTreeClassifier(both.spec, random_state=0).fit(both.reports)

    assert isinstance(both.reports, pa.Table)
    assert both.spec.class_attribute == "class"
    assert tree.score(*_truths(people)) > 0.9


def test_what_does_not_fit_together_is_refused():
    people = _people(20)
    one = Party(people[["a"]], Specification({"a": ANSWER}))
    short = Party(people[["b"]][:5], Specification({"b": ANSWER}))
    other = Specification(
        {"a": Categorical([False, True], ordered=True), "b": ANSWER, "c": ANSWER, "class": ANSWER},
        class_attribute="class",
    )
    tree = DisguisedTreeClassifier(CLEAR)

    with pytest.raises(SpecificationError, match=r"party 2: expected columns .* got 'a' once more"):
        side_by_side([one, one])
    with pytest.raises(TableError, match=r"party 2: expected as many records .* got 5"):
        side_by_side([one, short])
    with pytest.raises(SpecificationError, match=r"party 2: attributes\.a: expected the domain"):
        tree.fit_parties([Party(people, CLEAR), Party(people, other)])
    with pytest.raises(SpecificationError, match="party 1: attributes: no attribute 'a'"):
        tree.fit_parties([Party(people, Specification({"class": ANSWER}, class_attribute="class"))])
    with pytest.raises(
        TableError, match="party 1: expected a class for each of 20 records, got 19"
    ):
        tree.fit_parties([Party(people, CLEAR, people["class"][1:])])
    with pytest.raises(SpecificationError, match="method='likelihood'"):
        DisguisedTreeClassifier(CLEAR, method="inversion").fit_parties([Party(people, CLEAR)])
    with pytest.raises(TableError, match="at least one"):
        tree.fit_parties([])
    fair = grouped(CLEAR, keep=0.51)
    with pytest.raises(TableError, match="too fair"):
        tree.fit_parties([Party(disguise(people, fair, seed=1), fair)])


def test_clear_numbers_are_cut_by_their_values_whatever_the_range():
    rng = np.random.default_rng(0)
    size = rng.uniform(1, 5, 4000)
    table = pd.DataFrame({"size": size, "class": size > 3})
    spec = Specification({"size": Numeric(0, 1e6), "class": ANSWER}, class_attribute="class")

    tree = DisguisedTreeClassifier(spec, random_state=0)
    tree.fit_parties([Party(table[:2000], spec), Party(table[2000:], spec)])

    assert tree.score(table[["size"]], table["class"]) > 0.98


def test_classes_are_those_that_are_declared():
    people = _people(50)
    texts = np.where(people["class"], "x", "y")
    three = Categorical(["a", "b", "c"], mechanism=UnrelatedQuestion(keep=0.8, group="g"))
    one = Categorical([False, True], mechanism=UnrelatedQuestion(keep=0.8, group="g"))
    spec = Specification({"a": one, "class": three}, class_attribute="class")
    reports = pd.DataFrame({"a": people["a"], "class": np.where(people["class"], "a", "c")})
    tree = DisguisedTreeClassifier(CLEAR)

    with pytest.raises(DomainError, match="party 2: expected values of type bool"):
        tree.fit_parties([Party(people, CLEAR), Party(people[list("abc")], CLEAR, texts)])
    with pytest.raises(TableError, match="party 1: class: expected reports of all 3 values, got 2"):
        DisguisedTreeClassifier(spec).fit_parties([Party(reports, spec)])
    with pytest.raises(TableError, match="party 2: expected at least one record"):
        tree.fit_parties([Party(people, CLEAR), Party(people[:0], CLEAR)])
    with pytest.raises(SpecificationError, match="class: expected one, got several"):
        side_by_side(
            [
                Party(people[["a"]], Specification({"a": ANSWER}), people["class"]),
                Party(
                    people[["b", "class"]],
                    Specification({"b": ANSWER, "class": ANSWER}, class_attribute="class"),
                ),
            ]
        )


def test_a_party_shows_no_record_and_is_warned_of_another_specification():
    people = _people(300)
    coins, others = grouped(CLEAR, keep=0.8), grouped(CLEAR, keep=0.2)
    reports = disguise(people, coins, seed=1)

    assert "reports" not in repr(Party(reports, coins))
    with pytest.warns(ScumbleWarning, match="fit_parties: party 1: these reports were disguised"):
        DisguisedTreeClassifier(CLEAR, random_state=0).fit_parties([Party(reports, others)])
