import math

import pytest
from mechanism_cases import ALL, name

from scumble import Categorical, Numeric
from scumble.audit._truth_pairs import possible, truth_pairs
from scumble.mechanisms import GaussianNoise, UnrelatedQuestion


@pytest.mark.parametrize(("mechanism", "domain"), ALL, ids=name)
def test_pairs_are_different_truths_of_the_domain(mechanism, domain):
    for pair in truth_pairs(mechanism, domain):
        assert pair[0] < pair[1]
        for truth in pair:
            if isinstance(domain, Categorical):
                assert truth in range(len(domain))
            else:
                assert domain.conform([truth] if domain.kind == "numeric" else []).size in (0, 1)
                assert domain.low <= truth <= domain.high


@pytest.mark.parametrize("low", [-math.inf, 0])
@pytest.mark.parametrize("high", [math.inf, 50])
def test_a_domain_without_an_end_has_pairs_too(low, high):
    pairs = truth_pairs(GaussianNoise(sd=3), Numeric(low, high))

    assert all(math.isfinite(truth) for pair in pairs for truth in pair)


def test_neighbours_lie_between_two_reports():
    """A difference that rounding must swallow."""
    grid = 0.5

    apart = [b - a for a, b in truth_pairs(GaussianNoise(sd=3, grid=grid), Numeric(0, 100))]

    assert min(apart) < grid


def test_the_value_that_its_report_gives_away_most_is_tried():
    colour = Categorical(["red", "green", "blue"])
    question = UnrelatedQuestion(keep=0.3, shares=[0.5, 0.1, 0.4])

    assert (1, 2) in truth_pairs(question, colour)


@pytest.mark.parametrize(("value", "nearest"), [(3.4, 3), (99, 10), (-5, 0)])
def test_a_possible_truth_lies_on_the_step_and_within_the_bounds(value, nearest):
    assert possible(Numeric(0, 10, step=1), value) == nearest
