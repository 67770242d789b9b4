"""The low bits of a released float tell nothing about the truth."""

import numpy as np
import pytest

from scumble import Numeric
from scumble.entropy import Cryptographic
from scumble.mechanisms import (
    GaussianNoise,
    LaplaceNoise,
    MultiplicativeNoise,
    SquareWave,
    UniformNoise,
)
from scumble.mechanisms._grid import snap

DOMAIN = Numeric(20, 80)
MECHANISMS = [
    GaussianNoise(privacy=1.0),
    UniformNoise(privacy=1.0),
    LaplaceNoise(epsilon=1),
    SquareWave(epsilon=1),
    MultiplicativeNoise(privacy=1.0),
]
# Two truths that differ in the last bits only, and one with no low bits at all.
TRUTHS = [30.0, np.nextafter(30.1, 40), 30.1]
N = 200_000


def _reports(mechanism, truth, n=N):
    reports = mechanism.disguise(np.full(n, truth), DOMAIN, Cryptographic().stream("x"))
    return np.sort(reports)[n // 10 : -n // 10]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_reports_of_close_truths_are_the_same_floats(mechanism):
    """A grid point within the middle 80 % expects at least 4 reports of each truth."""
    one, near, other = (_reports(mechanism, truth) for truth in TRUTHS)

    assert np.isin(one, other).mean() > 0.95
    assert np.isin(near, other).mean() > 0.95


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_a_report_is_determined_by_its_place_on_the_grid(mechanism):
    grid = mechanism.grid_on(DOMAIN)
    reports = np.concatenate([_reports(mechanism, truth) for truth in TRUTHS])

    places = np.rint(reports / grid)

    assert np.abs(reports - places * grid).max() < 1e-9
    # One float for each place, to the last bit.
    assert len(np.unique(reports)) == len(np.unique(places))


def _explained(reports, truth, mechanism, release):
    """Say which reports a truth could have given, by searching the draws around each.

    The attack on naive noise (Mironov 2012): the floats that truth + noise can reach
    differ from truth to truth, so a report rules truths out by its value alone.
    """
    scale = mechanism.scale_on(DOMAIN)
    near = mechanism.unit_cdf((reports - truth) / scale) * 2.0**52
    found = np.zeros(len(reports), dtype=bool)
    for offset in range(-40, 41):
        draw = (np.floor(near) + offset) * 2.0**-52 + 2.0**-53
        found |= release(mechanism.unit_quantile(draw) * scale + truth) == reports
    return found


ADDITIVE = [GaussianNoise(privacy=1.0), UniformNoise(privacy=1.0), LaplaceNoise(epsilon=1)]


@pytest.mark.parametrize("mechanism", ADDITIVE, ids=lambda m: m.name)
def test_every_truth_explains_every_report(mechanism):
    reports = _reports(mechanism, 30.1, n=5000)
    reports = reports[(reports > 20) & (reports < 40)]  # within reach of all three truths
    grid = mechanism.grid_on(DOMAIN)

    for truth in (30.0, 33.3, 47.123456789):
        assert _explained(reports, truth, mechanism, lambda sums: snap(sums, grid)).all()


@pytest.mark.parametrize("mechanism", ADDITIVE, ids=lambda m: m.name)
def test_without_the_grid_the_attack_would_work(mechanism):
    draws = Cryptographic().stream("x").uniform(5000)
    naive = 30.1 + mechanism.unit_quantile(draws) * mechanism.scale_on(DOMAIN)
    naive = naive[(naive > 20) & (naive < 40)]

    right = _explained(naive, 30.1, mechanism, lambda sums: sums).mean()
    wrong = _explained(naive, 47.123456789, mechanism, lambda sums: sums).mean()

    assert right > 0.99
    assert wrong < 0.9


def test_zero_has_no_sign():
    reports = GaussianNoise(sd=1, grid=1).disguise(
        np.zeros(10_000), Numeric(0, 1), Cryptographic().stream("x")
    )

    assert not np.signbit(reports[reports == 0]).any()
