import numpy as np
import pytest

from scumble.reconstruction._roughness import CauchyPrior, GaussianPrior, differences, polynomials

GRID = np.array([True] * 8 + [False])  # eight cells and an atom


@pytest.mark.parametrize("order", [1, 2, 3])
def test_differences_do_not_see_polynomials_below_their_order(order):
    diff, square, eigenvalues = differences(20, order)

    np.testing.assert_allclose(diff @ polynomials(20, order), 0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.eigvalsh(square), eigenvalues, atol=1e-9)
    assert (eigenvalues[order:] > 0).all()


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_gaussian_prior_is_normalised(order):
    prior = GaussianPrior.smooth(GRID, order=order, weight=7.0, ridge=0.01)

    assert prior.log_norm == pytest.approx(np.linalg.slogdet(prior.precision)[1] / 2)


def test_a_flat_prior_is_normalised():
    prior = GaussianPrior.flat(5, ridge=0.01)

    assert prior.log_norm == pytest.approx(np.linalg.slogdet(prior.precision)[1] / 2)


@pytest.mark.parametrize(
    "prior",
    [
        GaussianPrior.smooth(GRID, order=2, weight=3.0, ridge=0.01),
        CauchyPrior(GRID, order=1, scale=0.3),
        CauchyPrior(GRID, order=2, scale=0.1),
    ],
)
def test_the_curvature_times_the_coefficients_is_the_slope(prior):
    at = np.random.default_rng(0).normal(size=9)

    slope = -prior.curvature(at) @ at

    for place in range(9):
        step = np.zeros(9)
        step[place] = 1e-6
        numeric = (prior.log_density(at + step) - prior.log_density(at - step)) / 2e-6
        assert slope[place] == pytest.approx(numeric, rel=1e-5, abs=1e-6)


def test_a_jump_costs_a_cauchy_prior_less_than_a_gaussian_one():
    jump = np.array([0.0] * 4 + [3.0] * 4 + [0.0])
    ramp = np.append(np.linspace(0, 3, 8), 0.0)
    gaussian = GaussianPrior.smooth(GRID, order=1, weight=10.0, ridge=0.01)
    cauchy = CauchyPrior(GRID, order=1, scale=0.1)

    assert gaussian.log_density(jump) < gaussian.log_density(ramp)
    assert cauchy.log_density(jump) > cauchy.log_density(ramp)
