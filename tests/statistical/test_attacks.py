"""Attacks succeed as often as closed forms say, and tell a weaker mechanism from a stronger one.

The number of successes is compared with its binomial distribution at an error rate of 1e-6 for
each check. The twins show that a mechanism with less noise than it states, which makes the attack
succeed more often, is caught, and one with more noise too.
"""

import numpy as np
import pytest
from scipy.stats import binom, binomtest, norm

from scumble import Categorical, Numeric, Specification, disguise
from scumble.audit import best_guess, coin_inference, repeated_queries, spectral_filter
from scumble.mechanisms import GaussianNoise, Warner, grouped

N = 20_000
ALPHA = 1e-6


def _agrees(found, expected):
    return binomtest(round(found.success * found.records), found.records, expected).pvalue > ALPHA


def _warner(stated, real, yes=0.5):
    """Attack reports of one coin by an adversary who is told of another."""
    truths = (np.arange(N) < yes * N).astype(int)[:, None]
    spec, other = (
        Specification({"x": Categorical([0, 1], mechanism=Warner(keep=keep))})
        for keep in (stated, real)
    )
    reports = disguise(truths, other, seed=1)
    return best_guess(truths, reports, spec, knows="population", records=N, seed=1)[0]


@pytest.mark.parametrize("keep", [0.6, 0.8, 0.3])
def test_a_coin_is_guessed_as_often_as_it_tells(keep):
    assert _agrees(_warner(keep, keep), max(keep, 1 - keep))


def test_with_a_prior_the_likelier_of_the_two_is_guessed():
    expected = max(0.3 * 0.6, 0.7 * 0.4) + max(0.7 * 0.6, 0.3 * 0.4)

    assert _agrees(_warner(0.6, 0.6, yes=0.3), expected)


@pytest.mark.parametrize("real", [0.77, 0.83])
def test_a_coin_that_is_not_what_it_states_is_caught(real):
    assert not _agrees(_warner(0.8, real), 0.8)


def _normal_success(sd, half, width):
    """How often a uniform truth lies within half of the best guess from a report.

    The best window is around the report, moved into the domain.
    """
    report = np.linspace(-8 * sd, width + 8 * sd, 400_001)
    guess = np.clip(report, half, width - half)
    inside = norm.cdf((guess + half - report) / sd) - norm.cdf((guess - half - report) / sd)
    return np.trapezoid(inside, report) / width


def _gaussian(stated, real):
    truths = np.random.default_rng(1).uniform(0, 100, (N, 1))
    spec, other = (
        Specification({"x": Numeric(0, 100, mechanism=GaussianNoise(sd=sd))})
        for sd in (stated, real)
    )
    reports = disguise(truths, other, seed=1)
    return best_guess(truths, reports, spec, knows="population", records=N, seed=1)[0]


@pytest.mark.parametrize("sd", [5.0, 15.0, 25.0])
def test_a_number_is_guessed_as_often_as_the_integral_says(sd):
    assert _agrees(_gaussian(sd, sd), _normal_success(sd, 5, 100))


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_noise_of_half_or_twice_the_scale_is_caught(factor):
    assert not _agrees(_gaussian(15.0, 15.0 * factor), _normal_success(15, 5, 100))


def test_equal_columns_are_as_one_with_a_part_of_the_noise():
    m, sd = 9, 30.0
    # Far from the ends, where an estimate would be moved into the domain.
    truths = np.repeat(np.random.default_rng(1).uniform(300, 700, (N, 1)), m, axis=1)
    spec = Specification(
        {f"x{j}": Numeric(0, 1000, mechanism=GaussianNoise(sd=sd)) for j in range(m)}
    )
    found = spectral_filter(
        truths, disguise(truths, spec, seed=1), spec, tolerance=0.01, records=N, seed=1
    )

    together = 2 * norm.cdf(10 * np.sqrt(m) / sd) - 1
    alone = 2 * norm.cdf(10 / sd) - 1
    assert _agrees(found[0], together)
    assert not _agrees(found[0], alone)


@pytest.mark.parametrize("groups", [2, "each"])
def test_among_all_records_alike_coins_are_guessed_by_their_odds(groups):
    answers = Specification(dict.fromkeys("abcd", Categorical([0, 1])))
    every = np.array(np.meshgrid(*[[0, 1]] * 4)).reshape(4, -1).T
    truths = np.tile(every, (N // 16, 1))
    spec = grouped(answers, keep=0.8, groups=groups, seed=1)
    found = coin_inference(truths, disguise(truths, spec, seed=1), spec, records=N, seed=1)

    coins = 2 if groups == 2 else 4
    assert _agrees(found, 0.8**coins)
    assert not _agrees(found, 0.8 ** (coins + 1))
    assert not _agrees(found, 0.8 ** (coins - 1))


@pytest.mark.parametrize("times", [1, 5, 21])
def test_of_fresh_answers_the_majority_is_right(times):
    truths = (np.arange(N) % 2)[:, None]
    spec = Specification({"x": Categorical([0, 1], mechanism=Warner(keep=0.6))})
    (found,) = repeated_queries(truths, spec, name="x", times=[times], records=N, seed=1)
    (fixed,) = repeated_queries(
        truths, spec, name="x", times=[times], fixed=True, records=N, seed=1
    )

    assert _agrees(found, binom.sf(times // 2, times, 0.6))
    assert _agrees(fixed, 0.6)
    if times > 1:
        assert not _agrees(found, 0.6)


def test_of_fresh_numbers_the_noise_falls_with_the_root():
    truths = np.random.default_rng(1).uniform(0, 100, (N, 1))
    spec = Specification({"x": Numeric(0, 100, mechanism=GaussianNoise(sd=30))})
    (found,) = repeated_queries(truths, spec, name="x", times=[9], records=N, seed=1)

    assert _agrees(found, _normal_success(10, 5, 100))
    assert not _agrees(found, _normal_success(30, 5, 100))
