import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Numeric, Specification
from scumble.audit import plot_repeated_queries, repeated_queries
from scumble.errors import SpecificationError
from scumble.mechanisms import GaussianNoise, UniformNoise, Warner

AGE = Specification({"age": Numeric(0, 100, mechanism=GaussianNoise(sd=30))})
AGES = np.random.default_rng(1).uniform(0, 100, (1000, 1))


def test_fresh_noise_wears_off():
    found = repeated_queries(AGES, AGE, name="age", times=[1, 10, 100], seed=1)

    assert found[0].high < found[1].low
    assert found[1].high < found[2].low
    assert [result.times for result in found] == [1, 10, 100]
    assert "100 times" in found[2].explanation


def test_fixed_noise_does_not():
    found = repeated_queries(AGES, AGE, name="age", times=[1, 10, 40], fixed=True, seed=1)

    assert found[0].success == found[1].success == found[2].success
    assert "fixed per person" in found[0].explanation


def test_once_is_the_best_guess():
    fixed, fresh = (
        repeated_queries(AGES, AGE, name="age", times=[1], fixed=fixed, seed=1)[0]
        for fixed in (True, False)
    )

    assert fixed.low < fresh.success < fixed.high


def test_bounded_noise_pins_a_value_down_quickly():
    spec = Specification({"age": Numeric(0, 100, mechanism=UniformNoise(half_width=30))})
    found = repeated_queries(AGES, spec, name="age", times=[1, 50], seed=1)

    assert found[1].success > 0.95


def test_one_attribute_of_a_table_is_asked_for():
    answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.7, group="g"))
    spec = Specification({"a": answer, "b": answer, "age": AGE["age"]}, class_attribute="b")
    truths = pd.DataFrame(
        {"a": ["no", "yes", None, "yes"] * 50, "b": ["no"] * 200, "age": [50.0] * 200}
    )
    found = repeated_queries(truths, spec, name="a", times=[101], seed=1)

    assert found[0].records == 150
    assert found[0].success > 0.99


def test_it_is_repeatable():
    one, same = (
        repeated_queries(AGES, AGE, name="age", times=[3], records=200, seed=5) for _ in range(2)
    )

    assert one == same


@pytest.mark.parametrize("times", [[0], [1.5], [True]])
def test_people_are_asked_a_whole_number_of_times(times):
    with pytest.raises(SpecificationError, match="times"):
        repeated_queries(AGES, AGE, name="age", times=times)


def test_the_picture_has_a_line_for_each_noise():
    found = [
        result
        for fixed in (False, True)
        for result in repeated_queries(AGES, AGE, name="age", times=[1, 5], fixed=fixed, seed=1)
    ]
    (ax,) = plot_repeated_queries(found).axes

    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["fresh noise", "fixed per person", "without reports"]
