import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest

from scumble import Categorical, Date, Numeric, Specification, disguise
from scumble.audit import best_guess
from scumble.audit._best_guess import _likeliest, posterior
from scumble.errors import SpecificationError
from scumble.mechanisms import (
    GaussianNoise,
    MultiplicativeNoise,
    RandomizedResponse,
    SquareWave,
    UniformNoise,
    UnrelatedQuestion,
    ValueClasses,
    Warner,
)

N = 4000


def _attacked(attribute, truths, **given):
    spec = Specification({"x": attribute})
    truths = pd.DataFrame({"x": truths})
    (found,) = best_guess(truths, disguise(truths, spec, seed=1), spec, seed=1, **given)
    return found


@pytest.mark.parametrize(
    "mechanism",
    [
        GaussianNoise(privacy=1.0),
        UniformNoise(privacy=0.5),
        MultiplicativeNoise(privacy=0.5),
        SquareWave(epsilon=2.0),
        ValueClasses(cuts=[25, 40, 60]),
    ],
    ids=lambda mechanism: mechanism.name,
)
@pytest.mark.parametrize("knows", ["reports", "population"])
def test_every_disguise_of_numbers_can_be_attacked(mechanism, knows):
    truths = 10 + 90 * np.random.default_rng(1).beta(2, 4, N)
    found = _attacked(Numeric(10, 100, mechanism=mechanism), truths, knows=knows)

    assert found.records == N
    assert found.success > found.base > 0.1
    assert "within 5 % of the range" in found.explanation


@pytest.mark.parametrize(
    "mechanism",
    [RandomizedResponse(epsilon=2.0), UnrelatedQuestion(keep=0.6)],
    ids=lambda m: m.name,
)
def test_every_disguise_of_categories_can_be_attacked(mechanism):
    truths = np.random.default_rng(1).choice(list("abcd"), N, p=[0.4, 0.3, 0.2, 0.1])
    found = _attacked(Categorical(list("abcd"), mechanism=mechanism), truths)

    assert found.beats_base
    assert found.base == pytest.approx(0.4, abs=0.03)


def test_dates_are_numbers_of_days():
    first = datetime.date(2000, 1, 1)
    days = np.random.default_rng(1).integers(0, 3650, 1000)
    truths = [first + datetime.timedelta(days=int(day)) for day in days]
    attribute = Date("2000-01-01", "2009-12-31", mechanism=GaussianNoise(sd=100))

    assert _attacked(attribute, truths).success > 0.8


def test_guesses_are_those_of_the_matrix_written_out():
    rng = np.random.default_rng(1)
    for kept in (0.5, -0.2):
        prior = rng.dirichlet(np.ones(6))
        other = np.full(6, (1 - kept) / 6)
        matrix = kept * np.eye(6) + other
        codes = np.arange(6)

        expected = (prior[:, None] * matrix).argmax(axis=0)
        assert _likeliest(prior, kept, other, codes).tolist() == expected.tolist()


def test_a_million_categories_need_no_matrix():
    values = list(range(200_000))
    truths = np.random.default_rng(1).integers(0, 200_000, 2000)
    attribute = Categorical(values, mechanism=RandomizedResponse(keep=0.9))

    assert _attacked(attribute, truths, knows="population").success == pytest.approx(0.9, abs=0.05)


def test_a_report_that_the_prior_holds_impossible_tells_nothing():
    channel = UniformNoise(half_width=1).channel(Numeric(0, 10))
    prior = np.zeros(100)
    prior[0] = 1.0
    last = len(channel.report) - 1

    assert posterior(prior, channel, np.array([last])).tolist() == [prior.tolist()]


def test_missing_values_are_left_out():
    truths = np.where(np.arange(1000) % 4 == 0, np.nan, 50.0)
    found = _attacked(Numeric(0, 100, mechanism=GaussianNoise(sd=5)), truths, knows="population")

    assert found.records == 750
    assert found.success == found.base == 1


def test_less_noise_is_told_from_more():
    truths = np.random.default_rng(1).uniform(0, 100, N)
    weak, strong = (
        _attacked(Numeric(0, 100, mechanism=GaussianNoise(sd=sd)), truths) for sd in (10, 30)
    )

    assert weak.low > strong.high


def test_who_knows_the_population_guesses_no_worse():
    rng = np.random.default_rng(1)
    truths = rng.choice([10.0, 50.0, 90.0], N)
    attribute = Numeric(0, 100, mechanism=GaussianNoise(sd=20))
    miner, insider = (_attacked(attribute, truths, knows=k) for k in ("reports", "population"))

    assert insider.success > miner.success
    assert "what all reports together tell" in miner.explanation
    assert "how the truths are spread" in insider.explanation


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_any_table_can_be_attacked(library):
    spec = Specification(
        {
            "smoker": Categorical(["no", "yes"], mechanism=Warner(keep=0.8)),
            "town": Categorical(["A", "B"]),
        },
        class_attribute="town",
    )
    truths = library.DataFrame({"smoker": ["no", "yes"] * 50, "town": ["A", "B"] * 50})
    found = best_guess(truths, disguise(truths, spec, seed=1), spec, knows="population", seed=1)

    assert [result.attribute for result in found] == ["smoker"]


def test_a_sample_of_the_records_is_attacked():
    found = _attacked(
        Categorical([0, 1], mechanism=Warner(keep=0.8)), np.arange(N) % 2, records=100
    )

    assert found.records == 100


def test_a_table_in_clear_is_not_attacked():
    spec = Specification({"x": Numeric(0, 1)})
    with pytest.raises(SpecificationError, match="nothing to attack"):
        best_guess(np.zeros((3, 1)), np.zeros((3, 1)), spec)
