"""Do reports tell more than is claimed? Error rate of all right cases together: 1e-6."""

import numpy as np
import pytest
from broken_twins import (
    broken,
    clamped,
    digits_tell,
    last_bit_tells,
    missing_tells,
    noise_clamped,
    sometimes_the_truth,
    with_another_noise,
)
from mechanism_cases import AGE, ALL, ANSWER, COLOUR, NOISY, name

from scumble import Numeric
from scumble.audit import check_epsilon, empirical_epsilon, samples_to_catch
from scumble.errors import MechanismCheckError
from scumble.mechanisms import (
    GaussianNoise,
    LaplaceNoise,
    RandomizedResponse,
    SharedCoin,
    SquareWave,
    UniformNoise,
    Warner,
)
from scumble.schema import Product
from scumble.testing import check_mechanism

# Half of the error rate is for the independence of records.
CONFIDENCE = 1 - 0.5e-6 / len(ALL)
LAPLACE = LaplaceNoise(epsilon=1)
# A coin that mostly lies hides more when it lies half as often.
TOO_LITTLE = [case for case in NOISY if case[0] != Warner(keep=0.3)]


@pytest.mark.parametrize(("mechanism", "domain"), ALL, ids=name)
def test_no_mechanism_tells_more_than_it_claims(mechanism, domain):
    check_epsilon(mechanism, domain, confidence=CONFIDENCE)


@pytest.mark.parametrize(("mechanism", "domain"), TOO_LITTLE, ids=name)
def test_half_the_noise_is_caught(mechanism, domain, monkeypatch):
    """Also where epsilon is infinite: the channel says how alike two truths must look."""
    with_another_noise(monkeypatch, mechanism, 0.5)

    with pytest.raises(MechanismCheckError, match="tell at most what is claimed"):
        check_epsilon(mechanism, domain)


@pytest.mark.parametrize(
    ("mechanism", "domain"),
    [
        (LAPLACE, AGE),
        (RandomizedResponse(epsilon=1), COLOUR),
        (Warner(keep=0.8), ANSWER),
        (SquareWave(epsilon=0.5), AGE),
    ],
    ids=name,
)
def test_a_bound_finds_most_of_an_epsilon_and_never_more(mechanism, domain):
    seen = empirical_epsilon(mechanism, domain, confidence=CONFIDENCE)

    assert 0.85 * seen.claimed < seen.bound <= seen.claimed


@pytest.mark.parametrize(
    "mechanism",
    [LAPLACE, GaussianNoise(privacy=1.0), UniformNoise(privacy=1.0), SquareWave(epsilon=1)],
    ids=name,
)
def test_a_last_bit_that_tells_is_caught(mechanism, monkeypatch):
    broken(monkeypatch, mechanism, last_bit_tells)

    with pytest.raises(MechanismCheckError, match=r"last bits|beside its grid|only one of the"):
        check_epsilon(mechanism, AGE)


@pytest.mark.parametrize(
    ("mechanism", "samples"),
    [(LAPLACE, samples_to_catch(0.85, epsilon=1)), (GaussianNoise(privacy=1.0), 20_000)],
    ids=name,
)
def test_a_length_that_tells_is_caught(mechanism, samples, monkeypatch):
    """Nine of ten reports of one truth are longer than any of the other."""
    broken(monkeypatch, mechanism, digits_tell)

    with pytest.raises(MechanismCheckError, match="the length of the report"):
        check_epsilon(mechanism, AGE, samples=samples)


@pytest.mark.parametrize("mechanism", [LAPLACE, GaussianNoise(privacy=1.0)], ids=name)
def test_a_truth_in_a_thousand_reports_is_caught(mechanism, monkeypatch):
    """A report of Laplace noise is the other truth with probability 0.01 / 120 / e."""
    samples = samples_to_catch(1e-3, epsilon=1, otherwise=0.01 / 120 / np.e)
    broken(monkeypatch, mechanism, sometimes_the_truth)

    with pytest.raises(MechanismCheckError, match=r"exact value|only one of the truths"):
        check_epsilon(mechanism, AGE, samples=samples)


def test_clamped_noise_is_caught(monkeypatch):
    broken(monkeypatch, LAPLACE, noise_clamped)

    with pytest.raises(MechanismCheckError, match=r"exact value|only one of the truths"):
        check_epsilon(LAPLACE, AGE)


def test_a_clamped_report_tells_no_more_but_is_not_what_the_channel_states(monkeypatch):
    """What is done to a report without the truth cannot tell of it."""
    broken(monkeypatch, LAPLACE, clamped)

    check_epsilon(LAPLACE, AGE)
    with pytest.raises(MechanismCheckError, match="do not follow"):
        check_mechanism(LAPLACE, AGE)


def test_a_report_that_is_missing_for_some_truths_is_caught(monkeypatch):
    broken(monkeypatch, LAPLACE, missing_tells)

    with pytest.raises(MechanismCheckError, match="whether the report is missing"):
        check_epsilon(LAPLACE, AGE)


def test_a_report_of_a_missing_truth_is_caught(monkeypatch):
    broken(monkeypatch, LAPLACE, lambda reports, truth, stream: np.nan_to_num(reports))

    with pytest.raises(MechanismCheckError, match="a missing report for a missing truth"):
        check_epsilon(LAPLACE, AGE)


def test_floats_beside_the_grid_are_caught(monkeypatch):
    """Noise that is not rounded: truth and noise leave traces in the last bits."""

    def disguise(self, truth, domain, stream, *, coin=None):
        return truth + self.unit_quantile(stream.uniform(len(truth))) * self.scale_on(domain)

    monkeypatch.setattr(LaplaceNoise, "disguise", disguise)

    with pytest.raises(MechanismCheckError, match=r"last bits of the report|on the grid"):
        check_epsilon(LAPLACE, AGE)


def test_a_sign_of_zero_that_tells_is_caught(monkeypatch):
    def sign(reports, truth, stream):
        return np.where((reports == 0) & (truth > 0), -0.0, reports)

    noise = LaplaceNoise(epsilon=1, grid=1)
    broken(monkeypatch, noise, sign)

    with pytest.raises(MechanismCheckError, match="only one of the truths gives"):
        check_epsilon(noise, Numeric(-10, 10))


def test_two_answers_with_one_coin_tell_more_than_one_answer():
    alone = empirical_epsilon(Warner(keep=0.8), ANSWER)
    both = empirical_epsilon(SharedCoin(keep=0.8), Product([ANSWER, ANSWER]))

    assert alone.bound < 1.4 < 8 < both.bound
    assert both.event == "a report that only one of the truths gives"


def test_bounds_hold_as_often_as_stated():
    """300 runs at a confidence of 90 %; 30 failures allowed, more than 58 at a rate of 1e-7."""
    failures = sum(
        empirical_epsilon(
            RandomizedResponse(epsilon=1), COLOUR, samples=2000, confidence=0.9, seed=seed
        ).contradicted
        for seed in range(300)
    )

    assert failures <= 58
