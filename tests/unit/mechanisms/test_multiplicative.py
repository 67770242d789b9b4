import numpy as np
import pytest
from scipy import stats

from scumble import Numeric
from scumble.entropy import Seeded
from scumble.errors import SpecificationError
from scumble.mechanisms import MultiplicativeNoise
from scumble.schema import Cells

SALARY = Numeric(20_000, 150_000)


def test_small_and_large_values_are_disguised_in_proportion():
    noise = MultiplicativeNoise(privacy=1.0)

    small, large = (
        noise.disguise(np.full(10_000, truth), SALARY, Seeded(1).stream("x")) / truth
        for truth in (20_000.0, 150_000.0)
    )

    np.testing.assert_allclose(small, large, rtol=1e-3)


def test_privacy_is_a_share_of_the_truth():
    noise = MultiplicativeNoise(privacy=0.5, confidence=0.9)

    assert noise.interval_privacy(SALARY, confidence=0.9) == pytest.approx(0.5 * 20_000)


def test_zero_stays_zero_and_the_matrix_says_so():
    noise = MultiplicativeNoise(sd=0.5)
    domain = Numeric(0, 100)

    reports = noise.disguise(np.zeros(10), domain, Seeded(1).stream("x"))
    row = noise.matrix(domain, Cells.points([0.0]), noise.report_cells(domain, domain.cells()))

    assert reports.tolist() == [0] * 10
    assert row[0, 0] == 1
    assert noise.interval_privacy(domain) == 0


def test_a_matrix_agrees_with_scipy():
    noise = MultiplicativeNoise(sd=0.4)
    report = noise.report_cells(SALARY, SALARY.cells())
    edges = np.append(report.lower, report.upper[-1])
    at = 30_000 + 10_000 * (np.arange(20_000) + 0.5) / 20_000
    expected = [stats.lognorm(0.4, scale=at).cdf(edge).mean() for edge in edges]

    row = noise.matrix(SALARY, Cells.between([30_000, 40_000]), report)[0]

    np.testing.assert_allclose(row, np.diff(expected), atol=1e-7)


@pytest.mark.parametrize(("low", "high"), [(-1, 1), (0, float("inf"))])
def test_negative_and_infinite_values_are_refused(low, high):
    with pytest.raises(SpecificationError, match="finite domain without negative values"):
        Numeric(low, high, mechanism=MultiplicativeNoise(sd=1))


@pytest.mark.parametrize(
    "options", [{}, {"sd": 1, "privacy": 1}, {"sd": 0}, {"privacy": -1}, {"sd": 300}]
)
def test_bad_parameters_are_refused(options):
    with pytest.raises(SpecificationError):
        MultiplicativeNoise(**options)
