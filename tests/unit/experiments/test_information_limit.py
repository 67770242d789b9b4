import numpy as np
import pytest

from scumble.errors import SpecificationError
from scumble.experiments import (
    information_limit,
    information_limits,
    most_likely_accuracy,
)


def _limit(function=1, **asked):
    asked = {"noise": "gaussian", "privacy": 1.0, **asked}
    return 100 * information_limit(function, **asked).limit


def test_the_limits_of_function_1_are_those_that_were_found_otherwise():
    # Computed before, by somebody else, for 100 and 200 % and both noises.
    assert _limit() == pytest.approx(99.5, abs=0.15)
    assert _limit(privacy=2.0) == pytest.approx(98.6, abs=0.25)
    assert _limit(noise="uniform") == pytest.approx(99.8, abs=0.1)
    assert _limit(noise="uniform", privacy=2.0) == pytest.approx(99.8, abs=0.15)


def test_the_loss_falls_with_the_root_of_the_number_of_records():
    few, many = (100 - _limit(n=n) for n in (5_000, 50_000))

    assert few / many == pytest.approx(np.sqrt(10), rel=0.1)


@pytest.mark.parametrize("noise", ["gaussian", "uniform"])
def test_maximum_likelihood_attains_the_limit(noise):
    n = 10_000
    attained = [
        100 * most_likely_accuracy(1, noise=noise, privacy=1.0, seed=seed, n=n) for seed in range(6)
    ]
    error = np.std(attained, ddof=1) / np.sqrt(len(attained))

    assert np.mean(attained) == pytest.approx(_limit(noise=noise, n=n), abs=max(4 * error, 0.1))


def test_the_same_seed_gives_the_same_limit():
    asked = {"noise": "uniform", "privacy": 0.5, "seed": 3}

    assert information_limit(1, **asked) == information_limit(1, **asked)


@pytest.mark.parametrize("wrong", [{"function": 6}, {"noise": "laplace"}, {"privacy": 0.0}])
def test_what_has_no_limit_is_refused(wrong):
    asked = {"function": 1, "noise": "uniform", "privacy": 1.0, **wrong}

    with pytest.raises(SpecificationError, match="expected"):
        information_limit(asked.pop("function"), **asked)


def test_a_grid_shows_nothing_unless_asked(capsys):
    rows = information_limits(functions=[1], noises=["uniform"], privacies=[0.5, 1.0])
    assert [row.privacy for row in rows] == [0.5, 1.0]
    assert capsys.readouterr() == ("", "")

    information_limits(functions=[1], noises=["uniform"], privacies=[1.0], progress=True)
    assert "1/1" in capsys.readouterr().err
