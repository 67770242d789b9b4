import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.audit import population_guess
from scumble.mechanisms import GaussianNoise, UniformNoise, Warner

N = 4000


@pytest.fixture(scope="module")
def mixed():
    rng = np.random.default_rng(1)
    ill = rng.random(N) < 0.5
    return pd.DataFrame(
        {
            "age": np.where(ill, rng.normal(75, 5, N), rng.normal(30, 5, N)).clip(0, 100),
            "dose": np.where(ill, rng.normal(80, 5, N), rng.normal(20, 5, N)).clip(0, 100),
            "smoker": np.where(ill ^ (rng.random(N) < 0.05), "yes", "no"),
            "drinker": np.where(ill ^ (rng.random(N) < 0.05), "yes", "no"),
            "town": np.where(rng.random(N) < 0.5, "A", "B"),
            "ill": np.where(ill, "yes", "no"),
        }
    )


def _spec(noise):
    answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.7, group="habits"))
    return Specification(
        {
            "age": Numeric(0, 100, mechanism=noise),
            "dose": Numeric(0, 100, mechanism=UniformNoise(privacy=0.5)),
            "smoker": answer,
            "drinker": answer,
            "town": Categorical(["A", "B"]),
            "ill": Categorical(["no", "yes"], mechanism=Warner(keep=0.7)),
        },
        class_attribute="ill",
    )


def test_any_mix_of_channels_is_attacked_together(mixed):
    spec = _spec(GaussianNoise(privacy=1.0))
    found = population_guess(mixed, disguise(mixed, spec, seed=1), spec, seed=1)
    by_name = {result.attribute: result for result in found}

    assert list(by_name) == ["age", "dose", "smoker", "drinker", "ill", None]
    for name in ("age", "smoker", "drinker", "ill", None):
        assert by_name[name].low > by_name[name].alone + 0.05, name
    assert by_name["age"].error < 0.8 * by_name["age"].error_alone
    assert by_name["smoker"].error is None


def test_less_noise_is_told_from_more(mixed):
    weak, strong = (
        population_guess(mixed, disguise(mixed, spec, seed=1), spec, names=["age"], seed=1)[0]
        for spec in (_spec(GaussianNoise(sd=4)), _spec(GaussianNoise(sd=60)))
    )

    assert weak.low > strong.high


def test_missing_reports_are_guessed_from_nothing_and_left_out(mixed):
    spec = _spec(GaussianNoise(privacy=1.0))
    truths = mixed.assign(age=mixed["age"].where(np.arange(N) % 5 > 0))
    (found,) = population_guess(
        truths, disguise(truths, spec, seed=1), spec, names=["age"], records=N, seed=1
    )

    assert found.records == N * 4 // 5
