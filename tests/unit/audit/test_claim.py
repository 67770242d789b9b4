import math

import numpy as np
import pytest
from scipy.stats import norm

from scumble import Categorical, Numeric
from scumble.audit._claim import Claim, claim_of
from scumble.mechanisms import (
    GaussianNoise,
    Identity,
    LaplaceNoise,
    MultiplicativeNoise,
    RandomizedResponse,
    UniformNoise,
    Withheld,
)

AGE = Numeric(20, 80)
COLOUR = Categorical(["red", "green", "blue"])


@pytest.mark.parametrize("truths", [(20, 25), (25, 20), (20, 20.003)])
def test_gaussian_noise_claims_its_known_divergence(truths):
    """The closed form of Balle and Wang; rounding to the grid can only make it smaller."""
    sd = 10.0
    claim = claim_of(GaussianNoise(sd=sd), AGE, *truths)
    apart = abs(truths[1] - truths[0]) / sd
    at, factor = claim.ratios / apart, np.exp(claim.ratios)
    known = norm.cdf(apart / 2 - at) - factor * norm.cdf(-apart / 2 - at)

    # Beyond four standard deviations all is taken to tell.
    assert claim.deltas == pytest.approx(known, abs=2e-4)
    assert (claim.deltas >= known - 1e-9).all()


def test_uniform_noise_claims_the_part_that_does_not_overlap():
    claim = claim_of(UniformNoise(half_width=10), AGE, 30, 34)

    assert claim.deltas == pytest.approx(0.2, abs=1e-3)


def test_a_claim_ends_at_epsilon():
    claim = claim_of(LaplaceNoise(epsilon=1.5), AGE, 20, 80)

    assert claim.ratios[-1] == 1.5
    assert claim.deltas[-1] == 0


def test_near_truths_of_laplace_noise_must_look_alike():
    claim = claim_of(LaplaceNoise(epsilon=1), AGE, 20, 26)  # a tenth of the range

    assert claim.deltas[claim.ratios >= 0.1].max() < 1e-3


def test_randomized_response_claims_what_its_matrix_says():
    claim = claim_of(RandomizedResponse(keep=0.5), COLOUR, 0, 2)

    assert claim.deltas[0] == pytest.approx(0.25)


def test_what_tells_all_claims_nothing_and_what_tells_nothing_claims_all():
    assert claim_of(Identity(), AGE, 20, 30).deltas.min() >= 1
    assert claim_of(Withheld(), AGE, 20, 30).deltas.tolist() == [0]
    assert claim_of(Identity(), COLOUR, 0, 1).deltas.min() >= 1


def test_zero_stays_zero_under_multiplicative_noise():
    claim = claim_of(MultiplicativeNoise(sd=0.2), Numeric(0, 100), 0, 50)

    assert claim.deltas.min() == pytest.approx(1, abs=1e-3)


def test_a_channel_on_wide_cells_is_not_taken_for_exact(monkeypatch):
    """Wide cells hide differences: right reports would contradict it."""
    monkeypatch.setattr("scumble.audit._claim._MOST_CELLS", 10)

    assert claim_of(LaplaceNoise(epsilon=1), AGE, 20, 80).ratios.tolist() == [1]
    assert len(claim_of(GaussianNoise(sd=5), AGE, 20, 80)) == 0


@pytest.mark.parametrize(
    ("low", "high", "contradicted"),
    [(0.3, 0.1, True), (0.2, 0.1, False), (0.0, 0.0001, False)],
)
def test_a_claim_is_contradicted_by_a_greater_ratio(low, high, contradicted):
    claim = Claim(np.array([1.0]), np.array([0.0]))  # e = 2.718

    assert (claim.excess(low, high) > 0) is contradicted


def test_without_a_claim_nothing_is_contradicted():
    assert Claim(np.empty(0), np.empty(0)).excess(1.0, 1e-9) == -math.inf
