import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scumble import DisguisedTreeClassifier, disguise
from scumble.datasets import make_quest, quest_specification
from scumble.mechanisms import GaussianNoise
from scumble.mining.export._rules import tree_rules

NUMBER = r"-?\d[\d.e+-]*"


def _holds(condition, record):
    """Read a condition as a person would, for names and values of plain words."""
    name = next(n for n in record if re.search(rf"(^| ){n} ", condition))
    value = record[name]
    missing = value is None or value != value
    if condition == f"{name} is known":
        return not missing
    if condition == f"{name} is missing":
        return missing
    if missing:
        return condition.endswith(" or missing")
    condition = condition.removesuffix(" or missing")
    found = re.fullmatch(rf"{name} (not in|in) {{(.*)}}", condition)
    if found:
        return (value in found[2].split(", ")) == (found[1] == "in")
    if isinstance(value, str):
        _, sign, wanted = condition.split(" ", 2)
        return (value == wanted) == (sign == "=")
    low, above, high, below = -np.inf, "<=", np.inf, "<="
    if found := re.fullmatch(rf"({NUMBER}) (<=?) {name} (<=?) ({NUMBER})", condition):
        low, above, below, high = float(found[1]), found[2], found[3], float(found[4])
    elif found := re.fullmatch(rf"{name} (<=?) ({NUMBER})", condition):
        below, high = found[1], float(found[2])
    elif found := re.fullmatch(rf"{name} (>=?) ({NUMBER})", condition):
        above, low = found[1].replace(">", "<"), float(found[2])
    else:
        found = re.fullmatch(rf"{name} = ({NUMBER})", condition)
        low = high = float(found[1])
    return (value >= low if above == "<=" else value > low) and (
        value <= high if below == "<=" else value < high
    )


def _matching(rules, record):
    return [rule for rule in rules if all(_holds(c, record) for c in rule.conditions)]


def _check_rules(model, X):
    """Check that every record satisfies one rule, which says what the tree predicts."""
    rules = model.rules()
    predicted, probable = model.predict(X), model.predict_proba(X).max(axis=1)
    for place, record in enumerate(X.to_dict("records")):
        found = _matching(rules, record)
        assert len(found) == 1, f"record {place}: {len(found)} rules"
        assert found[0].label == predicted[place]
        assert found[0].confidence == probable[place]


@pytest.mark.parametrize("function", range(1, 11))
def test_every_record_of_a_quest_table_satisfies_exactly_one_rule(function):
    X, y = make_quest(function=function, n=3000, seed=function, backend="pandas")

    _check_rules(DisguisedTreeClassifier().fit(X, y), X[:500])


@pytest.mark.parametrize("method", ["byclass", "local"])
def test_rules_of_a_disguised_table_hold_for_truths(method):
    X, y = make_quest(function=5, n=20_000, seed=0, backend="pandas")
    spec = quest_specification(GaussianNoise(privacy=0.5))
    model = DisguisedTreeClassifier(spec, method=method, min_samples_reconstruct=500)

    _check_rules(model.fit(disguise(X, spec, seed=1), y), X[:500])


RECORDS = st.lists(
    st.tuples(
        st.one_of(
            st.just(None),
            st.sampled_from([0.0, 1.0, np.nextafter(1, 2), 40.0]),
            # As near to each other as five digits allow: the rules are read by text.
            st.integers(-99_999, 99_999).map(lambda whole: whole / 100),
        ),
        st.sampled_from(["a", "b", "c", "d", "e", None]),
        st.sampled_from(["x", "y", "z"]),
    ),
    min_size=2,
    max_size=40,
)


@settings(max_examples=60)
@given(RECORDS)
def test_every_record_satisfies_exactly_one_rule(records):
    X = pd.DataFrame(
        {
            "age": np.array([r[0] for r in records], dtype=float),
            "car": pd.Series([r[1] for r in records], dtype=object),
        }
    )
    model = DisguisedTreeClassifier(pruning=None).fit(X, [r[2] for r in records])

    _check_rules(model, X)


def test_rules_come_in_order_of_support_and_share_all_records():
    X, y = make_quest(function=3, n=5000, seed=0)

    rules = DisguisedTreeClassifier().fit(X, y).rules()

    supports = [rule.support for rule in rules]
    assert supports == sorted(supports, reverse=True)
    assert sum(supports) == pytest.approx(1)
    assert sum(rule.count for rule in rules) == 5000
    assert all(0.5 <= rule.confidence <= 1 for rule in rules)


def test_a_single_leaf_is_one_rule_without_conditions():
    tree = DisguisedTreeClassifier().fit([[1], [2], [3]], [7, 7, 7]).tree_

    (rule,) = tree_rules(tree)

    assert rule.conditions == ()
    assert str(rule) == "always 7 (support 100.0 %, confidence 100.0 %)"


def test_a_rule_reads_as_a_sentence():
    ages = [20.0, 40.0, 60.0, 30.0, 70.0, None]
    X = pd.DataFrame({"age": ages, "car": ["a", "a", "a", "b", "b", "b"]})

    model = DisguisedTreeClassifier(pruning=None).fit(X, ["A", "A", "A", "B", "C", "C"])

    assert [str(rule) for rule in model.rules()] == [
        "if car = a then A (support 50.0 %, confidence 100.0 %)",
        "if car = b and (age >= 50 or missing) then C (support 33.3 %, confidence 100.0 %)",
        "if car = b and age < 50 then B (support 16.7 %, confidence 100.0 %)",
    ]
