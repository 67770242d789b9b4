import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from scumble import DisguisedTreeClassifier
from scumble.audit import TreeSimilarity, compare_trees
from scumble.errors import SpecificationError, TableError
from scumble.mining import C45Classifier

NUMBERS = np.arange(100.0)


def _tree(X, y):
    return DisguisedTreeClassifier(pruning=None, min_samples_split=2).fit(X, y)


def _line(*cuts, labels="abababab"):
    """Return a tree on the numbers 0 to 99 that is cut before these numbers."""
    places = np.searchsorted(cuts, NUMBERS, side="right")
    return _tree(NUMBERS[:, None], np.array(list(labels))[places])


def test_a_tree_is_similar_to_itself():
    found = compare_trees(_line(40), _line(40), NUMBERS[:, None])

    assert (found.recall, found.precision, found.soft_jaccard) == (1, 1, 1)
    assert (found.agreement, found.attributes) == (1, 1)
    assert found.same_root
    assert found.same_root_test


@pytest.mark.parametrize(("cut", "matches"), [(45, True), (46, False), (35, True), (34, False)])
def test_a_bound_may_move_by_a_twentieth_of_the_records(cut, matches):
    found = compare_trees(_line(40), _line(cut), NUMBERS[:, None])

    assert (found.recall, found.precision) == (matches, matches)
    assert found.same_root
    assert found.same_root_test == matches


def test_the_twentieth_is_of_the_records_and_not_of_the_range():
    X = np.append(NUMBERS, 1000 + NUMBERS)[:, None]
    tree, other = (_tree(X, X[:, 0] < cut) for cut in (100, 1000 + 12))

    assert compare_trees(tree, other, X).recall == 0
    assert compare_trees(tree, other, X, tolerance=0.06).recall == 1


def test_a_rule_of_another_class_is_another_rule():
    found = compare_trees(_line(40), _line(40, labels="ba"), NUMBERS[:, None])

    assert (found.recall, found.precision, found.soft_jaccard, found.agreement) == (0, 0, 0, 0)
    assert found.same_root_test


def test_a_rule_that_is_bounded_on_another_side_is_another_rule():
    found = compare_trees(_line(40), _line(40, 97), NUMBERS[:, None])

    assert found.recall == pytest.approx(0.4)
    assert found.precision == pytest.approx(0.4)
    assert [rule.rule for rule in found.rules if rule.matched] == ["if x0 < 39.5 then a"]
    assert [rule.matched for rule in found.other_rules] == [False, True, False]


def test_recall_counts_the_original_rules_and_precision_those_of_the_other():
    X = np.column_stack((np.arange(100) % 2, NUMBERS))
    one = _tree(X, X[:, 0])
    two = _tree(X, np.where(X[:, 0] == 1, 1, np.where(X[:, 1] < 20, 2, 0)))

    found = compare_trees(one, two, X)

    assert (found.recall, found.precision) == (0.5, 0.5)
    back = compare_trees(two, one, X)
    assert (back.recall, back.precision) == (found.precision, found.recall)
    assert found.attributes == 0.5


def test_soft_jaccard_is_the_overlap_with_the_nearest_rule_of_the_class():
    found = compare_trees(_line(40), _line(50, 90), NUMBERS[:, None])

    # a: 0..39 against 0..49 and 90..99; b: 40..99 against 50..89.
    assert found.soft_jaccard == pytest.approx(0.4 * 40 / 50 + 0.6 * 40 / 60)
    assert found.rules[1].overlap == pytest.approx(0.8)


def test_agreement_is_the_share_of_records_with_the_same_class():
    assert compare_trees(_line(40), _line(50, 90), NUMBERS[:, None]).agreement == 0.8


def test_categories_must_be_the_same_values_whatever_their_codes():
    kinds = np.array(list("pqrs"))[np.arange(100) % 4]
    X = pa.table({"kind": kinds})
    one, same, other = (_tree(X, np.isin(kinds, list(some))) for some in ("pq", "pq", "pr"))
    without = kinds != "s"
    unseen = _tree(X.filter(pa.array(without)), np.isin(kinds, list("pq"))[without])

    assert compare_trees(one, same, X).recall == 1
    assert compare_trees(one, other, X).recall == 0
    assert not compare_trees(one, other, X).same_root_test
    # It has no value "s": its rule for "r" lets in less, that for "p" and "q" the same.
    assert compare_trees(one, unseen, X).recall == 0.5
    assert compare_trees(one, unseen, X).same_root


def _weather(**changed):
    """Return a table on which C4.5 has a branch for each of three values, and who plays."""
    columns = {"outlook": np.array(list("sro"))[np.arange(300) % 3], "wind": np.arange(300.0)}
    columns |= changed
    low = columns["wind"] < 150
    y = np.select([columns["outlook"] == "s", columns["outlook"] == "r"], [low, ~low], True)
    return pd.DataFrame(columns), y


