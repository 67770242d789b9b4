import numpy as np
import pytest

from scumble import Numeric, Specification, disguise
from scumble.audit import bayes_estimate
from scumble.audit._bayes_estimate import linear_estimate
from scumble.mechanisms import GaussianNoise

N, M, SD, NOISE = 20_000, 5, 10.0, 25.0
COVARIANCE = SD**2 * (0.9 * np.ones((M, M)) + 0.1 * np.eye(M))
SPEC = Specification(
    {f"x{j}": Numeric(-50, 150, mechanism=GaussianNoise(sd=NOISE)) for j in range(M)}
)


def _truths():
    rng = np.random.default_rng(1)
    return np.clip(rng.multivariate_normal(np.full(M, 50.0), COVARIANCE, N), -50, 150)


@pytest.mark.parametrize("knows", ["reports", "population"])
def test_the_error_is_that_of_the_closed_form(knows):
    truths = _truths()
    *_, overall = bayes_estimate(truths, disguise(truths, SPEC, seed=1), SPEC, knows=knows, seed=1)

    gain = COVARIANCE @ np.linalg.inv(COVARIANCE + NOISE**2 * np.eye(M))
    expected = np.sqrt(np.trace(COVARIANCE - gain @ COVARIANCE) / M) / 200
    # Of 10,000 records the standard error is 0.7 %, since the values of one move together.
    assert overall.error == pytest.approx(expected, rel=0.035)
    assert overall.error < 0.85 * overall.error_alone
    assert overall.low > overall.alone


def test_alone_each_number_is_pulled_to_the_mean():
    estimate = linear_estimate(
        np.array([[10.0, 0.0]]), mean=np.zeros(2), covariance=np.eye(2), noise=np.array([1.0, 9.0])
    )

    assert estimate.tolist() == [[5.0, 0.0]]


def test_numbers_in_clear_that_depend_on_each_other_are_no_obstacle():
    clear = np.random.default_rng(1).uniform(0, 100, 3000)
    truths = np.column_stack((clear, clear, clear / 2))
    spec = Specification(
        {
            "hidden": Numeric(0, 100, mechanism=GaussianNoise(sd=30)),
            "same": Numeric(0, 100),
            "half": Numeric(0, 100),
        }
    )
    (found,) = bayes_estimate(truths, disguise(truths, spec, seed=1), spec, seed=1)

    assert found.attribute == "hidden"
    assert found.success > 0.99
