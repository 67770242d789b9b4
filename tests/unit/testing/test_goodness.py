import numpy as np
import pytest

from scumble.testing._goodness import agrees, merged, sample_size

FAIR = np.full(10, 0.1)


def test_a_right_sample_is_refused_as_rarely_as_stated():
    """2,000 samples at alpha 1 %: 20 expected, more than 46 with probability 1e-7."""
    generator = np.random.default_rng(0)
    refused = sum(
        not agrees(generator.multinomial(5000, FAIR), FAIR, alpha=0.01) for _ in range(2000)
    )

    assert 3 <= refused <= 46


def test_the_sample_size_is_enough_and_not_far_too_much():
    """At a power of 99 %, 200 samples: between 190 and 200 are refused."""
    generator = np.random.default_rng(1)
    wrong = FAIR + np.tile([0.01, -0.01], 5)
    size = sample_size(FAIR, [wrong], alpha=0.01)

    def refused(n):
        samples = generator.multinomial(n, wrong, 200)
        return sum(not agrees(sample, FAIR, alpha=0.01) for sample in samples)

    assert refused(size) >= 190
    assert refused(size // 4) <= 150


def test_a_single_impossible_report_is_refused():
    assert not agrees(np.array([10_000, 1]), np.array([1.0, 0.0]), alpha=1e-6)


def test_a_certain_report_agrees():
    assert agrees(np.array([10_000, 0]), np.array([1.0, 0.0]), alpha=1e-6)


@pytest.mark.parametrize("fewest", [0.01, 0.3, 2.0])
def test_merged_groups_keep_order_and_have_enough(fewest):
    groups = merged(FAIR, fewest=fewest)

    assert (np.diff(groups) >= 0).all()
    assert groups[0] == 0
    mass = np.bincount(groups, weights=FAIR)
    assert (mass >= min(fewest, 1) - 1e-9).all()
