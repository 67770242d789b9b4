import json
import math

import numpy as np
import pytest

from scumble import Categorical, Date, Numeric, Text
from scumble.audit import (
    EpsilonAtMost,
    ExposedUnder,
    GuessAtMost,
    IntervalAtLeast,
    choose,
)
from scumble.entropy import Seeded
from scumble.errors import SpecificationError
from scumble.mechanisms import (
    GaussianNoise,
    LaplaceNoise,
    MultiplicativeNoise,
    RandomizedResponse,
    SquareWave,
    UniformNoise,
    UnrelatedQuestion,
    ValueClasses,
    Warner,
)
from scumble.schema import with_mechanism

AGE = Numeric(20, 80)
COLOUR = Categorical(["red", "green", "blue"])


@pytest.mark.parametrize(
    "mechanism",
    [
        GaussianNoise(privacy=0.1),
        GaussianNoise(sd=100),
        UniformNoise(half_width=3),
        LaplaceNoise(epsilon=8),
        LaplaceNoise(scale=1),
        SquareWave(epsilon=5),
        MultiplicativeNoise(sd=0.1),
        ValueClasses(count=30),
        ValueClasses(cuts=[21, 50]),
        None,
    ],
    ids=str,
)
def test_the_least_noise_is_found_that_leaves_an_interval(mechanism):
    found = choose(with_mechanism(AGE, mechanism), IntervalAtLeast(width=20), name="age")

    assert found.met
    # Classes come in whole numbers, noise in any amount.
    most = 30 if isinstance(mechanism, ValueClasses) else 20.3
    assert 20 - 1e-6 <= found.after <= most
    assert found.mechanism.interval_privacy(AGE) == found.after
    assert type(found.mechanism) is (GaussianNoise if mechanism is None else type(mechanism))
    assert found.advice.endswith("to leave an interval of 20 at 95 % confidence.")


def test_the_advice_says_to_what_the_noise_should_be_widened_or_narrowed():
    narrow = with_mechanism(AGE, GaussianNoise(privacy=0.25))
    wide = with_mechanism(AGE, GaussianNoise(privacy=2.0))

    assert choose(narrow, IntervalAtLeast(width=45), name="age").advice == (
        "Widen the noise of age to 75 % of the range to leave an interval of 45 at 95 % confidence."
    )
    assert choose(wide, IntervalAtLeast(width=45), name="age").advice.startswith("Narrow")
    kept = choose(
        with_mechanism(AGE, GaussianNoise(privacy=0.5)), IntervalAtLeast(width=30), name="age"
    )
    assert kept.advice.startswith("Leave age as it is")


@pytest.mark.parametrize(
    "mechanism", [GaussianNoise(sd=3), UniformNoise(half_width=9), ValueClasses(count=4), None]
)
def test_noise_without_a_finite_epsilon_is_replaced(mechanism):
    found = choose(with_mechanism(AGE, mechanism), EpsilonAtMost(epsilon=2), name="age")

    assert found.mechanism == SquareWave(epsilon=2)
    assert found.before == math.inf
    assert "Disguise age by square-wave (epsilon = 2)" in found.advice


def test_laplace_noise_keeps_its_kind():
    found = choose(with_mechanism(AGE, LaplaceNoise(scale=10)), EpsilonAtMost(epsilon=2))

    assert found.mechanism.epsilon_on(AGE) == pytest.approx(2, rel=0.01)
    assert found.after <= 2
    assert isinstance(found.mechanism, LaplaceNoise)


@pytest.mark.parametrize(
    "mechanism",
    [
        None,
        RandomizedResponse(keep=0.9),
        RandomizedResponse(epsilon=3),
        RandomizedResponse(keep=0.1),
        UnrelatedQuestion(keep=0.8),
        UnrelatedQuestion(keep=0.8, group="g"),
        UnrelatedQuestion(keep=0.8, shares=(1, 0, 0)),
    ],
    ids=str,
)
def test_the_most_honest_coin_is_found_for_an_epsilon(mechanism):
    found = choose(with_mechanism(COLOUR, mechanism), EpsilonAtMost(epsilon=1), name="colour")

    assert 0.98 < found.after <= 1 + 1e-9
    assert getattr(found.mechanism, "group", None) is None


