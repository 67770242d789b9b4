import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scumble.audit import worst_posterior
from scumble.errors import SpecificationError


@given(prior=st.floats(0.001, 0.999), epsilon=st.floats(0, 30))
def test_the_breach_is_that_of_the_amplification(prior, epsilon):
    gamma = math.exp(epsilon)

    found = worst_posterior(prior, epsilon=epsilon)

    assert found == pytest.approx(prior * gamma / (1 - prior + prior * gamma))
    # Evfimievski et al. state the same as a condition on gamma.
    if found < 1 - 1e-6:
        assert found / prior * (1 - prior) / (1 - found) == pytest.approx(gamma, rel=1e-4)


def test_a_suspicion_cannot_rise_without_a_report_and_becomes_sure_without_a_bound():
    assert worst_posterior(0.3, epsilon=0) == pytest.approx(0.3)
    assert worst_posterior(0.3, epsilon=1e6) == 1
    assert worst_posterior(0.3, epsilon=math.inf) == 1


def test_a_suspicion_is_a_probability():
    with pytest.raises(SpecificationError, match="prior"):
        worst_posterior(1.5, epsilon=1)
