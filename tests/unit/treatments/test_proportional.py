import numpy as np
import pytest

from scumble.treatments._proportional import exposure_of_noise, noise_of, step_chances


def _exposure(values, law):
    values = np.asarray(values, dtype=float)
    return exposure_of_noise(values, np.ones(len(values), dtype=bool), law=law, sd=0.276)


@pytest.mark.parametrize("law", ["normal", "discrete"])
def test_a_zero_gets_no_noise_and_is_known(law):
    zeros = _exposure(np.zeros(50), law)
    mixed = _exposure([*np.zeros(51), *range(1, 50)], law)

    assert (zeros.identified, zeros.disclosed) == (pytest.approx(1.0), 50)
    assert mixed.identified > 0.51
    assert 51 <= mixed.disclosed <= 100


@pytest.mark.parametrize("law", ["normal", "discrete"])
def test_a_guess_is_never_worse_than_a_blind_one(law):
    rng = np.random.default_rng(0)
    for values in (np.full(9, 3.0), rng.integers(0, 5, 90), rng.lognormal(3, 1, 90)):
        found = _exposure(values, law)
        assert found.base - 1e-9 <= found.identified <= 1 + 1e-9
        assert 0 <= found.disclosed <= found.records


def test_the_guess_of_discrete_noise_is_that_of_an_intruder_who_tries():
    """Every product looked up by hand."""
    values, counts = [2.0, 3.0, 4.0], [5, 7, 1]
    joint = {}
    for value, count in zip(values, counts, strict=True):
        for step, chance in zip(range(-6, 7), step_chances(), strict=True):
            joint.setdefault(round(value * (10 + step)), []).append(count * chance)

    found = _exposure(np.repeat(values, counts), "discrete")

    assert found.identified == pytest.approx(sum(map(max, joint.values())) / 13)


def test_small_values_beside_a_huge_one_are_told_apart():
    alone = _exposure(np.arange(1, 20), "discrete")
    beside = _exposure([*range(1, 20), 1e12], "discrete")

    assert beside.identified >= alone.identified * 19 / 20


def test_records_without_a_value_are_a_group_that_is_seen():
    values = np.array([np.nan, *np.full(30, 5.0)])

    found = exposure_of_noise(values, np.ones(31, dtype=bool), law="normal", sd=0.276)

    assert found.group == 1
    assert len(noise_of(np.full(3, 0.5), law="normal", sd=0.276)) == 3
