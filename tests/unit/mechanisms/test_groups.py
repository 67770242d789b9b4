"""Groups that share a coin: who is in them, and how the coins fall."""

from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scumble import Categorical, Coding, Date, Numeric, Specification, Text, disguise
from scumble.errors import SpecificationError
from scumble.mechanisms import UnrelatedQuestion, Warner, grouped
from scumble.testing._goodness import agrees, sample_size

ANSWER = Categorical(["no", "yes"])
COLOUR = Categorical(["red", "green", "blue"])
NAMES = ["a", "b", "c", "d", "e", "f", "g"]


@pytest.fixture
def asked():
    """Seven questions, of which the last is the class."""
    return Specification(dict.fromkeys(NAMES, ANSWER), class_attribute="g")


def _told(reports, truth, names):
    """Return for each record and attribute whether the report is the truth."""
    return np.column_stack([np.array(reports[n]) == np.array(truth[n]) for n in names])


def _answers(count, names=NAMES):
    draws = np.random.default_rng(0).random((count, len(names))) < 0.4
    return pa.table({n: np.where(draws[:, j], "yes", "no") for j, n in enumerate(names)})


def test_one_group_holds_all(asked):
    spec = grouped(asked, keep=0.7)

    assert spec.groups == {"group 1": NAMES}
    assert {spec[name].mechanism for name in NAMES} == {Warner(keep=0.7, group="group 1")}
    assert spec.class_attribute == "g"
    assert list(spec) == NAMES


@pytest.mark.parametrize("count", range(1, 8))
def test_groups_are_drawn_as_equal_in_size_as_can_be(asked, count):
    spec = grouped(asked, keep=0.7, groups=count)

    sizes = [len(members) for members in spec.groups.values()]
    assert sorted(name for members in spec.groups.values() for name in members) == NAMES
    assert set(spec.groups) == {f"group {place}" for place in range(1, count + 1)}
    assert max(sizes) - min(sizes) <= 1


def test_a_seed_draws_the_same_groups_and_another_seed_others(asked):
    drawn = [grouped(asked, keep=0.7, groups=3, seed=seed) for seed in (1, 1, 2)]

    assert drawn[0] == drawn[1]
    assert drawn[0].groups != drawn[2].groups


def test_any_attribute_may_be_in_any_group(asked):
    """Each is one of the three in the first group in 300 of 700 draws, give or take 13."""
    drawn = Counter(
        name
        for seed in range(700)
        for name in grouped(asked, keep=0.7, groups=3, seed=seed).groups["group 1"]
    )

    assert all(abs(drawn[name] - 300) < 80 for name in NAMES)


@pytest.mark.parametrize("groups", ["each", 7])
def test_each_attribute_may_have_its_own_group(asked, groups):
    spec = grouped(asked, keep=0.7, groups=groups)

    assert list(spec.groups.values()) == [[name] for name in NAMES]


def test_groups_may_be_given(asked):
    lists = [["a", "b"], ["c", "d", "e"], ["f", "g"]]

    by_place = grouped(asked, keep=[0.7, 0.8, 0.9], groups=lists)
    by_name = grouped(asked, keep=0.7, groups={"health": lists[0] + lists[1], "rest": lists[2]})

    assert list(by_place.groups.values()) == lists
    assert [by_place[name].mechanism.keep for name in "acg"] == [0.7, 0.8, 0.9]
    assert by_name.groups == {"health": ["a", "b", "c", "d", "e"], "rest": ["f", "g"]}


def test_coins_may_be_given_by_name(asked):
    keep = {"group 2": 0.8, "group 1": 0.7, "class": 0.95}

    spec = grouped(asked, keep=keep, groups=2, class_in="own")

    assert spec["g"].mechanism == Warner(keep=0.95, group="class")
    assert spec.groups["class"] == ["g"]
    assert {spec[name].mechanism.keep for name in spec.groups["group 2"]} == {0.8}


def test_the_coin_of_the_class_is_the_last(asked):
    spec = grouped(asked, keep=[0.7, 0.9], class_in="own")

    assert spec["g"].mechanism.keep == 0.9


