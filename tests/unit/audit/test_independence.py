"""What is caught stands in tests/statistical/test_independence.py."""

import pytest

from scumble import Categorical, Coding, Numeric, Specification
from scumble.audit import check_attributes_independent, check_records_independent
from scumble.audit._joint import near_pair
from scumble.errors import SpecificationError
from scumble.mechanisms import GaussianNoise, Identity, RandomizedResponse, Warner

ANSWER = Categorical(["no", "yes"])


def test_too_few_records_are_refused():
    with pytest.raises(SpecificationError, match="records: expected at least"):
        check_records_independent(Warner(keep=0.8), ANSWER, records=100)
    with pytest.raises(SpecificationError, match="records: expected at least"):
        check_attributes_independent(Specification({"a": ANSWER}), records=100)


def test_without_two_private_attributes_there_is_nothing_to_check():
    check_attributes_independent(Specification({"a": ANSWER}))


def test_attributes_with_a_coding_are_checked_by_their_declared_values():
    cut = Categorical(
        ["low", "high"], coding=Coding(cuts=[50]), mechanism=RandomizedResponse(keep=0.7)
    )

    check_attributes_independent(Specification({"a": cut, "b": cut}), records=10_000)


@pytest.mark.parametrize(
    ("mechanism", "domain"),
    [
        (GaussianNoise(privacy=1.0), Numeric(20, 80)),
        (GaussianNoise(sd=0.1), Numeric(0, 100, step=1)),
        (GaussianNoise(sd=5), Numeric(float("-inf"), 10)),
        (Identity(), Numeric(0, 1)),
    ],
)
def test_near_truths_are_two_of_the_domain(mechanism, domain):
    one, other = near_pair(mechanism, domain)

    assert domain.conform([one, other]).tolist() == [one, other]
    assert one < other
