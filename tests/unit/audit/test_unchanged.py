import numpy as np
import pytest

from scumble import Numeric
from scumble.audit._unchanged import unchanged_share
from scumble.entropy import Seeded
from scumble.mechanisms import (
    GaussianNoise,
    Identity,
    SquareWave,
    UniformNoise,
    ValueClasses,
    Withheld,
)

AGE = Numeric(17, 90, step=1)


def _of(domain, mechanism):
    channel = mechanism.channel(domain)
    size = len(channel.truth)
    return unchanged_share(domain, mechanism, channel, np.full(size, 1 / size))


@pytest.mark.parametrize(
    "mechanism",
    [GaussianNoise(sd=3, grid=1), UniformNoise(half_width=7, grid=0.5),
     ValueClasses(cuts=[20, 30, 50]), SquareWave(epsilon=3, grid=1), GaussianNoise(sd=5, grid=5)],
    ids=str,
)  # fmt: skip
def test_as_many_reports_are_the_truth_as_stated(mechanism):
    """A z of 5 would be wrong in one run of a million."""
    truth = np.repeat(np.arange(17.0, 91), 3000)
    reports = mechanism.disguise(truth, AGE, Seeded(5).stream("x"))

    stated = _of(AGE, mechanism)

    error = np.sqrt(stated * (1 - stated) / len(truth))
    assert abs((reports == truth).mean() - stated) <= 5 * error


def test_a_number_between_others_never_equals_its_report():
    assert _of(Numeric(0, 1), GaussianNoise(sd=1)) == 0


def test_all_is_unchanged_in_clear_and_nothing_where_it_is_withheld():
    assert _of(AGE, Identity()) == 1
    assert _of(AGE, Withheld()) == 0
