"""Trees by inversion (MRR): the published tree, its pruned forms, its test on reports."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, DisguisedTreeClassifier, Numeric, Specification, disguise
from scumble.errors import SpecificationError, TableError
from scumble.mechanisms import GaussianNoise, RandomizedResponse, UnrelatedQuestion, Warner
from scumble.schema import with_mechanism

BITS = ["0", "1"]
NAMES = [f"a{j}" for j in range(6)]
PUBLISHED = {"method": "inversion", "criterion": "entropy", "pruning": None}
ONE, THREE = "ggggggg", "ghighig"


def _spec(keep, groups=THREE, *, label=True):
    """Return six bits and a class; a letter names the group of each."""
    columns = {
        name: Categorical(BITS, mechanism=Warner(keep=keep, group=group))
        for name, group in zip(NAMES, groups, strict=False)
    }
    coin = Warner(keep=keep, group=groups[-1]) if label else None
    return Specification(
        {**columns, "class": Categorical(BITS, mechanism=coin)}, class_attribute="class"
    )


def _people(n=2000, *, seed=0):
    rng = np.random.default_rng([seed, 8])
    bits = rng.random((n, 6)) < [0.5, 0.4, 0.6, 0.5, 0.3, 0.5]
    label = (bits[:, 0] & bits[:, 1]) | (bits[:, 2] & bits[:, 3] & ~bits[:, 4])
    label ^= rng.random(n) < 0.05
    table = pd.DataFrame(np.array(BITS)[bits.astype(int)], columns=NAMES)
    return table.assign(**{"class": np.array(BITS)[label.astype(int)]})


def _reversed(reports):
    other = reports.replace({"0": "1", "1": "0"})
    other.attrs = {}  # they say no longer which specification made them
    return other


def _nodes(model):
    """Return all that makes up a tree."""
    tree = model.tree_
    return (
        tree.attribute.tolist(),
        tree.child.tolist(),
        {node: branch.tolist() for node, branch in tree.branches.items()},
        tree.counts.tolist(),
    )


def _fit(reports, spec, **changed):
    model = DisguisedTreeClassifier(spec, **(PUBLISHED | changed))
    if spec is None:
        return model.fit(reports.drop(columns="class"), reports["class"])
    return model.fit(reports)


@pytest.mark.parametrize("groups", [ONE, THREE, "abcdefg"])
@pytest.mark.parametrize("keep", [0.0, 1.0])
def test_where_nothing_is_hidden_it_is_the_clean_tree_node_for_node(groups, keep):
    people = _people()
    reports = _reversed(people) if keep == 0 else people

    tree = _fit(reports, _spec(keep, groups))

    clean = DisguisedTreeClassifier(criterion="entropy", pruning=None)
    clean.fit(people.drop(columns="class"), people["class"])
    assert _nodes(tree) == _nodes(clean)
    assert _nodes(tree) == _nodes(_fit(people, None))


def test_the_same_holds_with_missing_values_numbers_and_many_categories():
    rng = np.random.default_rng(4)
    colours = ["red", "green", "blue", "grey"]
    people = pd.DataFrame(
        {
            "age": rng.integers(20, 60, 800).astype(float),
            "colour": np.array(colours)[rng.integers(0, 4, 800)],
            "smoker": np.array(BITS)[rng.integers(0, 2, 800)],
        }
    )
    label = (people["age"] > 40) ^ (people["colour"].isin(["red", "grey"]))
    people = people.mask(rng.random(people.shape) < 0.1)
    people["class"] = np.array(["a", "b", "c"])[np.where(rng.random(800) < 0.1, 2, label)]
    harmless = UnrelatedQuestion(keep=1.0, group="g")
    spec = Specification(
        {
            "age": Numeric(20, 60),
            "colour": Categorical(sorted(colours), mechanism=harmless),
            "smoker": Categorical(BITS, mechanism=harmless),
            "class": Categorical(["c", "a", "b"], mechanism=RandomizedResponse(keep=1.0)),
        },
        class_attribute="class",
    )

    tree = _fit(people, spec)

    clean = DisguisedTreeClassifier(criterion="entropy", pruning=None)
    clean.fit(people.drop(columns="class"), people["class"])
    assert _nodes(tree) == _nodes(clean)
    assert tree.tree_.threshold.tolist() == pytest.approx(
        clean.tree_.threshold.tolist(), nan_ok=True
    )


@pytest.mark.parametrize("groups", [ONE, THREE])
@pytest.mark.parametrize("keep", [0.55, 0.7, 0.9])
def test_a_coin_and_its_complement_give_the_same_answers(groups, keep):
    reports = disguise(_people(), _spec(keep, groups), seed=1)

    tree = _fit(reports, _spec(keep, groups))
    other = _fit(_reversed(reports), _spec(1 - keep, groups))

    every = pd.DataFrame(list(product(BITS, repeat=6)), columns=NAMES)
    assert (tree.predict(every) == other.predict(every)).all()


@pytest.mark.parametrize("groups", [ONE, THREE, "abcdefg"])
@pytest.mark.parametrize("pruning", [None, "both", "significance", "reduced-error"])
def test_it_learns_what_is_disguised_class_and_all(groups, pruning):
    spec, test = _spec(0.85, groups), _people(3000, seed=1)

    tree = _fit(disguise(_people(20_000), spec, seed=1), spec, pruning=pruning)

    assert tree.score(test.drop(columns="class"), test["class"]) > 0.9


def test_ties_go_to_the_first_attribute_and_the_first_class():
    people = pd.DataFrame(dict.fromkeys(NAMES, BITS * 20))
    people["class"] = people["a0"]

    for groups in (ONE, THREE):
        tree = _fit(people, _spec(1.0, groups)).tree_
        assert tree.attribute.tolist() == [0, -1, -1]

    people["class"] = BITS * 10 + BITS[::-1] * 10
    assert _fit(people, _spec(1.0)).predict(people[NAMES]).tolist() == ["0"] * 40


def test_a_split_without_gain_does_not_stop_it_as_published():
    both = pd.DataFrame(list(product(BITS, repeat=6)), columns=NAMES)
    both["class"] = np.where(both["a2"] == both["a5"], "1", "0")

    tree = _fit(both, _spec(1.0))

    assert tree.score(both[NAMES], both["class"]) == 1


def test_counts_are_never_negative_and_no_leaf_is_without_an_answer():
    spec = _spec(0.6)
    tree = _fit(disguise(_people(300), spec, seed=3), spec)

    assert tree.tree_.counts.min() >= 0
    assert (tree.tree_.counts.sum(axis=1) > 0).all()
    assert np.isfinite(tree.predict_proba(_people(100)[NAMES])).all()


def test_significance_keeps_what_stands_out():
    spec = _spec(0.8, ONE)
    reports = disguise(_people(20_000), spec, seed=2)

    plain, pruned, strict = (
        len(_fit(reports, spec, **changed).tree_)
        for changed in (
            {},
            {"pruning": "significance"},
            {"pruning": "significance", "significance": 1e6},
        )
    )

    assert plain > pruned > 3
    assert strict == 1


def test_of_a_class_at_random_significance_leaves_nothing():
    spec = _spec(0.7)
    people = _people(4000)
    people["class"] = np.array(BITS)[np.random.default_rng(1).integers(0, 2, 4000)]
    reports = disguise(people, spec, seed=2)

    assert len(_fit(reports, spec, pruning="significance", significance=4).tree_) == 1
    assert len(_fit(reports, spec).tree_) > 20


def test_reduced_error_is_repeatable_and_smaller():
    spec = _spec(0.8)
    reports = disguise(_people(4000), spec, seed=2)

    first, again = (_fit(reports, spec, pruning="reduced-error") for _ in range(2))

    assert _nodes(first) == _nodes(again)
    assert len(first.tree_) < len(_fit(reports, spec).tree_)


def test_reduced_error_works_on_numbers_and_on_a_single_record():
    people = _people(1)
    assert len(_fit(people, None, pruning="reduced-error").tree_) == 1

    rng = np.random.default_rng(1)
    X = pd.DataFrame({"age": rng.integers(0, 80, 2000), "size": rng.random(2000)})
    y = np.where((X["age"] < 30) ^ (rng.random(2000) < 0.2), "young", "old")
    model = DisguisedTreeClassifier(**PUBLISHED | {"pruning": "reduced-error"}).fit(X, y)
    assert model.score(X, np.where(X["age"] < 30, "young", "old")) > 0.95


def test_weights_count_as_repeated_records():
    spec = _spec(0.8)
    reports = disguise(_people(400), spec, seed=1)
    weights = np.arange(400) % 3 + 1
    model = DisguisedTreeClassifier(spec, **PUBLISHED)

    weighted = model.fit(reports, sample_weight=weights).tree_

    repeated = _fit(reports.loc[reports.index.repeat(weights)], spec).tree_
    assert weighted.attribute.tolist() == repeated.attribute.tolist()
    assert np.allclose(weighted.counts, repeated.counts)


def test_the_class_may_be_in_clear():
    spec = _spec(0.8, label=False)
    people = _people(8000)
    reports = disguise(people, spec, seed=1)

    tree = _fit(reports, spec, pruning="significance")

    assert tree.score(people[NAMES], people["class"]) > 0.9


def test_a_disguised_number_is_refused():
    spec = Specification(
        {
            "age": Numeric(0, 80, mechanism=GaussianNoise(privacy=0.5)),
            "class": Categorical(BITS),
        },
        class_attribute="class",
    )
    table = pd.DataFrame({"age": [10.0, 20.0], "class": BITS})

    with pytest.raises(SpecificationError, match=r"attributes\.age.*method='likelihood'"):
        _fit(table, spec)


def test_all_classes_must_be_reported_where_the_class_is_disguised():
    people = _people(50).assign(**{"class": "0"})

    with pytest.raises(TableError, match="expected reports of all 2 values"):
        _fit(people, _spec(0.8))


@pytest.mark.parametrize("pruning", ["significance", "reduced-error"])
def test_such_pruning_goes_with_inversion_alone(pruning):
    with pytest.raises(SpecificationError, match="goes with method='inversion'"):
        DisguisedTreeClassifier(pruning=pruning).fit([[0.0], [1.0]], [0, 1])


def _all_ways(model, spec, reports):
    """Return Eq. 15 as published: the tree asked about all 2^M ways the coins may have fallen."""
    groups = spec.groups
    known = reports.to_numpy() == "1"
    total = np.zeros(len(reports))
    for fell in product([False, True], repeat=len(groups)):
        flips = np.zeros(known.shape[1], dtype=bool)
        weight = 1.0
        for members, lies in zip(groups.values(), fell, strict=True):
            flips[[list(spec).index(name) for name in members]] = lies
            keep = spec[members[0]].mechanism.keep
            weight *= (-(1 - keep) if lies else keep) / (2 * keep - 1)
        table = pd.DataFrame(np.array(BITS)[(known ^ flips) * 1], columns=list(spec))
        right = model.predict(table[NAMES]) == table["class"]
        total += weight * right.to_numpy()
    return total.mean(), total.std() / np.sqrt(len(total))


@pytest.mark.parametrize("groups", [ONE, THREE, "abcabcd", "aabbccd"])
def test_the_accuracy_by_inversion_is_the_published_one(groups):
    spec = _spec(0.7, groups)
    tree = _fit(disguise(_people(500), spec, seed=1), spec)
    reports = disguise(_people(400, seed=2), spec, seed=2)

    found = tree.score_disguised(reports, method="inversion")

    accuracy, error = _all_ways(tree, spec, reports)
    assert found.accuracy == pytest.approx(accuracy, abs=1e-12)
    assert found.error == pytest.approx(error, abs=1e-12)
    assert found.records == 400


def test_where_the_class_shares_a_coin_the_accuracy_is_by_inversion():
    spec = _spec(0.8, ONE)
    tree = _fit(disguise(_people(500), spec, seed=1), spec)
    reports = disguise(_people(400, seed=2), spec, seed=2)

    assert tree.score_disguised(reports) == tree.score_disguised(reports, method="inversion")


def test_in_clear_the_accuracy_by_inversion_is_the_share_of_right_answers():
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"age": rng.normal(40, 10, 500), "colour": rng.choice(["a", "b", "c"], 500)})
    X.loc[::9, "age"] = np.nan
    y = np.where((X["age"] < 35) ^ (X["colour"] == "b"), "yes", "no")
    spec = Specification({"age": Numeric(-50, 150), "colour": Categorical(["c", "a", "b"])})
    tree = DisguisedTreeClassifier(spec, method="byclass").fit(X[:300], y[:300])

    found = tree.score_disguised(X, y, method="inversion")

    assert found.accuracy == pytest.approx(tree.score(X, y), abs=1e-12)


def test_the_accuracy_by_inversion_goes_through_any_invertible_channel():
    colour = Categorical(["red", "green", "blue"], mechanism=RandomizedResponse(keep=0.7))
    harmless = UnrelatedQuestion(keep=0.6, group="g")
    spec = Specification(
        {
            "age": Numeric(0, 80),
            "colour": colour,
            "smoker": Categorical(BITS, mechanism=harmless),
            "class": Categorical(["x", "y", "z"], mechanism=harmless),
        },
        class_attribute="class",
    )
    rng = np.random.default_rng(5)
    people = pd.DataFrame(
        {
            "age": rng.random(20_000) * 80,
            "colour": rng.choice(["red", "green", "blue"], 20_000),
            "smoker": rng.choice(BITS, 20_000),
        }
    )
    label = np.where(people["age"] < 30, "x", np.where(people["colour"] == "red", "y", "z"))
    people["class"] = np.where(rng.random(20_000) < 0.2, "z", label)
    clear = Specification(
        {name: with_mechanism(attribute, None) for name, attribute in spec.attributes.items()},
        class_attribute="class",
    )
    learnt = DisguisedTreeClassifier(clear, method="byclass", max_depth=4).fit(people[:5000])
    tree = DisguisedTreeClassifier(spec, method="inversion")
    tree.tree_, tree.classes_ = learnt.tree_, learnt.classes_

    found = tree.score_disguised(disguise(people, spec, seed=1), method="inversion")

    truth = learnt.score(people.drop(columns="class"), people["class"])
    assert abs(found.accuracy - truth) < 5 * found.error
    assert found.error < 0.05


def test_a_tree_that_tests_disguised_numbers_is_not_scored_by_inversion():
    spec = Specification({"age": Numeric(0, 80, mechanism=GaussianNoise(privacy=0.3))})
    X = pd.DataFrame({"age": np.linspace(0, 80, 300)})
    y = np.where(X["age"] < 30, "young", "old")
    reports = disguise(X, spec, seed=1)
    tree = DisguisedTreeClassifier(spec, method="byclass").fit(reports, y)

    with pytest.raises(SpecificationError, match=r"attributes\.age.*method='likelihood'"):
        tree.score_disguised(reports, y, method="inversion")
    with pytest.raises(SpecificationError, match="method: unknown 'guess'"):
        tree.score_disguised(reports, y, method="guess")
