"""What is caught stands in tests/statistical/test_empirical_epsilon.py."""

import math

import pytest
from error_texts import all_texts

from scumble import Categorical, Numeric
from scumble.audit import check_epsilon
from scumble.errors import MechanismCheckError
from scumble.mechanisms import GaussianNoise, LaplaceNoise, Warner


def test_a_right_mechanism_returns_what_was_seen():
    seen = check_epsilon(Warner(keep=0.8), Categorical(["no", "yes"]), samples=20_000)

    assert 1 < seen.bound <= seen.claimed


def test_domains_without_ends_are_checked():
    check_epsilon(GaussianNoise(sd=3), Numeric(-math.inf, math.inf), samples=20_000)


def test_an_epsilon_that_is_claimed_too_small_is_named_with_what_was_seen(monkeypatch):
    monkeypatch.setattr(LaplaceNoise, "epsilon_on", lambda self, domain: 0.5)

    with pytest.raises(MechanismCheckError, match=r"epsilon 0\.5, .* at least 0\.\d+") as caught:
        check_epsilon(LaplaceNoise(epsilon=1), Numeric(20, 80))

    assert "look at what disguise adds" in all_texts(caught.value)
