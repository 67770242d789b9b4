import numpy as np
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.audit import spectral_filter
from scumble.audit._spectral import kept_directions
from scumble.errors import SpecificationError
from scumble.mechanisms import GaussianNoise, SquareWave, UniformNoise

N, M = 4000, 10


def _correlated(correlation, columns=M, rows=N):
    rng = np.random.default_rng(1)
    common, own = rng.normal(size=(rows, 1)), rng.normal(size=(rows, columns))
    mixed = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own
    return np.clip(50 + 15 * mixed, 0, 100)


def _spec(mechanism, columns=M):
    return Specification({f"x{j}": Numeric(0, 100, mechanism=mechanism) for j in range(columns)})


@pytest.mark.parametrize("mechanism", [GaussianNoise(privacy=1.0), UniformNoise(privacy=1.0)])
@pytest.mark.parametrize("rule", ["gain", "gap"])
def test_strongly_correlated_attributes_are_recovered_better_than_alone(mechanism, rule):
    truths, spec = _correlated(0.95), _spec(mechanism)
    found = spectral_filter(truths, disguise(truths, spec, seed=1), spec, rule=rule, seed=1)

    assert [result.attribute for result in found] == [*spec, None]
    assert found[-1].low > found[-1].alone
    assert found[-1].error < 0.85 * found[-1].error_alone


def test_each_attribute_gains_from_the_others():
    truths, spec = _correlated(0.95), _spec(GaussianNoise(privacy=1.0))
    found = spectral_filter(truths, disguise(truths, spec, seed=1), spec, seed=1)

    for result in found:
        assert result.low > result.alone + 0.05
        assert result.error < 0.8 * result.error_alone


def test_without_correlation_there_is_nothing_to_gain():
    truths, spec = _correlated(0.0), _spec(GaussianNoise(privacy=1.0))
    *_, overall = spectral_filter(truths, disguise(truths, spec, seed=1), spec, seed=1)

    assert overall.success < overall.alone + 0.01


def test_directions_of_noise_alone_are_not_kept():
    noise = np.random.default_rng(1).normal(size=(2000, 8))

    # The largest eigenvalue is above the bound at times, by little.
    assert kept_directions(noise, rule="bound").shape[1] <= 1
    assert kept_directions(noise, rule="gain").shape[1] == 0
    truths = np.random.default_rng(2).normal(size=(2000, 2)) @ np.full((2, 8), 3.0)
    assert kept_directions(noise + truths, rule="bound").shape[1] == 1


def test_attributes_may_differ_in_range_and_noise():
    truths = _correlated(0.98, 6) * [1, 10, 100, 1, 10, 100]
    spec = Specification(
        {
            f"x{j}": Numeric(0, 100 * scale, mechanism=GaussianNoise(privacy=privacy))
            for j, (scale, privacy) in enumerate(
                zip([1, 10, 100] * 2, [0.5, 1, 1, 0.5, 1, 1], strict=True)
            )
        }
    )
    *_, overall = spectral_filter(truths, disguise(truths, spec, seed=1), spec, seed=1)

    assert overall.low > overall.alone


def test_missing_reports_do_not_stop_it():
    truths, spec = _correlated(0.95), _spec(GaussianNoise(privacy=1.0))
    truths[::7, 0] = np.nan
    first, *_, overall = spectral_filter(truths, disguise(truths, spec, seed=1), spec, seed=1)

    assert first.records == N - len(truths[::7])
    assert overall.low > overall.alone


def test_other_attributes_are_left_alone():
    spec = Specification(
        {
            "a": Numeric(0, 100, mechanism=GaussianNoise(sd=10)),
            "b": Numeric(0, 100, mechanism=SquareWave(epsilon=1)),
            "c": Categorical([0, 1]),
            "d": Numeric(0, 100),
        }
    )
    truths = np.zeros((100, 4))
    with pytest.raises(SpecificationError, match="two numbers under additive noise"):
        spectral_filter(truths, disguise(truths, spec, seed=1), spec)


def test_an_unknown_rule_is_refused():
    with pytest.raises(SpecificationError, match="did you mean 'bound'"):
        spectral_filter(np.zeros((2, 2)), np.zeros((2, 2)), _spec(None, 2), rule="bounds")


def test_too_few_records_are_refused():
    spec = _spec(GaussianNoise(sd=10), 3)
    truths = np.zeros((3, 3))
    with pytest.raises(SpecificationError, match="more than 3 records"):
        spectral_filter(truths, disguise(truths, spec, seed=1), spec)
