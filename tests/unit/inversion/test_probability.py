"""The probability of a conjunction, and its standard error."""

from functools import reduce
from itertools import product

import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Coding, Specification, disguise, probability
from scumble.errors import SpecificationError, TableError
from scumble.inversion import Estimate
from scumble.mechanisms import RandomizedResponse, UnrelatedQuestion, Warner

ANSWERS = ["no", "yes"]


def _grouped(groups, keeps):
    """Return attributes a, b, ...; each is in the group that a letter names."""
    return Specification(
        {
            chr(97 + j): Categorical(ANSWERS, mechanism=Warner(keep=keeps[group], group=group))
            for j, group in enumerate(groups)
        }
    )


def _people(n, columns, *, seed=0):
    rng = np.random.default_rng(seed)
    hidden = rng.random(n) < 0.4
    yes = {c: rng.random(n) < np.where(hidden, 0.8, 0.2 + 0.1 * j) for j, c in enumerate(columns)}
    return pd.DataFrame({c: np.array(ANSWERS)[values.astype(int)] for c, values in yes.items()})


@pytest.mark.parametrize("groups", ["xxxx", "xyxy", "xyzx", "wxyz"])
def test_it_is_the_solution_of_the_published_system(groups):
    keeps = {"w": 0.35, "x": 0.7, "y": 0.85, "z": 0.6}
    spec = _grouped(groups, keeps)
    reports = disguise(_people(500, spec), spec, seed=1)
    wanted = dict(zip(spec, ["yes", "no", "yes", "yes"], strict=True))

    # P*(s) for each way s in which the conjunction of each group may be reversed.
    names = sorted(set(groups))
    agrees = {
        (group, side): np.all(
            [
                (reports[c] == wanted[c]) == (side == 0)
                for c, own in zip(spec, groups, strict=True)
                if own == group
            ],
            axis=0,
        )
        for group in names
        for side in (0, 1)
    }
    observed = [
        np.all([agrees[key] for key in zip(names, sides, strict=True)], axis=0).mean()
        for sides in product((0, 1), repeat=len(names))
    ]
    matrix = reduce(np.kron, [[[keeps[g], 1 - keeps[g]], [1 - keeps[g], keeps[g]]] for g in names])

    found = probability(reports, spec, wanted).probability

    assert found == pytest.approx(np.linalg.solve(matrix, observed)[0], abs=1e-12)


def test_in_clear_it_is_the_share_and_its_binomial_error():
    spec = Specification({"a": Categorical(ANSWERS), "b": Categorical(ANSWERS)})
    people = _people(400, ["a", "b"])
    share = ((people["a"] == "yes") & (people["b"] == "no")).mean()

    found = probability(people, spec, {"a": "yes", "b": "no"})

    assert found.probability == pytest.approx(share, abs=1e-15)
    assert found.error == pytest.approx(np.sqrt(share * (1 - share) / 400))
    assert found.records == 400


def test_several_values_of_one_attribute_add_up():
    colours = ["red", "green", "blue", "grey"]
    colour = Categorical(colours, mechanism=RandomizedResponse(keep=0.5))
    spec = Specification({"colour": colour})
    reports = pd.DataFrame({"colour": ["red", "blue", "blue", "grey", "green"] * 40})

    parts = [probability(reports, spec, {"colour": value}).probability for value in colours]

    both = probability(reports, spec, {"colour": ["red", "blue"]}).probability
    assert both == pytest.approx(parts[0] + parts[2])
    assert sum(parts) == pytest.approx(1)
    assert probability(reports, spec, {}).probability == 1


def test_missing_answers_satisfy_no_value_and_can_be_asked_for():
    spec = _grouped("xx", {"x": 0.8})
    reports = pd.DataFrame({"a": ["yes", None] * 50, "b": ["no", "no"] * 50})

    assert probability(reports, spec, {"a": None}).probability == 0.5
    assert probability(reports, spec, {"a": ANSWERS}).probability == pytest.approx(0.5)
    assert probability(reports, spec, {"a": [None, *ANSWERS]}).probability == pytest.approx(1)