def test_the_class_and_others_may_stay_in_clear(asked):
    spec = grouped(asked, keep=0.7, class_in="clear", clear=["a", "c"])

    assert spec.groups == {"group 1": ["b", "d", "e", "f"]}
    assert [spec[name].sensitivity for name in "acg"] == ["public"] * 3


def test_a_specification_needs_no_class_and_keeps_what_is_withheld():
    hidden = Categorical(["x", "y"], sensitivity="withheld")

    spec = grouped(Specification({"a": ANSWER, "name": hidden}), keep=0.7)

    assert spec.groups == {"group 1": ["a"]}
    assert spec["name"] == hidden


def test_attributes_of_many_values_answer_harmless_questions():
    asked = Specification({"a": COLOUR, "b": ANSWER})

    spec = grouped(asked, keep=0.5, mechanism="unrelated-question")

    assert spec["a"].mechanism == UnrelatedQuestion(keep=0.5, group="group 1")


def test_a_coding_stays():
    age = Categorical(["young", "old"], coding=Coding(cuts=[37]))

    spec = grouped(Specification({"age": age, "a": ANSWER}), keep=0)

    reports = disguise(pa.table({"age": [30, 40], "a": ["no", "yes"]}), spec)
    assert reports.to_pydict() == {"age": ["old", "young"], "a": ["yes", "no"]}


@pytest.mark.parametrize("kind", [pa.table, pd.DataFrame, pl.DataFrame])
def test_a_certain_coin_reverses_all_or_none(asked, kind):
    truth = kind({name: ["no", "yes", None] for name in NAMES})

    for keep, expected in ((1, [0, 1, -1]), (0, [1, 0, -1])):
        reports = disguise(truth, grouped(asked, keep=keep, groups=3))
        assert all(ANSWER.conform(reports[name]).tolist() == expected for name in NAMES)


PARTS = [["a", "b"], ["c", "d", "e"], ["f", "g"]]
KEEPS = [0.7, 0.8, 0.6]


def _fallen(truth, spec):
    """Return how often the coins of the three groups fell in each way, or None if they differ."""
    told = _told(disguise(truth, spec), truth, NAMES)
    columns = [told[:, [NAMES.index(name) for name in part]] for part in PARTS]
    if any((column != column[:, :1]).any() for column in columns):
        return None
    return np.bincount(np.column_stack([c[:, 0] for c in columns]) @ [4, 2, 1], minlength=8)


def _chances(keeps):
    sides = [np.array([1 - keep, keep]) for keep in keeps]
    return np.einsum("i,j,k->ijk", *sides).ravel()


def test_there_is_one_coin_for_each_record_and_group(asked):
    """Error rate 1e-6; a wrong coin of one group, by .05, is caught with the same certainty.

    The twins: one coin for all groups, coins that lie too often, one for each attribute.
    """
    right = _chances(KEEPS)
    wrong = [_chances(np.array(KEEPS) + 0.05 * np.eye(3)[place]) for place in range(3)]
    truth = _answers(sample_size(right, wrong, alpha=1e-6))

    assert agrees(_fallen(truth, grouped(asked, keep=KEEPS, groups=PARTS)), right, alpha=1e-6)
    shared = _fallen(truth, grouped(asked, keep=0.7))
    assert not agrees(shared, _chances([0.7] * 3), alpha=1e-6)
    off = _fallen(truth, grouped(asked, keep=[0.7, 0.8, 0.55], groups=PARTS))
    assert not agrees(off, right, alpha=1e-6)
    assert _fallen(truth, grouped(asked, keep=0.7, groups="each")) is None


