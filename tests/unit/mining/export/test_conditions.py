import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scumble import Categorical, DisguisedTreeClassifier, Numeric, Specification, disguise
from scumble.datasets import make_quest, quest_specification
from scumble.mechanisms import GaussianNoise
from scumble.mining import Tree
from scumble.mining.export._bounds import bounds_of
from scumble.mining.export._conditions import Conditions
from scumble.mining.export._shortened import shortened
from scumble.mining.export._wording import percent, plain


def _chain(attributes, tests, *, missing_seen=(), records=100.0):
    """Return a tree that goes on testing on the right: (attribute, test, missing left)."""
    size = 2 * len(tests) + 1
    attribute, child = np.full(size, -1), np.full(size, -1)
    threshold, goes = np.full(size, np.nan), np.zeros(size, dtype=int)
    branches = {}
    for place, (name, test, missing) in enumerate(tests):
        node = 2 * place
        attribute[node], child[node] = list(attributes).index(name), node + 1
        goes[node] = 0 if missing else 1
        if isinstance(test, list):
            places = np.arange(len(attributes[name]))
            branches[node] = np.where(np.isin(places, test), 0, 1)
        else:
            threshold[node] = test
    counts = np.full((size, 2), records / 2)
    return Tree(
        attributes,
        np.array(["A", "B"]),
        attribute,
        child,
        np.where(attribute >= 0, 2, 0),
        threshold,
        branches,
        goes,
        counts,
        frozenset(missing_seen),
    )


def _branches(attribute, test, *, missing=False, seen=True):
    tree = _chain({"it": attribute}, [("it", test, missing)], missing_seen=["it"] if seen else [])
    return Conditions(tree).of_branch(1), Conditions(tree).of_branch(2)


ANY = Numeric(-math.inf, math.inf)
LETTERS = Categorical(["a", "b", "c", "d", "e"])


@pytest.mark.parametrize(
    ("test", "left", "right"),
    [
        (40.0, "it < 40", "it >= 40"),
        (38.599999999999994, "it < 38.6", "it >= 38.6"),
        (39.97886884795319, "it < 39.9789", "it >= 39.9789"),
        (1234567.5, "it < 1234567.5", "it >= 1234567.5"),
        (1234566.5, "it < 1234566.5", "it >= 1234566.5"),
        (1052345.2716, "it < 1052345", "it >= 1052345"),
        (0.1 + 0.2, "it <= 0.3", "it > 0.3"),
        (math.nextafter(0, 1), "it <= 0", "it > 0"),
        (math.nextafter(-7.25, 1), "it <= -7.25", "it > -7.25"),
        (0.0, "it < 0", "it >= 0"),
        (-0.00001234567, "it < -0.00001234567", "it >= -0.00001234567"),
        (1.23456789012e-20, "it < 1.23457e-20", "it >= 1.23457e-20"),
        (math.inf, "it is known", "it is missing"),
    ],
)
def test_a_threshold_reads_as_a_short_number(test, left, right):
    assert _branches(ANY, test, seen=False) == (left, right)


def test_the_branch_of_missing_values_says_so_where_there_were_any():
    assert _branches(ANY, 40.0, missing=True) == ("it < 40 or missing", "it >= 40")
    assert _branches(ANY, 40.0, missing=False) == ("it < 40", "it >= 40 or missing")
    assert _branches(ANY, 40.0, missing=True, seen=False) == ("it < 40", "it >= 40")
    assert _branches(LETTERS, [0, 1], missing=True) == (
        "it in {a, b} or missing",
        "it not in {a, b}",
    )


@pytest.mark.parametrize(
    ("places", "left", "right"),
    [
        ([0, 1], "it in {a, b}", "it not in {a, b}"),
        ([0, 1, 2], "it not in {d, e}", "it in {d, e}"),
        ([2], "it = c", "it != c"),
        ([0, 1, 2, 3, 4], "it is known", "it is missing"),
    ],
)
def test_categories_read_as_the_smaller_set(places, left, right):
    assert _branches(LETTERS, places, seen=False) == (left, right)


def test_of_two_categories_each_branch_names_its_own():
    assert _branches(Categorical([False, True]), [0]) == ("it = False", "it = True or missing")


def test_long_sets_are_cut_to_a_width_and_counted():
    domain = Categorical([f"value{place}" for place in range(40)])
    tree = _chain({"it": domain}, [("it", list(range(20)), False)])

    text = Conditions(tree).of_branch(1, width=40)

    assert text == "it in {value0, value1, ... 18 more}"
    assert "value19" in Conditions(tree).of_branch(1)


