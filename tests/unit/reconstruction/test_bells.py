"""Mixtures of bells among the fits of the default."""

import numpy as np
import pytest
from scipy import stats

from scumble import Numeric
from scumble.mechanisms import GaussianNoise
from scumble.reconstruction._bells import BellClimb, bell_members, mixture
from scumble.reconstruction._climb import Problem
from scumble.reconstruction._roughness import GaussianPrior

UNIT = Numeric(0, 1)
EDGES = np.linspace(0, 1, 61)
GRID = np.ones(60, dtype=bool)


def _cells_of(*bells):
    """Return the shares of 60 cells under bells of weight, middle and sd, cut to the domain."""
    parts = []
    for weight, middle, sd in bells:
        mass = np.diff(stats.norm(middle, sd).cdf(EDGES))
        parts.append(weight * mass / mass.sum())
    return np.sum(parts, axis=0)


def _problem(truth, n=100_000):
    matrix = GaussianNoise(privacy=0.5).channel(UNIT, UNIT.cells(60)).matrix
    return Problem(n * (truth @ matrix), matrix, np.zeros(60))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_log_density_moves_with_the_coefficients_as_it_says(count):
    at = np.random.default_rng(count).normal(size=3 * count)

    log_density, basis = mixture(at, 60)

    assert np.exp(log_density).mean() == pytest.approx(1)
    for place, step in enumerate(1e-6 * np.eye(3 * count)):
        numeric = (mixture(at + step, 60)[0] - mixture(at - step, 60)[0]) / 2e-6
        np.testing.assert_allclose(basis[:, place], numeric, atol=1e-6)


def test_a_bell_narrower_than_a_cell_has_its_mass_in_the_cells_around_it():
    narrow = np.array([0.0, (np.log(0.001) - np.log(0.2)) / 0.9, 0.0])

    shares = np.exp(mixture(narrow, 60)[0]) / 60

    assert shares[29:31].sum() > 0.95


@pytest.mark.parametrize(
    "truth",
    [
        _cells_of((1, 0.0, 0.15)),
        _cells_of((0.4, 0.25, 0.06), (0.6, 0.7, 0.1)),
        _cells_of((0.3, 0.4, 0.06), (0.7, 0.5, 0.4)),
        _cells_of((0.3, 0.15, 0.05), (0.4, 0.5, 0.06), (0.3, 0.85, 0.04)),
    ],
    ids=["half a bell", "two bells", "a bell on a wide one", "three bells"],
)
def test_bells_are_found_from_a_rough_guess(truth):
    guess = (truth + 1 / 60) / 2

    members = list(bell_members(_problem(truth), GRID, guess))
    best = max(members, key=lambda member: member.evidence)

    assert np.abs(np.cumsum(best.shares - truth)).max() < 3e-3
    assert best.settled


def test_no_further_bell_is_tried_after_one_too_many():
    one, two = bell_members(
        _problem(_cells_of((1, 0.5, 0.06)), n=10_000_000), GRID, np.full(60, 1 / 60)
    )

    assert one.evidence > two.evidence


def test_an_atom_has_a_share_of_its_own():
    """A third of the truths are exactly 0.5, the others a bell around it."""
    domain = Numeric(0, 1, atoms=[0.5])
    cells = domain.cells(60)
    matrix = GaussianNoise(privacy=0.3).channel(domain, cells).matrix
    middles = (cells.lower + cells.upper) / 2
    truth = np.where(cells.is_point, 0.0, stats.norm(0.5, 0.15).pdf(middles))
    truth = np.where(cells.is_point, 1 / 3, truth / truth.sum() * 2 / 3)
    problem = Problem(100_000 * (truth @ matrix), matrix, np.zeros(len(cells)))

    one, *_ = bell_members(problem, ~cells.is_point, np.full(len(cells), 1 / len(cells)))

    assert one.shares[cells.is_point] == pytest.approx(1 / 3, abs=0.01)
    assert np.abs(np.cumsum(one.shares - truth)).max() < 0.01


def test_a_climb_to_bells_ends_at_a_top():
    problem = _problem(_cells_of((0.4, 0.25, 0.06), (0.6, 0.7, 0.1)), n=5_000)
    prior = GaussianPrior.flat(6, ridge=1.0)
    climb = BellClimb(problem, prior, grid=GRID)
    start = np.array([-1.0, 1.0, 0.0, 0.0, 0.0, 0.0])

    member = climb.member(start, family="bells", roughness=0.0)

    def height(at):
        shares = problem.shares(mixture(at, 60)[0])
        return problem.log_likelihood(shares @ problem.rows) + prior.log_density(at)

    generator = np.random.default_rng(3)
    for size in (0.1, 0.01):
        for move in size * generator.normal(size=(30, 6)):
            assert height(member.coefficients + move) < height(member.coefficients) + 0.01
