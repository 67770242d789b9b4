"""Piecewise linear densities.

Statistical checks draw fresh values, n fixed, alpha = 1e-6 each.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from scumble.datasets import PLATEAU, TRIANGLES, PiecewiseLinear, make_plateau, make_triangles
from scumble.errors import SpecificationError

ALPHA = 1e-6
N = 20_000
GAP = PiecewiseLinear((-2.0, -1.0, 0.0, 1.0, 3.0), (1.0, 0.0, 0.0, 2.0, 0.5))
SHAPES = {"plateau": PLATEAU, "triangles": TRIANGLES, "gap": GAP}


def inner_grid(shape: PiecewiseLinear) -> Any:
    """Return points that include the knots, so that trapezoids are exact."""
    return np.union1d(shape.knots, np.linspace(shape.knots[0], shape.knots[-1], 701))


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_the_density_integrates_to_one(shape: PiecewiseLinear) -> None:
    grid = inner_grid(shape)
    assert integrate.trapezoid(shape.pdf(grid), grid) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_the_cdf_is_the_integral_of_the_density(shape: PiecewiseLinear) -> None:
    grid = inner_grid(shape)
    summed = integrate.cumulative_trapezoid(shape.pdf(grid), grid, initial=0)
    np.testing.assert_allclose(shape.cdf(grid), summed, atol=1e-12)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_the_cdf_undoes_the_quantile(shape: PiecewiseLinear) -> None:
    levels = np.concatenate([[0, 1e-300, 1e-15], np.linspace(0, 1, 10_001), [1 - 1e-15]])
    np.testing.assert_allclose(shape.cdf(shape.quantile(levels)), levels, atol=1e-14)


@pytest.mark.parametrize("shape", [PLATEAU, TRIANGLES], ids=["plateau", "triangles"])
def test_the_quantile_undoes_the_cdf_where_there_is_mass(shape: PiecewiseLinear) -> None:
    values = np.linspace(0, 1, 1001)
    # Where the density vanishes the cdf is flat to first order: half the digits go.
    np.testing.assert_allclose(shape.quantile(shape.cdf(values)), values, atol=1e-7)


def test_the_quantile_skips_a_gap_from_its_left_end() -> None:
    assert GAP.quantile(GAP.cdf(-1.0)) == pytest.approx(-1.0, abs=1e-7)
    assert GAP.quantile(GAP.cdf(0.0) + 1e-9) > 0.0


def test_outside_the_knots_there_is_nothing() -> None:
    assert PLATEAU.pdf([-0.1, 1.1]).tolist() == [0, 0]
    assert PLATEAU.cdf([-0.1, 1.1]).tolist() == [0, 1]
    assert PLATEAU.quantile([0, 1]).tolist() == [0, 1]


def test_the_plateau_is_flat_in_the_middle_and_the_triangles_meet_at_zero() -> None:
    assert len(set(PLATEAU.pdf(np.linspace(0.25, 0.75, 11)).tolist())) == 1
    assert TRIANGLES.pdf([0, 0.5, 1]).tolist() == [0, 0, 0]
    assert TRIANGLES.pdf([0.25, 0.75]).tolist() == [2, 2]


@pytest.mark.parametrize(
    ("make", "shape", "other"),
    [(make_plateau, PLATEAU, TRIANGLES), (make_triangles, TRIANGLES, PLATEAU)],
)
def test_draws_follow_their_own_shape_and_not_the_other(
    make: Callable[..., Any], shape: PiecewiseLinear, other: PiecewiseLinear
) -> None:
    # The two cdfs differ by 1/12 at a quarter; at n = 20,000 the critical distance
    # for alpha = 1e-6 is 0.019, so the twin is rejected all but surely.
    values = make(N)
    assert stats.kstest(values, shape.cdf).pvalue > ALPHA
    assert stats.kstest(values, other.cdf).pvalue < ALPHA


def test_a_slightly_wrong_shape_is_rejected() -> None:
    # A plateau from 0.2 to 0.8 lies 0.0208 from ours. At n = 80,000 the critical distance
    # is 0.0095; the difference is six times 0.5 n^-1/2, the most that the standard
    # deviation of the empirical cdf can be.
    wider = PiecewiseLinear((0.0, 0.2, 0.8, 1.0), (0.0, 1.0, 1.0, 0.0))
    assert stats.kstest(make_plateau(4 * N), wider.cdf).pvalue < ALPHA


@pytest.mark.parametrize("make", [make_plateau, make_triangles])
def test_a_seed_repeats_the_draws_and_none_does_not(make: Callable[..., Any]) -> None:
    assert (make(50, seed=3) == make(50, seed=3)).all()
    assert (make(50) != make(50)).any()


@pytest.mark.parametrize(
    ("knots", "heights", "message"),
    [
        ((0.0,), (1.0,), "knots: expected at least two"),
        ((0.0, 0.0), (1.0, 1.0), "knots: expected at least two increasing"),
        ((1.0, 0.0), (1.0, 1.0), "knots: expected at least two increasing"),
        ((0.0, float("inf")), (1.0, 1.0), "knots: expected"),
        ((0.0, 1.0), (1.0,), "heights: expected 2 numbers"),
        ((0.0, 1.0), (1.0, -1.0), "heights: expected 2 numbers that are not negative"),
        ((0.0, 1.0), (0.0, 0.0), "heights: expected at least one above zero"),
    ],
)
def test_bad_shapes_are_refused(
    knots: tuple[float, ...], heights: tuple[float, ...], message: str
) -> None:
    with pytest.raises(SpecificationError, match=message):
        PiecewiseLinear(knots, heights)


@pytest.mark.parametrize("level", [-0.1, 1.1, float("nan")])
def test_a_quantile_outside_of_zero_to_one_is_refused(level: float) -> None:
    with pytest.raises(SpecificationError, match=r"u: expected probabilities in \[0, 1\]"):
        PLATEAU.quantile(level)


def test_a_sample_of_nothing_is_refused() -> None:
    with pytest.raises(SpecificationError, match="n: expected a positive integer"):
        make_plateau(0)
