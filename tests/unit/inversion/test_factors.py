"""The inverse of a factor is the inverse of its channel."""

from functools import reduce

import numpy as np
import pytest

from scumble import Categorical, Numeric, Specification
from scumble.errors import SpecificationError
from scumble.inversion._factors import inverse_factors
from scumble.mechanisms import (
    GaussianNoise,
    RandomizedResponse,
    UnrelatedQuestion,
    Warner,
    joint_channel,
)

COLOURS = ["red", "green", "blue"]


def _spec(**mechanisms):
    values = {"two": ["no", "yes"], "three": COLOURS}
    return Specification(
        {
            name: Categorical(values[name.split("_")[0]], mechanism=mechanism)
            for name, mechanism in mechanisms.items()
        }
    )


SPECS = {
    "alone": _spec(two_a=Warner(keep=0.7), three_a=RandomizedResponse(keep=0.6), two_b=None),
    "a group": _spec(**{f"two_{k}": Warner(keep=0.7, group="g") for k in "abc"}),
    "a lying group": _spec(**{f"two_{k}": Warner(keep=0.2, group="g") for k in "ab"}),
    "harmless questions": _spec(
        two_a=UnrelatedQuestion(keep=0.5, group="g", shares=(0.3, 0.7)),
        three_a=UnrelatedQuestion(keep=0.5, group="g"),
    ),
    "two groups and more": _spec(
        two_a=Warner(keep=0.8, group="g"),
        three_a=UnrelatedQuestion(keep=0.9, group="h"),
        two_b=Warner(keep=0.8, group="g"),
        three_b=UnrelatedQuestion(keep=0.9, group="h"),
        three_c=RandomizedResponse(keep=0.7),
    ),
}


def _dense(sides):
    """Return a matrix over all combinations, without those that have a missing value."""
    parts = [
        coefficient * reduce(np.kron, [m.toarray()[1:, 1:] for m in matrices])
        for coefficient, matrices in zip(sides.coefficients, sides.matrices, strict=True)
    ]
    return sum(parts)


@pytest.mark.parametrize("which", list(SPECS))
def test_the_product_form_is_the_inverse_of_the_channel(which):
    spec = SPECS[which]
    for factor in inverse_factors(spec, list(spec), [len(spec[name]) for name in spec]):
        channel, inverse = _dense(factor.channel), _dense(factor.inverse)

        assert np.allclose(channel @ inverse.T, np.eye(len(channel)), atol=1e-12)


def test_the_channel_of_a_group_is_the_joint_channel():
    spec = SPECS["harmless questions"]
    [factor] = inverse_factors(spec, list(spec), [2, 3])

    assert np.allclose(_dense(factor.channel), joint_channel(spec, group="g").matrix, atol=1e-14)


def test_attributes_that_share_no_coin_are_one_factor_of_one_side():
    factors = inverse_factors(SPECS["alone"], ["two_b", "two_a", "unknown"], [2, 2, 4])

    assert [(factor.members, len(factor.inverse)) for factor in factors] == [((0, 1, 2), 1)]


@pytest.mark.parametrize("keep", [0.0, 1.0])
def test_a_coin_that_always_falls_alike_has_one_side_and_whole_numbers(keep):
    spec = _spec(two_a=Warner(keep=keep, group="g"), two_b=Warner(keep=keep, group="g"))
    [factor] = inverse_factors(spec, list(spec), [2, 2])

    assert len(factor.inverse) == 1
    assert set(factor.inverse.matrices[0][0].data.tolist()) == {1.0}


def test_a_missing_report_is_a_missing_truth_on_every_side():
    spec = SPECS["a group"]
    [factor] = inverse_factors(spec, list(spec), [2, 2, 2])
    only_missing, any_value = np.array([1.0, 0, 0]), np.array([0.0, 1, 1])
    codes = [np.array([0, 1])] * 3

    assert factor.inverse.weights([only_missing, None, None], codes).round(12).tolist() == [1, 0]
    assert factor.inverse.weights([any_value, None, None], codes).round(12).tolist() == [0, 1]


def test_the_squares_of_the_entries_have_the_same_form():
    for spec in SPECS.values():
        for factor in inverse_factors(spec, list(spec), [len(spec[name]) for name in spec]):
            squared = _dense(factor.inverse.squared())

            assert np.allclose(squared, _dense(factor.inverse) ** 2, atol=1e-12)


def test_a_disguised_number_cannot_be_inverted():
    spec = Specification({"age": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5))})

    with pytest.raises(SpecificationError, match=r"attributes\.age: .*method='likelihood'"):
        inverse_factors(spec, ["age"], [10])


def test_a_withheld_attribute_tells_nothing():
    spec = Specification({"name": Categorical(["a", "b"], sensitivity="withheld")})

    with pytest.raises(SpecificationError, match="withheld"):
        inverse_factors(spec, ["name"], [2])
