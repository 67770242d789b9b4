"""Gaussian, uniform and Laplace noise: levels, cells, domains."""

import math

import numpy as np
import pytest
from scipy import stats

from scumble import Numeric
from scumble.entropy import Seeded
from scumble.errors import SpecificationError
from scumble.mechanisms import GaussianNoise, LaplaceNoise, UniformNoise
from scumble.schema import Cells

AGE = Numeric(20, 80)


@pytest.mark.parametrize(
    ("confidence", "gaussian", "uniform"),
    [(0.5, 1.34, 0.5 * 2), (0.95, 3.92, 0.95 * 2), (0.999, 6.8, 0.999 * 2)],
)
def test_table_1_of_agrawal_and_srikant(confidence, gaussian, uniform):
    """The paper cuts 1.349 off to 1.34 and has 6.8 for 6.58; the rest is exact."""
    ours = GaussianNoise(sd=1).interval_privacy(AGE, confidence=confidence)

    assert ours == pytest.approx(2 * stats.norm.ppf((1 + confidence) / 2))
    assert ours == pytest.approx(gaussian, abs=0.23)
    assert UniformNoise(half_width=1).interval_privacy(AGE, confidence=confidence) == pytest.approx(
        uniform
    )


def test_a_privacy_level_of_one_spans_the_range():
    assert GaussianNoise(privacy=1).scale_on(AGE) == pytest.approx(60 / 3.92, rel=1e-4)
    assert UniformNoise(privacy=1).scale_on(AGE) == pytest.approx(60 / (0.95 * 2))
    assert LaplaceNoise(privacy=1).scale_on(AGE) == pytest.approx(60 / (2 * math.log(20)))


@pytest.mark.parametrize(
    ("mechanism", "law"),
    [
        (GaussianNoise(sd=7), stats.norm(scale=7)),
        (UniformNoise(half_width=7), stats.uniform(-7, 14)),
        (LaplaceNoise(scale=7), stats.laplace(scale=7)),
    ],
    ids=lambda case: getattr(case, "name", ""),
)
def test_a_matrix_agrees_with_scipy(mechanism, law):
    truth = Cells.between([20, 30, 80]).with_points([25])
    report = mechanism.report_cells(AGE, AGE.cells())
    edges = np.append(report.lower, report.upper[-1])

    def mean_cdf(low, high):
        at = low + (high - low) * (np.arange(20_000) + 0.5) / 20_000
        return np.array([law.cdf(edge - at).mean() for edge in edges])

    expected = [mean_cdf(20, 30), law.cdf(edges - 25), mean_cdf(30, 80)]
    np.testing.assert_allclose(
        mechanism.matrix(AGE, truth, report), np.diff(expected, axis=1), atol=1e-6
    )


def test_laplace_has_an_epsilon_and_the_others_have_none():
    assert LaplaceNoise(scale=30).epsilon_on(AGE) == 2
    assert GaussianNoise(sd=30).epsilon_on(AGE) == math.inf
    assert UniformNoise(half_width=30).epsilon_on(AGE) == math.inf


def test_uniform_reports_have_a_bounded_domain_and_others_have_not():
    bounded = UniformNoise(half_width=30, grid=0.5).report_domain(AGE)

    assert (bounded.low, bounded.high) == (-10, 110)
    assert GaussianNoise(sd=30).report_domain(AGE).high == math.inf


def test_reports_lie_on_the_declared_grid():
    reports = GaussianNoise(sd=5, grid=0.25).disguise(
        np.full(1000, 33.3), AGE, Seeded(1).stream("age")
    )

    assert (reports * 4 == np.rint(reports * 4)).all()


def test_the_default_grid_is_a_power_of_ten_a_thousandth_of_noise_and_range():
    assert GaussianNoise(privacy=1).grid_on(AGE) == 0.01
    assert GaussianNoise(sd=0.5).grid_on(AGE) == 0.0001
    assert GaussianNoise(sd=1e6).grid_on(AGE) == 0.01


@pytest.mark.parametrize("cls", [GaussianNoise, UniformNoise, LaplaceNoise])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"privacy": 0},
        {"privacy": -1},
        {"privacy": math.inf},
        {"privacy": "much"},
        {"privacy": 1, "confidence": 1},
        {"privacy": 1, "confidence": 0},
        {"privacy": 1, "grid": 0},
    ],
)
def test_bad_parameters_are_refused(cls, options):
    with pytest.raises(SpecificationError):
        cls(**options)


@pytest.mark.parametrize(
    "make",
    [
        lambda: GaussianNoise(privacy=1, sd=1),
        lambda: UniformNoise(privacy=1, half_width=1),
        lambda: LaplaceNoise(scale=1, epsilon=1),
        lambda: GaussianNoise(sd=-1),
        lambda: UniformNoise(half_width=0),
        lambda: LaplaceNoise(epsilon=-1),
    ],
)
def test_two_parameters_for_one_scale_and_negative_noise_are_refused(make):
    with pytest.raises(SpecificationError):
        make()


def test_a_grid_too_fine_for_floats_is_refused_and_never_chosen():
    with pytest.raises(SpecificationError, match="low bits of a report would tell"):
        Numeric(0, 1, mechanism=GaussianNoise(sd=1, grid=1e-17))
    far = Numeric(1e9, 1e9 + 1e-3)
    assert GaussianNoise(privacy=1).grid_on(far) >= 1e9 * 2.0**-40


@pytest.mark.parametrize("mechanism", [GaussianNoise(privacy=1), LaplaceNoise(epsilon=1)])
def test_a_share_of_an_infinite_range_is_refused(mechanism):
    with pytest.raises(SpecificationError, match="finite bounds"):
        Numeric(0, math.inf, mechanism=mechanism)


def test_noise_of_a_given_size_needs_no_bounds():
    unbounded = Numeric(0, math.inf, mechanism=GaussianNoise(sd=2))

    reports = GaussianNoise(sd=2).disguise(np.array([1e9]), unbounded, Seeded(1).stream("x"))

    assert abs(reports[0] - 1e9) < 20
