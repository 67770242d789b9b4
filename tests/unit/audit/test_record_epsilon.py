import json
import math

import pytest

from scumble import Categorical, Numeric, Specification, Text
from scumble.audit import record_epsilon
from scumble.mechanisms import (
    GaussianNoise,
    LaplaceNoise,
    RandomizedResponse,
    UnrelatedQuestion,
    Warner,
)
from scumble.treatments import Shuffle

AGE = Numeric(20, 80, mechanism=LaplaceNoise(epsilon=1))
COLOUR = Categorical(["r", "g", "b"], mechanism=RandomizedResponse(epsilon=0.5))


def _answers(mechanism, count, values=("no", "yes")):
    return {f"a{i}": Categorical(values, mechanism=mechanism) for i in range(count)}


def test_independent_attributes_add_up():
    found = record_epsilon(Specification({"age": AGE, "colour": COLOUR}))

    assert found.disguised == found.total == pytest.approx(1.5)
    assert [part.attributes for part in found.parts] == [("age",), ("colour",)]


def test_what_is_told_in_clear_or_treated_has_no_bound_and_is_named():
    spec = Specification(
        {
            "age": AGE,
            "town": Categorical(["Ulm", "Wien"]),
            "note": Text(),
            "name": Text(sensitivity="withheld"),
            "pay": Numeric(0, 9, treatment=Shuffle()),
        },
        class_attribute="group",
    )

    found = record_epsilon(spec)

    assert (found.disguised, found.total) == (1, math.inf)
    assert (found.clear, found.treated) == (("town", "note", "group"), ("pay",))
    assert "town, note, group are told in clear; pay is treated" in found.explanation


def test_what_is_withheld_costs_nothing():
    spec = Specification({"age": AGE, "pay": Numeric(0, 9, sensitivity="withheld")})

    assert record_epsilon(spec).total == 1


def test_a_coin_of_one_attribute_is_its_own_and_of_two_tells_which_agree():
    alone = record_epsilon(Specification(_answers(Warner(keep=0.75, group="g"), 1)))
    both = record_epsilon(Specification(_answers(Warner(keep=0.75, group="g"), 2)))
    own = record_epsilon(Specification(_answers(Warner(keep=0.75), 2)))

    assert alone.total == pytest.approx(math.log(3))
    assert both.total == math.inf
    assert both.parts[0].group == "g"
    assert own.total == pytest.approx(2 * math.log(3))
    assert "a0, a1" in both.explanation


@pytest.mark.parametrize("count", [2, 3, 11, 13, 40])
def test_a_group_that_answers_harmless_questions_has_the_epsilon_of_its_joint_channel(count):
    """Written down or not: all answers true, or all drawn, which is rare for many."""
    spec = Specification(_answers(UnrelatedQuestion(keep=0.5, group="g"), count))

    assert record_epsilon(spec).total == pytest.approx(math.log1p(2.0**count))


def test_a_large_group_with_an_impossible_harmless_answer_has_no_bound():
    never = UnrelatedQuestion(keep=0.5, shares=(1.0, 0.0), group="g")

    assert record_epsilon(Specification(_answers(never, 13))).total == math.inf
    assert record_epsilon(Specification(_answers(Warner(keep=0.9, group="g"), 13))).total == (
        math.inf
    )


def test_infinity_is_text_in_json():
    spec = Specification({"age": Numeric(0, 1, mechanism=GaussianNoise(sd=1))})

    given = json.loads(json.dumps(record_epsilon(spec).to_dict(), allow_nan=False))

    assert given["disguised"] == "inf"
    assert "due to age" in given["explanation"]


def test_a_record_without_disguise_says_so():
    assert "No attribute" in record_epsilon(Specification({"age": Numeric(0, 1)})).explanation
