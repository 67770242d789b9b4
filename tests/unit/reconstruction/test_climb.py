import numpy as np
import pytest
from scipy import stats

from scumble import Numeric
from scumble.mechanisms import GaussianNoise
from scumble.reconstruction._climb import Climb, Problem
from scumble.reconstruction._roughness import CauchyPrior, GaussianPrior

UNIT = Numeric(0, 1)


def _problem(cells=10, n=5000, log_widths=None):
    channel = GaussianNoise(sd=0.2).channel(UNIT, UNIT.cells(cells))
    truth = np.random.default_rng(0).dirichlet(np.full(cells, 5.0))
    counts = np.random.default_rng(1).multinomial(n, truth @ channel.matrix).astype(float)
    widths = np.zeros(cells) if log_widths is None else log_widths
    return Problem(counts, channel.matrix, widths)


def test_the_slope_is_that_of_the_log_likelihood():
    problem, at = _problem(), np.random.default_rng(2).normal(size=10)

    def height(log_density):
        return problem.log_likelihood(problem.shares(log_density) @ problem.rows)

    shares = problem.shares(at)
    slope = problem.slope(shares, shares @ problem.rows)

    for place in range(10):
        step = np.zeros(10)
        step[place] = 1e-5
        numeric = (height(at + step) - height(at - step)) / 2e-5
        assert slope[place] == pytest.approx(numeric, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("kind", ["gaussian", "cauchy"])
def test_a_climb_ends_at_a_top(kind):
    problem, grid = _problem(), np.ones(10, dtype=bool)
    prior = (
        GaussianPrior.smooth(grid, order=2, weight=10.0, ridge=0.01)
        if kind == "gaussian"
        else CauchyPrior(grid, order=1, scale=0.1)
    )

    member = Climb(problem, prior).member(np.zeros(10), family=kind, roughness=0.5)
    top = problem.log_likelihood(member.shares @ problem.rows) + prior.log_density(
        member.log_density
    )

    generator = np.random.default_rng(3)
    for size in (0.3, 0.03):
        for _ in range(50):
            other = member.log_density + size * generator.normal(size=10)
            height = problem.log_likelihood(problem.shares(other) @ problem.rows)
            assert height + prior.log_density(other) < top + 0.01


def test_the_evidence_is_the_integral_over_the_prior():
    """Two cells: the likelihood depends on the difference, which is normal a priori."""
    problem = _problem(cells=2, n=300)
    prior = GaussianPrior.flat(2, ridge=0.01)
    member = Climb(problem, prior).member(np.zeros(2), family="free", roughness=0.0)
    top = problem.log_likelihood(member.shares @ problem.rows)

    apart = np.linspace(-50, 50, 20_001)
    heights = [
        problem.log_likelihood(problem.shares(np.array([x, 0.0])) @ problem.rows) for x in apart
    ]
    density = np.exp(np.array(heights) - top) * stats.norm.pdf(apart, scale=np.sqrt(200))
    integral = density.sum() * (apart[1] - apart[0])

    assert member.evidence - top == pytest.approx(np.log(integral), abs=0.1)


def test_what_is_smooth_is_the_density_and_not_the_share():
    """Cells of unequal width: a flat log density is a uniform law."""
    widths = np.linspace(1, 3, 10)
    problem = _problem(log_widths=np.log(widths))

    np.testing.assert_allclose(problem.shares(np.zeros(10)), widths / widths.sum())


def test_steps_run_out_but_a_fit_is_still_given():
    problem = _problem()
    problem.steps_taken = 10**6
    prior = GaussianPrior.flat(10, ridge=0.01)

    member = Climb(problem, prior).member(np.zeros(10), family="x", roughness=0.0)

    assert member.steps <= 3
    assert member.shares.sum() == pytest.approx(1)