def test_noise_may_be_fixed_per_entity(asked):
    truth, spec = _answers(500), grouped(asked, keep=0.7, groups=2, seed=3)
    secret, entities = b"sixteen bytes or more", np.arange(500)

    first = disguise(truth, spec, secret=secret, entities=entities)
    turned = disguise(truth.take(entities[::-1]), spec, secret=secret, entities=entities[::-1])

    assert first.take(entities[::-1]).equals(turned)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"keep": 0.5}, "keep: a fair coin tells nothing.*unrelated-question"),
        ({"keep": 1.5}, "keep: expected a probability"),
        ({"keep": "x"}, "keep: expected a number"),
        ({"keep": 0, "mechanism": "unrelated-question"}, "keep: expected more than 0"),
        ({"keep": [0.7]*3, "groups": 2}, "keep: expected one for each of the 2 groups, got 3"),
        ({"keep": {"group 1": 0.7}, "groups": 2}, r"keep: expected one for each of \['group 1', "),
        ({"groups": 0}, "groups: expected a number from 1 to 7"),
        ({"groups": 8}, "groups: expected a number from 1 to 7"),
        ({"groups": True}, "groups: expected a number from 1 to 7"),
        ({"groups": 2.0}, "groups: expected a number from 1 to 7"),
        ({"groups": "all"}, "groups: expected a number from 1 to 7"),
        ({"groups": [["a"], NAMES]}, "groups: expected 'a' in one group, got it in several"),
        ({"groups": [["a", "h"]]}, "groups: no attribute 'h' to disguise"),
        ({"groups": [["a"]]}, "groups: expected each attribute .* got 6 in neither, such as 'b'"),
        ({"groups": [NAMES, []]}, "groups: expected names of attributes in 'group 2'"),
        ({"groups": ["ab"]}, "groups: expected names of attributes in 'group 1'"),
        ({"groups": [NAMES], "class_in": "clear"}, "groups: no attribute 'g' to disguise"),
        ({"groups": {"class": NAMES[:-1]}, "class_in": "own"}, "no group named 'class'"),
        ({"class_in": "none"}, "class_in: unknown 'none'"),
        ({"clear": ["h"]}, "clear: no attribute 'h'"),
        ({"clear": "a"}, "clear: expected a list of names"),
        ({"clear": ["g"]}, "clear: expected class_in='clear' for the class 'g'"),
        ({"mechanism": "warnr"}, "mechanism: unknown 'warnr'; did you mean 'warner'"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(asked, options, message):
    with pytest.raises(SpecificationError, match=message):
        grouped(asked, **({"keep": 0.7} | options))


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        (Numeric(0, 1), r"attributes\.x: expected a categorical attribute.* binary_specification"),
        (COLOUR, r"attributes\.x\.mechanism: 'warner' needs two values, got 3"),
        (Categorical(["n", "y"], mechanism=Warner(keep=0.8, group="group 1")),
         r"attributes\.x\.mechanism: expected none yet, got 'warner'"),
    ],
)  # fmt: skip
def test_an_attribute_that_cannot_be_in_a_group_is_named(attribute, message):
    with pytest.raises(SpecificationError, match=message):
        grouped(Specification({"a": ANSWER, "x": attribute}), keep=0.7)


@pytest.mark.parametrize("class_in", ["group", "own"])
def test_a_class_that_is_disguised_must_be_declared_and_not_withheld(class_in):
    named = Specification({"a": ANSWER}, class_attribute="g")
    withheld = Categorical(["n", "y"], sensitivity="withheld")

    with pytest.raises(SpecificationError, match="class: expected 'g' among the attributes"):
        grouped(named, keep=0.7, class_in=class_in)
    with pytest.raises(SpecificationError, match="class: expected 'g' in clear"):
        grouped(
            Specification({"a": ANSWER, "g": withheld}, class_attribute="g"),
            keep=0.7,
            class_in=class_in,
        )
    assert grouped(named, keep=0.7, class_in="clear").groups == {"group 1": ["a"]}


@pytest.mark.parametrize("other", [Date("1990-01-01", "2026-12-31"), Text()])
def test_dates_and_text_have_no_coin(other):
    spec = Specification({"answer": Categorical(["no", "yes"]), "other": other})

    with pytest.raises(SpecificationError, match=rf"attributes\.other: .* got a {other.kind} one"):
        grouped(spec, keep=0.8)
    assert grouped(spec, keep=0.8, clear=["other"])["other"] == other
