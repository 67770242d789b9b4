import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, DisguisedTreeClassifier, Specification, disguise
from scumble.errors import ScumbleWarning, SpecificationError
from scumble.mechanisms import Warner
from scumble.mining._training import training_records
from scumble.mining._undecided import LEAST_KNOWN, known_of, righted
from scumble.tables import Table


def _reports(n, *, keep, weak=0.9, seed=0):
    """Return a class and answers that share a coin, and two more with another one."""
    rng = np.random.default_rng(seed)
    kind = rng.random(n) < 0.5
    table = pd.DataFrame({f"a{j}": rng.random(n) < np.where(kind, 0.9, 0.1) for j in range(4)})
    table["class"] = kind
    coins = [("one", keep)] * 2 + [("two", weak)] * 2 + [("one", keep)]
    spec = Specification(
        {
            name: Categorical([False, True], mechanism=Warner(keep=keep, group=group))
            for name, (group, keep) in zip(table, coins, strict=True)
        },
        class_attribute="class",
    )
    return table, disguise(table, spec, seed=seed), spec


def test_where_mirror_images_cannot_be_told_apart_the_reports_are_taken_as_they_are():
    table, reports, spec = _reports(400, keep=0.54)

    with pytest.warns(ScumbleWarning, match="cannot be told apart"):
        tree = DisguisedTreeClassifier(spec, random_state=0).fit(reports)
    plain = DisguisedTreeClassifier(spec, method="uncorrected").fit(reports)

    assert [candidate.name for candidate in tree.selection_] == ["uncorrected"]
    assert tree.to_text() == plain.to_text()
    assert tree.score(table.drop(columns="class"), table["class"]) > 0.8


def test_groups_that_cannot_be_told_from_their_mirror_image_are_left_out():
    table, reports, spec = _reports(400, keep=0.9, weak=0.52)

    tree = DisguisedTreeClassifier(spec, random_state=0).fit(reports)

    tested = {tree.tree_.names[j] for j in tree.tree_.tested}
    assert known_of("a2", [(spec, 400)]) < LEAST_KNOWN < known_of("a0", [(spec, 400)])
    assert tested
    assert tested <= {"a0", "a1"}
    assert tree.score(table.drop(columns="class"), table["class"]) > 0.8


def test_a_class_that_shares_a_coin_is_learned_by_likelihood():
    table, reports, spec = _reports(3000, keep=0.7, weak=0.7)

    tree = DisguisedTreeClassifier(spec, random_state=0).fit(reports)

    assert tree.score(table.drop(columns="class"), table["class"]) > 0.93  # the best has .95


def test_most_lies_are_reversed_where_the_reports_are_taken_as_they_are():
    # Its mirror image would not do: who has both is of the class.
    rng = np.random.default_rng(1)
    table = pd.DataFrame(rng.random((400, 2)) < 0.6, columns=["a", "b"])
    table["class"] = table["a"] & table["b"]
    answer = Categorical([False, True], mechanism=Warner(keep=0.1, group="all"))
    spec = Specification(dict.fromkeys(table, answer), class_attribute="class")
    reports = disguise(table, spec, seed=2)
    truths = training_records(
        Table(reports), {name: spec[name] for name in "ab"}, reports["class"].to_numpy(), 2, None
    )

    found = righted(truths, spec)

    assert np.mean(found.table.column("a").to_numpy() == table["a"]) > 0.85
    assert np.mean(found.labels == table["class"]) > 0.85


def test_weights_are_refused_whatever_the_coin():
    for keep in (0.54, 0.9):
        _, reports, spec = _reports(400, keep=keep)
        with pytest.raises(SpecificationError, match="sample_weight"):
            DisguisedTreeClassifier(spec).fit(reports, sample_weight=np.ones(400))


def test_a_single_leaf_is_scored_where_the_class_shares_a_coin():
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.random((2000, 3)) < [0.5, 0.5, 0.1], columns=["a", "b", "class"])
    answer = Categorical([False, True], mechanism=Warner(keep=0.8, group="all"))
    spec = Specification(dict.fromkeys(table, answer), class_attribute="class")
    reports = disguise(table, spec, seed=2)
    tree = DisguisedTreeClassifier(spec, method="inversion", max_depth=1, pruning="significance")
    tree.fit(reports)

    found = tree.score_disguised(reports)

    assert tree.get_n_leaves() == 1
    assert abs(found.accuracy - 0.9) < 5 * found.error
