import math

import numpy as np
import pytest

from scumble import Numeric
from scumble.errors import SpecificationError
from scumble.mechanisms import SquareWave

UNIT = Numeric(0, 1)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_the_half_width_is_the_published_one(epsilon):
    e = math.exp(epsilon)
    published = (epsilon * e - e + 1) / (2 * e * (e - 1 - epsilon))

    assert SquareWave(epsilon=epsilon).half_width_on(UNIT) == pytest.approx(published)


def test_the_half_width_has_its_limit_where_nothing_may_be_told():
    assert SquareWave(epsilon=1e-6).half_width_on(UNIT) == pytest.approx(0.5, abs=1e-4)
    assert SquareWave(epsilon=1.1e-4).half_width_on(UNIT) == pytest.approx(0.5, abs=1e-3)


def test_the_wave_scales_with_the_domain():
    wave = SquareWave(epsilon=1)

    assert wave.half_width_on(Numeric(-50, 50)) == pytest.approx(100 * wave.half_width_on(UNIT))


@pytest.mark.parametrize("confidence", [0.1, 0.5, 0.95])
def test_interval_privacy_is_the_narrowest_interval_of_that_mass(confidence):
    """By brute force: how wide an interval around the truth holds the mass."""
    wave = SquareWave(epsilon=1.5)
    b = wave.half_width_on(UNIT)
    q = 1 / (2 * b * math.exp(1.5) + 1)
    distance = np.linspace(0, 2, 400_001)
    density = np.where(distance <= b, math.exp(1.5) * q, q)
    mass = 2 * np.cumsum(density) * (distance[1] - distance[0])

    expected = 2 * distance[np.searchsorted(mass, confidence)]

    assert wave.interval_privacy(UNIT, confidence=confidence) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("epsilon", [0, -1, math.inf, 800, "x"])
def test_epsilon_is_positive(epsilon):
    with pytest.raises(SpecificationError, match="epsilon"):
        SquareWave(epsilon=epsilon)


def test_an_infinite_domain_is_refused():
    with pytest.raises(SpecificationError, match="finite bounds"):
        Numeric(0, math.inf, mechanism=SquareWave(epsilon=1))
