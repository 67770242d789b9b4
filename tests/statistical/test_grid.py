"""The low bits of a released float tell nothing about the truth."""

import numpy as np
import pytest

from scumble import Numeric
from scumble.entropy import Cryptographic, Seeded
from scumble.mechanisms import (
    GaussianNoise,
    LaplaceNoise,
    MultiplicativeNoise,
    SquareWave,
    UniformNoise,
)

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


def _low_bits(reports):
    """Return the 16 lowest bits of each float."""
    return np.ascontiguousarray(reports).view(np.uint64) & np.uint64(0xFFFF)


def _share_of_foreign_reports(reports_of_one, reports_of_other):
    """How many reports of the one truth the other one could never have given.

    The attack on naive floating-point noise: the floats that truth + noise can reach
    differ from truth to truth, so that a report rules truths out by its value alone.
    """
    return 1 - np.isin(reports_of_one, reports_of_other).mean()


def _on_grid(mechanism, truth):
    reports = mechanism.disguise(np.full(N, truth), DOMAIN, Cryptographic().stream("x"))
    return np.sort(reports)[N // 10 : -N // 10]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_reports_of_close_truths_are_the_same_floats(mechanism):
    """A grid point within the middle 80 % expects at least 4 reports of each truth."""
    one, near, other = (_on_grid(mechanism, truth) for truth in TRUTHS)

    assert _share_of_foreign_reports(one, other) < 0.05
    assert _share_of_foreign_reports(near, other) < 0.05


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_a_report_is_determined_by_its_place_on_the_grid(mechanism):
    grid = mechanism.grid_on(DOMAIN)
    reports = np.concatenate([_on_grid(mechanism, truth) for truth in TRUTHS])

    places = np.rint(reports / grid)

    assert np.abs(reports - places * grid).max() < 1e-9
    # One float for each place, to the last bit.
    assert len(np.unique(reports)) == len(np.unique(places))


def test_naive_noise_would_be_caught():
    naive = [truth + np.random.default_rng(1).normal(0, 15, N) for truth in TRUTHS]

    assert _share_of_foreign_reports(naive[0], naive[2]) > 0.9


def test_low_bits_do_not_tell_two_truths_apart_where_naive_ones_do():
    """A truth without low bits, added to coarse noise, keeps them empty."""
    coarse = np.rint(Seeded(1).stream("x").uniform(N) * 1000) / 8
    naive = [_low_bits(truth + coarse) for truth in (30.0, 30.1)]
    ours = [_low_bits(_on_grid(MECHANISMS[0], truth)) for truth in (30.0, 30.1)]

    def overlap(pair):
        return np.isin(pair[0], pair[1]).mean()

    assert overlap(naive) < 0.05
    assert overlap(ours) > 0.95


def test_zero_has_no_sign():
    reports = GaussianNoise(sd=1, grid=1).disguise(
        np.zeros(10_000), Numeric(0, 1), Cryptographic().stream("x")
    )

    assert not np.signbit(reports[reports == 0]).any()