def test_a_fair_coin_works_with_the_unrelated_question():
    answer = Categorical(ANSWERS, mechanism=UnrelatedQuestion(keep=0.5, group="x"))
    spec = Specification({"a": answer, "b": answer})
    people = _people(20_000, ["a", "b"])
    truth = ((people["a"] == "yes") & (people["b"] == "yes")).mean()

    found = probability(disguise(people, spec, seed=2), spec, {"a": "yes", "b": "yes"})

    assert abs(found.probability - truth) < 5 * found.error
    assert found.error < 0.02


def test_records_may_have_coins_of_their_own():
    spec = _grouped("xxy", {"x": 0.7, "y": 0.8})
    clear = _grouped("xxy", {"x": 1.0, "y": 0.8})
    people = _people(4000, spec)
    mixed = pd.concat(
        [disguise(people[:2000], clear, seed=1), disguise(people[2000:], spec, seed=2)]
    )
    keep = np.repeat([1.0, 0.7], 2000)
    wanted = {"a": "yes", "b": "no", "c": "yes"}

    found = probability(mixed, spec, wanted, keep={"x": keep})

    halves = [
        probability(mixed[:2000], clear, wanted).probability,
        probability(mixed[2000:], spec, wanted).probability,
    ]
    assert found.probability == pytest.approx(np.mean(halves), abs=1e-12)
    assert found.error < probability(mixed[2000:], spec, wanted).error


def test_a_coin_of_its_own_may_be_told_for_an_attribute_alone():
    spec = Specification({"a": Categorical(ANSWERS, mechanism=Warner(keep=0.7))})
    reports = pd.DataFrame({"a": ["yes"] * 30 + ["no"] * 70})

    same = probability(reports, spec, {"a": "yes"}, keep={"a": np.full(100, 0.7)})

    assert same == probability(reports, spec, {"a": "yes"})


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        ({"z": [0.7]}, "keep.z: no such group or attribute"),
        ({"a": [0.7]}, "keep.a: expected the name of its group"),
        ({"x": [0.7]}, "keep.x: expected one number for each of the 4 records"),
        ({"x": [0.5] * 4}, "keep.x.keep: a fair coin tells nothing"),
    ],
)
def test_a_wrong_coin_is_refused(keep, message):
    spec = _grouped("xx", {"x": 0.7})
    reports = pd.DataFrame({"a": ["yes"] * 4, "b": ["no"] * 4})

    with pytest.raises(SpecificationError, match=message):
        probability(reports, spec, {"a": "yes"}, keep=keep)


def test_what_is_not_declared_is_refused_without_a_value():
    spec = _grouped("xx", {"x": 0.7})
    reports = pd.DataFrame({"a": ["yes"], "b": ["no"]})

    with pytest.raises(SpecificationError, match=r"truths\.a: .*there are 2"):
        probability(reports, spec, {"a": "perhaps"})
    with pytest.raises(SpecificationError, match="no attribute 'q'"):
        probability(reports, spec, {"q": "yes"})
    with pytest.raises(TableError, match="at least one record"):
        probability(reports[:0], spec, {"a": "yes"})


def test_an_estimate_reads_as_a_number():
    assert float(Estimate(0.25, 0.01, 100)) == 0.25
    assert str(Estimate(-0.02, 0.05, 1000)) == "-0.020 +- 0.050 (1,000 records)"


def test_what_is_asked_of_a_coded_attribute_are_its_values():
    people = pd.DataFrame({"age": [20.0] * 30 + [60.0] * 10})
    spec = Specification({"age": Categorical(["young", "old"], coding=Coding(cuts=[40]))})

    found = probability(disguise(people, spec, seed=1), spec, {"age": "old"})

    assert found.probability == 0.25


def test_more_values_than_codes_are_refused():
    spec = Specification({"v": Categorical(range(70_000))})

    with pytest.raises(SpecificationError, match="at most 65,535 values, got 70,000"):
        probability(pd.DataFrame({"v": [65_536, 0]}), spec, {"v": 0})