def test_the_conditions_of_a_path_are_merged_by_attribute():
    attributes = {"age": ANY, "car": LETTERS}
    tests = [
        ("age", 40.0, False),
        ("car", [0, 1], True),
        ("age", 60.0, False),
        ("car", [1, 2], True),
    ]

    tree = _chain(attributes, tests, missing_seen=["age", "car"])

    conditions = Conditions(tree)
    assert conditions.of_path(0) == []
    assert conditions.of_path(5) == ["40 <= age < 60", "car not in {a, b}"]
    assert conditions.of_path(7) == ["age >= 60 or missing", "car = c"]
    assert conditions.of_path(8) == ["age >= 60 or missing", "car in {d, e}"]


def test_a_path_between_a_number_and_itself_reads_as_equal():
    hours = Numeric(0, 100, atoms=[40])
    tree = _chain({"hours": hours}, [("hours", 40.0, False), ("hours", np.nextafter(40, 99), 0)])

    assert Conditions(tree).of_path(3) == ["hours = 40"]
    assert Conditions(tree).of_path(4) == ["hours > 40"]


def test_a_path_of_missing_values_alone_says_so():
    tree = _chain({"it": ANY}, [("it", math.inf, False), ("it", 3.0, True)], missing_seen=["it"])

    assert Conditions(tree).of_path(3) == ["it is missing"]
    assert Conditions(tree).of_path(4) == ["it is impossible"]


def test_different_thresholds_read_differently():
    near = [39.978868, 39.97886884, 39.978868847953, 39.97886884795319]

    texts = [bound.text for bound in bounds_of(ANY, near).values()]

    assert len(set(texts)) == len(texts)
    assert [float(text) for text in texts] == sorted(float(text) for text in texts)


def test_a_rounded_number_does_not_pass_a_value_that_is_declared():
    hours = Numeric(0, 100, atoms=[40])
    threshold = 40.00000000012

    assert float(bounds_of(hours, [threshold])[threshold].text) > 40
    wide = Numeric(0, 1e9, step=0.001)
    assert float(bounds_of(wide, [123456789.12345])[123456789.12345].text) > 123456789.123


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1),
    st.lists(st.floats(allow_nan=False, allow_infinity=False)),
)
def test_short_numbers_keep_their_order(values, landmarks):
    texts = shortened(values, landmarks=landmarks)

    read = {value: float(text) for value, text in texts.items()}
    for value in texts:
        for other in [*texts, *landmarks]:
            assert (value < other) == (read[value] < read.get(other, other))


def test_the_atom_of_commission_reads_as_at_most_nought():
    X, y = make_quest(function=5, n=20_000, seed=0)
    spec = quest_specification(GaussianNoise(privacy=0.5))
    model = DisguisedTreeClassifier(spec, method="local", min_samples_reconstruct=500)

    tree = model.fit(disguise(X, spec, seed=1), y).tree_

    commission = tree.names.index("commission")
    nodes = np.flatnonzero((tree.attribute == commission) & (tree.threshold < 1e-300))
    assert len(nodes), "no node of this tree tests commission = 0; take another one"
    for node in nodes.tolist():
        left = int(tree.child[node])
        assert Conditions(tree).of_branch(left) == "commission <= 0"
        assert Conditions(tree).of_branch(left + 1) == "commission > 0"


def test_a_tree_that_asks_only_whether_a_value_is_known_says_so():
    X = pd.DataFrame({"age": [20.0, 30.0, None, None] * 10})

    tree = DisguisedTreeClassifier().fit(X, [0, 0, 1, 1] * 10).tree_

    assert [Conditions(tree).of_branch(node) for node in (1, 2)] == [
        "age is known",
        "age is missing",
    ]


def test_names_and_values_that_could_mislead_stand_in_quotes():
    assert plain("petal length (cm)") == "petal length (cm)"
    assert plain("a, b") == '"a, b"'
    assert plain(" a") == '" a"'
    assert plain("two\nlines") == r'"two\nlines"'
    spec = Specification({"a, b": Categorical(["}", "x"])})
    model = DisguisedTreeClassifier(spec, method="byclass", pruning=None)
    tree = model.fit(pd.DataFrame({"a, b": ["}", "x"]}), [0, 1]).tree_
    branches = {Conditions(tree).of_branch(node) for node in (1, 2)}
    assert branches == {'"a, b" = "}"', '"a, b" = x'}


@pytest.mark.parametrize("share", [0.0, 1e-5, 0.5, 1 - 1e-5, 1.0])
def test_a_share_reads_as_nought_or_all_only_where_it_is(share):
    assert (float(percent(share)[:-2]) in (0, 100)) == (share in (0, 1))