def test_a_node_of_many_branches_is_compared_branch_by_branch():
    X, y = _weather()
    whole = C45Classifier().fit(X, y)
    rain = np.where(X["outlook"] == "r", X["wind"] < 60, y)
    other = C45Classifier().fit(X, rain)

    assert whole.tree_.ways[0] == 3
    assert compare_trees(whole, whole, X).recall == 1
    found = compare_trees(whole, other, X)
    assert found.same_root_test
    assert found.recall == found.precision == pytest.approx(2 / 3)
    assert sorted(rule.rule for rule in found.rules if rule.matched)[0].startswith("if outlook = o")


def test_a_branch_for_a_value_that_never_occurs_makes_no_difference_at_the_root():
    X, y = _weather()
    missing = pd.concat([X, X[:6].assign(outlook="unheard of")])
    more = C45Classifier().fit(missing, np.append(y, [True] * 6))

    assert more.tree_.ways[0] == 4
    assert compare_trees(C45Classifier().fit(X, y), more, X).same_root_test
    assert compare_trees(C45Classifier().fit(X, y), more, X).recall == 1


def test_a_record_that_goes_down_several_branches_gets_the_class_of_the_whole():
    X, y = _weather()
    tree = C45Classifier().fit(X, y)
    X = X.assign(outlook=X["outlook"].where(np.arange(300) % 10 > 0, None))
    flipped = C45Classifier().fit(*_weather(wind=299.0 - np.arange(300)))

    found = compare_trees(tree, flipped, X)

    assert found.agreement == np.mean(tree.predict(X) == flipped.predict(X))


def test_dates_are_bounded_like_numbers():
    X = pd.DataFrame({"born": pd.date_range("2020-01-01", periods=100)})
    trees = [C45Classifier().fit(X, cut > NUMBERS) for cut in (40, 44, 48)]

    assert [compare_trees(trees[0], tree, X).recall for tree in trees] == [1, 1, 0]
    assert compare_trees(*trees[:2], X).rules[1].rule == "if born < 2020-02-10 then True"


def test_single_leaves_are_alike_and_have_the_same_root():
    leaf = DisguisedTreeClassifier(min_samples_split=1000).fit(NUMBERS[:, None], NUMBERS < 40)

    found = compare_trees(leaf, leaf, NUMBERS[:, None])

    assert (found.recall, found.attributes, found.same_root_test) == (1, 1, True)
    assert found.rules[0].rule == "always False"
    assert not compare_trees(leaf, _line(40), NUMBERS[:, None]).same_root


def test_a_tree_counts_like_the_classifier_that_has_it():
    one, other = _line(40), _line(50, 90)

    assert compare_trees(one.tree_, other.tree_, NUMBERS[:, None]) == compare_trees(
        one, other, NUMBERS[:, None]
    )


def test_columns_without_names_are_known_by_their_place():
    frame = pd.DataFrame({"age": NUMBERS})

    found = compare_trees(_line(40), _line(41), frame)

    assert found.recall == 1


def test_missing_values_do_not_matter_for_a_match():
    X = NUMBERS.copy()
    X[::10] = np.nan
    trees = [_tree(X[:, None], np.where(np.isnan(X), low, X < 40)) for low in (True, False)]

    found = compare_trees(*trees, X[:, None])

    assert (found.recall, found.precision) == (1, 1)
    assert found.agreement == 0.9


def test_a_table_without_what_a_tree_tests_is_refused_and_no_record_shown():
    tree = _tree(pd.DataFrame({"secret": NUMBERS, "b": NUMBERS}), NUMBERS < 40)

    with pytest.raises(TableError, match="1 of 1 missing") as caught:
        compare_trees(tree, tree, pd.DataFrame({"4711": NUMBERS}))
    assert "4711" not in str(caught.value)
    with pytest.raises(TableError, match="at least one record"):
        compare_trees(tree, tree, pd.DataFrame({"secret": [], "b": []}))
    with pytest.raises(SpecificationError, match="tolerance"):
        compare_trees(tree, tree, pd.DataFrame({"secret": NUMBERS}), tolerance=2)


def test_the_text_is_at_most_80_columns_wide_and_tells_what_became_of_the_rules():
    names = [f"a rather long name of an attribute {j}" for j in range(3)]
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((200, 3)), columns=names)
    y = (X > 0.5).sum(axis=1) > 1
    text = compare_trees(_tree(X, y), _tree(X, ~y), X).to_text()

    assert max(map(len, text.splitlines())) <= 80
    assert "lost" in text.splitlines()
    assert "new" in text.splitlines()
    assert "kept" not in text.splitlines()


def test_a_similarity_goes_through_json():
    found = compare_trees(_line(40), _line(50, 90), NUMBERS[:, None])
    told = json.loads(json.dumps(found.to_dict()))

    assert told["recall"] == found.recall
    assert told["rules"][0]["rule"] == found.rules[0].rule
    assert isinstance(found, TreeSimilarity)
