import numpy as np
import pytest

from scumble import Numeric
from scumble.mechanisms import GaussianNoise
from scumble.mining.leaves._density import SPREADS, uniform_density
from scumble.schema import Cells

AGE = Numeric(0, 100)
CHANNEL = GaussianNoise(privacy=0.5).channel(AGE, AGE.cells(100))


def _expected_counts(shares, n=100_000):
    return n * shares @ CHANNEL.matrix


def test_it_begins_uniform_whatever_the_widths():
    density = uniform_density(Cells.between([0, 10, 40, 100]))

    assert density.shares == pytest.approx([0.1, 0.3, 0.6])


def test_a_uniform_law_stays_uniform_and_its_spread_shrinks():
    density = uniform_density(AGE.cells(100))

    fitted = density.fitted(_expected_counts(density.shares), CHANNEL.matrix)

    assert fitted.shares == pytest.approx(density.shares, rel=1e-3)
    assert fitted.spread == SPREADS[0]


def test_a_slope_is_found_through_the_noise():
    place = np.linspace(-1, 1, 100)
    shares = np.exp(0.8 * place) / np.exp(0.8 * place).sum()

    fitted = uniform_density(AGE.cells(100)).fitted(_expected_counts(shares), CHANNEL.matrix)

    assert fitted.shares == pytest.approx(shares, rel=0.02)


def test_an_atom_has_a_feature_of_its_own():
    atom = Numeric(0, 100, atoms=[0])
    channel = GaussianNoise(privacy=0.5).channel(atom, atom.cells(100))
    shares = np.append(0.5, np.full(100, 0.005))

    fitted = uniform_density(atom.cells(100)).fitted(1e5 * shares @ channel.matrix, channel.matrix)

    assert fitted.shares[0] == pytest.approx(0.5, abs=0.02)


def test_without_reports_nothing_is_learned():
    density = uniform_density(AGE.cells(100))

    assert density.fitted(np.zeros(CHANNEL.matrix.shape[1]), CHANNEL.matrix) is density


def test_the_more_a_density_bends_the_less_it_is_to_be_expected():
    density = uniform_density(AGE.cells(100))
    place = np.linspace(-0.99, 0.99, 100)
    bends = np.polynomial.legendre.legvander(place, 4)[:, 1:].T

    steps = [np.linalg.lstsq(density.features, bend, rcond=None)[0] for bend in bends]
    penalties = [density.moved(step).penalty for step in steps]

    assert penalties == pytest.approx(penalties[0] * np.array([1, 16, 81, 256]))


def test_a_density_bends_as_much_as_the_reports_ask_for():
    place = (np.arange(100) + 0.5) / 100
    bell = np.exp(-((place - 0.5) ** 2) / (2 * 0.1**2))
    bell /= bell.sum()

    found = uniform_density(AGE.cells(100)).fitted(_expected_counts(bell), CHANNEL.matrix)

    assert bell @ np.log(bell / found.shares) < 0.001
