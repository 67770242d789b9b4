"""The check itself: what it must catch beside wrong noise."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from scumble import Categorical, Numeric
from scumble.entropy import Cryptographic, Seeded
from scumble.errors import MechanismCheckError, SpecificationError
from scumble.mechanisms import (
    GaussianNoise,
    LaplaceNoise,
    MultiplicativeNoise,
    SquareWave,
    UniformNoise,
    Warner,
)
from scumble.testing import check_mechanism

AGE = Numeric(20, 80)


@pytest.fixture
def laplace(monkeypatch):
    """Return a way to break one method of Laplace noise."""

    def broken(name, replacement):
        monkeypatch.setattr(LaplaceNoise, name, replacement)
        return LaplaceNoise(epsilon=1)

    return broken


def test_an_epsilon_that_is_too_small_is_caught(laplace):
    mechanism = laplace("epsilon_on", lambda self, domain: 0.9)

    with pytest.raises(MechanismCheckError, match=r"0\.900000 is stated, but the worst"):
        check_mechanism(mechanism, AGE)


def test_an_infinite_epsilon_that_is_finite_is_caught(laplace):
    mechanism = laplace("epsilon_on", lambda self, domain: math.inf)

    with pytest.raises(MechanismCheckError, match="infinity is stated"):
        check_mechanism(mechanism, AGE)


def test_a_matrix_that_loses_probability_is_caught(laplace):
    honest = LaplaceNoise.matrix
    mechanism = laplace("matrix", lambda self, *args, **kw: 0.99 * honest(self, *args, **kw))

    with pytest.raises(MechanismCheckError, match="sum to one"):
        check_mechanism(mechanism, AGE)


def _disguise(change):
    honest = LaplaceNoise.disguise

    def disguise(self, truth, domain, stream, *, coin=None):
        return change(honest, self, truth, domain, stream)

    return disguise


def test_a_loop_over_records_is_caught(laplace):
    def loop(honest, self, truth, domain, stream):
        parts = [honest(self, truth[i : i + 1], domain, stream) for i in range(len(truth))]
        return np.concatenate([np.empty(0), *parts])

    with pytest.raises(MechanismCheckError, match="not one per record"):
        check_mechanism(laplace("disguise", _disguise(loop)), AGE)


def test_a_lost_missing_value_is_caught(laplace):
    def fill(honest, self, truth, domain, stream):
        return np.nan_to_num(honest(self, truth, domain, stream))

    with pytest.raises(MechanismCheckError, match="missing truth must stay missing"):
        check_mechanism(laplace("disguise", _disguise(fill)), AGE)


def test_a_changed_truth_is_caught(laplace):
    def overwrite(honest, self, truth, domain, stream):
        reports = honest(self, truth, domain, stream)
        truth[:] = reports
        return reports

    with pytest.raises(MechanismCheckError, match="changed the truth"):
        check_mechanism(laplace("disguise", _disguise(overwrite)), AGE)


def test_a_shifted_report_is_caught(laplace):
    def shift(honest, self, truth, domain, stream):
        return honest(self, truth, domain, stream) + 6

    with pytest.raises(MechanismCheckError, match="do not follow the matrix"):
        check_mechanism(laplace("disguise", _disguise(shift)), AGE)


def test_randomness_from_elsewhere_is_caught(laplace):
    def ignore(honest, self, truth, domain, stream):
        return honest(self, truth, domain, Cryptographic().stream("another"))

    with pytest.raises(MechanismCheckError, match="all randomness from the stream"):
        check_mechanism(laplace("disguise", _disguise(ignore)), AGE)


def test_no_randomness_at_all_is_caught(laplace):
    def ignore(honest, self, truth, domain, stream):
        return honest(self, truth, domain, Seeded(1).stream("always the same"))

    with pytest.raises(MechanismCheckError, match="expected noise from the stream, got none"):
        check_mechanism(laplace("disguise", _disguise(ignore)), AGE)


@pytest.mark.parametrize(
    ("mechanism", "domain"),
    [
        (GaussianNoise(privacy=0.01), Numeric(17, 90, step=1)),
        (MultiplicativeNoise(sd=0.001), Numeric(1, 10)),
        (Warner(keep=0.05), Categorical(["no", "yes"])),
        (SquareWave(epsilon=8), AGE),
        (SquareWave(epsilon=1), Numeric(1e9, 1e9 + 1)),
        (LaplaceNoise(epsilon=1), Numeric(-1e-6, 1e-6)),
        (UniformNoise(privacy=2.0), Numeric(-1e8, 3e8)),
    ],
    ids=str,
)
def test_right_mechanisms_at_the_edge_of_sense_are_not_refused(mechanism, domain):
    check_mechanism(mechanism, domain)


def test_lost_reports_are_caught(laplace):
    def lose(honest, self, truth, domain, stream):
        reports = honest(self, truth, domain, stream)
        reports[::7] = math.nan
        return reports

    with pytest.raises(MechanismCheckError, match="some reports are missing"):
        check_mechanism(laplace("disguise", _disguise(lose)), AGE)


@pytest.mark.parametrize(
    ("mechanism", "domain"),
    [
        (Warner(keep=0.99999), Categorical(["no", "yes"])),
        (GaussianNoise(sd=0.1, grid=7), AGE),  # rounding swallows the noise
    ],
)
def test_an_error_too_small_to_see_is_not_passed_over_in_silence(mechanism, domain):
    with pytest.raises(MechanismCheckError, match="it would take more than"):
        check_mechanism(mechanism, domain)


@pytest.mark.parametrize("options", [{"alpha": 2}, {"smallest_error": 0}])
def test_odd_error_rates_are_refused(options):
    with pytest.raises(SpecificationError):
        check_mechanism(GaussianNoise(sd=1), AGE, **options)


def test_parameters_that_do_not_survive_json_are_caught(laplace):
    mechanism = laplace("to_dict", lambda self: {"name": "laplace", "epsilon": 2})

    with pytest.raises(MechanismCheckError, match="do not survive"):
        check_mechanism(mechanism, AGE)


def test_a_mechanism_of_ones_own_is_one_class():
    """What ARCHITECTURE.md promises: a new mechanism needs no change elsewhere."""

    @dataclass(frozen=True, kw_only=True)
    class TriangularNoise(GaussianNoise):
        name: ClassVar[str] = "test-triangular"
        reach: ClassVar[float] = 1.0
        unit_sd: ClassVar[float] = 6**-0.5

        def unit_cdf(self, t):
            t = np.clip(t, -1, 1)
            return np.where(t < 0, (1 + t) ** 2 / 2, 1 - (1 - t) ** 2 / 2)

        def unit_cdf_integral(self, t):
            inside = np.clip(t, -1, 1)
            below = (1 + inside) ** 3 / 6
            above = 1 / 6 + inside - (1 - (1 - inside) ** 3) / 6
            return np.where(inside < 0, below, above) + np.maximum(t - 1, 0)

        def unit_quantile(self, share):
            low = np.sqrt(2 * np.minimum(share, 0.5)) - 1
            return np.where(share < 0.5, low, 1 - np.sqrt(2 * (1 - np.maximum(share, 0.5))))

    check_mechanism(TriangularNoise(sd=20), AGE)
