import numpy as np
import pytest
from scipy.stats import binomtest

from scumble.audit._binomial_bounds import at_least, at_most, foreseen


@pytest.mark.parametrize(("count", "total"), [(0, 50), (1, 50), (25, 50), (50, 50), (7, 100_000)])
def test_bounds_are_those_of_clopper_and_pearson(count, total):
    interval = binomtest(count, total).proportion_ci(0.99, method="exact")

    assert at_least(count, total, alpha=0.005) == pytest.approx(interval.low)
    assert at_most(count, total, alpha=0.005) == pytest.approx(interval.high)


def test_foreseen_bounds_are_near_the_exact_ones():
    low, high = foreseen(np.array([400.0]), deviations=3.0902)  # a tail of 0.001

    assert low[0] == pytest.approx(1e6 * at_least(400, 10**6, alpha=0.001), rel=0.01)
    assert high[0] == pytest.approx(1e6 * at_most(400, 10**6, alpha=0.001), rel=0.01)