def test_a_guess_is_bounded_for_the_report_that_tells_most():
    shares = [0.5, 0.3, 0.2]
    honest = with_mechanism(COLOUR, RandomizedResponse(keep=0.9))

    found = choose(honest, GuessAtMost(probability=0.7), name="colour", shares=shares)

    matrix = found.mechanism.channel(COLOUR).matrix * np.array(shares)[:, None]
    assert 0.695 < (matrix / matrix.sum(axis=0)).max() <= 0.7
    assert "colour" in found.advice


def test_a_guess_that_the_crowd_allows_cannot_be_prevented():
    found = choose(
        Categorical(["no", "yes"], mechanism=Warner(keep=0.7)),
        GuessAtMost(probability=0.6),
        name="ill",
        shares=[0.9, 0.1],
    )

    assert not found.met
    assert found.attribute.sensitivity == "withheld"
    assert found.after == pytest.approx(0.9)
    assert "No noise on ill is enough" in found.advice


def test_the_exposed_share_is_brought_down_and_new_reports_agree():
    truth = np.random.default_rng(1).uniform(20, 80, 50_000)
    age = with_mechanism(AGE, UniformNoise(half_width=15))
    reports = age.mechanism.disguise(truth, age, Seeded(1).stream("x"))
    wish = ExposedUnder(share=0.01, width=6)

    found = choose(age, wish, name="age", reports=reports)

    assert found.met
    assert found.before > 0.02 > 0.01 > found.after > 0.005
    assert "to bring the exposed share (known to less than 6) under 1 %" in found.advice
    # The law for uniform truths: twice w^2 / 2 of the area of truth and noise, w at 95 %.
    law = (6 / 0.95) ** 2 / (60 * 2 * found.mechanism.half_width)
    assert found.after == pytest.approx(law, rel=0.25)


def test_shares_of_a_distribution_do_as_well_as_reports():
    wish = ExposedUnder(share=0.05, width=10)
    age = with_mechanism(AGE, GaussianNoise(privacy=0.1))

    flat = choose(age, wish)
    narrow = choose(age, wish, shares=np.where(np.arange(100) < 20, 0.05, 0.0))

    assert flat.met
    assert narrow.after < 0.05 or not narrow.met


def test_dates_are_chosen_for_in_days():
    born = Date("1940-01-01", "2009-12-31", mechanism=GaussianNoise(sd=30))

    found = choose(born, IntervalAtLeast(width=365), name="born")

    assert found.after == pytest.approx(365, rel=0.01)


def test_a_choice_is_plain_in_json():
    given = json.loads(json.dumps(choose(AGE, EpsilonAtMost(epsilon=1)).to_dict()))

    assert given["before"] == "inf"
    assert given["attribute"]["mechanism"]["name"] == "square-wave"


@pytest.mark.parametrize(
    ("attribute", "wish"),
    [
        (Text(), EpsilonAtMost(epsilon=1)),
        (COLOUR, IntervalAtLeast(width=1)),
        (COLOUR, ExposedUnder(share=0.1, width=1)),
        (AGE, GuessAtMost(probability=0.5)),
    ],
    ids=str,
)
def test_a_wish_that_does_not_suit_is_refused(attribute, wish):
    with pytest.raises(SpecificationError, match="expected"):
        choose(attribute, wish)


def test_reports_and_shares_are_not_given_both():
    with pytest.raises(SpecificationError, match="shares"):
        choose(COLOUR, GuessAtMost(probability=0.5), reports=["red"], shares=[1, 0, 0])
