"""Randomized response in its forms: k values, Warner, unrelated question, shared coin."""

import math

import numpy as np
import pyarrow as pa
import pytest

from scumble import Categorical, Specification, disguise, reconstruct
from scumble.entropy import Seeded
from scumble.errors import SpecificationError
from scumble.mechanisms import (
    Identity,
    RandomizedResponse,
    SharedCoin,
    UnrelatedQuestion,
    Warner,
    Withheld,
    joint_channel,
)
from scumble.schema import Product
from scumble.testing._goodness import agrees

ANSWER = Categorical(["no", "yes"])
COLOUR = Categorical(["red", "green", "blue"])


def _matrix(mechanism, domain):
    return mechanism.channel(domain).matrix


def test_randomized_response_spreads_the_rest_evenly():
    np.testing.assert_allclose(
        _matrix(RandomizedResponse(keep=0.6), COLOUR),
        [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]],
    )


def test_for_two_values_randomized_response_is_warner():
    np.testing.assert_allclose(
        _matrix(RandomizedResponse(keep=0.7), ANSWER), _matrix(Warner(keep=0.7), ANSWER)
    )


def test_an_unrelated_fair_question_is_warner_at_the_mean_of_keep_and_one():
    np.testing.assert_allclose(
        _matrix(UnrelatedQuestion(keep=0.5), ANSWER), _matrix(Warner(keep=0.75), ANSWER)
    )


@pytest.mark.parametrize("keep", [0.0, 1.0])
def test_certain_coins_keep_or_turn_every_answer(keep):
    truth = np.array([0, 1, -1], dtype=np.int32)

    for mechanism in (Warner(keep=keep), RandomizedResponse(keep=keep), SharedCoin(keep=keep)):
        reports = mechanism.disguise(truth, Product([ANSWER]), Seeded(1).stream("x"))

        assert reports.tolist() == ([0, 1, -1] if keep else [1, 0, -1])
        assert mechanism.epsilon_on(ANSWER) == math.inf


def test_other_values_are_never_the_truth_and_reach_the_last_one():
    truth = np.repeat(np.arange(3, dtype=np.int32), 1000)

    reports = RandomizedResponse(keep=0).disguise(truth, COLOUR, Seeded(1).stream("x"))

    assert not (reports == truth).any()
    assert set(reports[truth == 0]) == {1, 2}
    assert set(reports[truth == 2]) == {0, 1}


@pytest.mark.parametrize("cls", [Warner, SharedCoin])
def test_a_fair_coin_is_refused(cls):
    with pytest.raises(SpecificationError, match="a fair coin tells nothing"):
        cls(keep=0.5)


def test_warner_points_to_the_model_that_works_with_a_fair_coin():
    with pytest.raises(SpecificationError, match="'unrelated-question', which works with any"):
        Warner(keep=0.5)
    assert UnrelatedQuestion(keep=0.5).epsilon_on(ANSWER) == pytest.approx(math.log(3))


def test_a_keep_that_makes_all_reports_alike_is_refused():
    with pytest.raises(SpecificationError, match="1/3 makes every report equally likely"):
        Categorical(COLOUR.values, mechanism=RandomizedResponse(keep=1 / 3))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Warner(keep=1.2),
        lambda: Warner(keep=-0.1),
        lambda: Warner(keep="often"),
        lambda: RandomizedResponse(),
        lambda: RandomizedResponse(keep=0.5, epsilon=1),
        lambda: RandomizedResponse(epsilon=0),
        lambda: UnrelatedQuestion(keep=0),
        lambda: UnrelatedQuestion(keep=0.5, shares=[0.5, 0.6]),
        lambda: UnrelatedQuestion(keep=0.5, shares=[-0.5, 1.5]),
        lambda: Categorical(["a", "b"], mechanism=UnrelatedQuestion(keep=0.5, shares=[0.2] * 5)),
        lambda: Categorical(["a", "b", "c"], mechanism=Warner(keep=0.8)),
        lambda: SharedCoin(keep=0.8).check(COLOUR),
        lambda: Categorical(list("abcd"), mechanism=SharedCoin(keep=0.8)),
        lambda: UnrelatedQuestion(keep=0.5, shares=5),
    ],
)
def test_bad_parameters_are_refused(make):
    with pytest.raises(SpecificationError):
        make()


def test_a_harmless_answer_that_never_occurs_leaves_no_finite_epsilon():
    assert UnrelatedQuestion(keep=0.5, shares=[1, 0]).epsilon_on(ANSWER) == math.inf


def test_one_coin_for_three_answers_turns_all_or_none():
    three = Product([ANSWER] * 3)
    matrix = _matrix(SharedCoin(keep=0.8), three)

    assert matrix[1].round(6).tolist() == [0, 0.8, 0, 0, 0, 0, 0.2, 0]
    assert SharedCoin(keep=0.8).epsilon_on(three) == math.inf
    assert SharedCoin(keep=0.8).epsilon_on(Product([ANSWER])) == pytest.approx(math.log(4))


def test_the_joint_channel_of_groups_is_the_kronecker_product_of_their_own():
    """Equation 6 of the multi-group paper, against reports: error rate 1e-6."""

    def answer(keep, group):
        return Categorical(["no", "yes"], mechanism=Warner(keep=keep, group=group))

    spec = Specification(
        {"a": answer(0.7, "one"), "b": answer(0.7, "one"), "c": answer(0.6, "two")}
    )
    truth = pa.table({"a": ["yes"] * 50_000, "b": ["no"] * 50_000, "c": ["yes"] * 50_000})
    reports = disguise(truth, spec)
    codes = Product([spec[name] for name in spec]).conform([reports[name] for name in spec])

    both = np.kron(*(joint_channel(spec, group=group).matrix for group in ("one", "two")))

    assert agrees(np.bincount(codes, minlength=8), both[0b101], alpha=1e-6)
    assert not agrees(np.bincount(codes, minlength=8), both[0b100], alpha=1e-6)


def test_the_joint_distribution_of_a_group_is_reconstructed():
    """Five standard errors at n = 100,000."""
    answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.8, group="g"))
    spec = Specification({"a": answer, "b": answer})
    generator = np.random.default_rng(0)
    truth = pa.table(
        {
            "a": generator.choice(["no", "yes"], 100_000, p=[0.7, 0.3]),
            "b": generator.choice(["no", "yes"], 100_000, p=[0.4, 0.6]),
        }
    )
    reports = disguise(truth, spec)

    both = Product([answer, answer])
    found = reconstruct([reports["a"], reports["b"]], SharedCoin(keep=0.8), domain=both)

    np.testing.assert_allclose(found.shares, [0.28, 0.42, 0.12, 0.18], atol=0.015)


def test_a_group_of_unrelated_questions_keeps_all_or_answers_all_harmlessly():
    one = Categorical(["a", "b"], mechanism=UnrelatedQuestion(keep=0.5, group="g"))
    other = Categorical(
        ["x", "y", "z"],
        mechanism=UnrelatedQuestion(keep=0.5, shares=[0.2, 0.3, 0.5], group="g"),
    )
    matrix = joint_channel(Specification({"one": one, "other": other}), group="g").matrix

    np.testing.assert_allclose(matrix[0], [0.55, 0.075, 0.125, 0.05, 0.075, 0.125])


def test_an_unknown_group_is_refused():
    spec = Specification({"a": Categorical(["n", "y"], mechanism=Warner(keep=0.8, group="g"))})

    with pytest.raises(SpecificationError, match=r"expected one of \['g'\]"):
        joint_channel(spec, group="h")


def test_a_million_categories_are_disguised_without_a_matrix():
    domain = Categorical(range(1_000_000))
    truth = np.arange(1_000_000, dtype=np.int32)

    reports = RandomizedResponse(epsilon=14).disguise(truth, domain, Seeded(1).stream("x"))

    assert reports.min() >= 0
    assert reports.max() < 1_000_000
    with pytest.raises(SpecificationError, match="would not fit in memory"):
        RandomizedResponse(epsilon=14).channel(domain).matrix  # noqa: B018


def test_categories_have_no_interval_privacy():
    for mechanism in (Warner(keep=0.8), Identity(), Withheld(), SharedCoin(keep=0.8)):
        assert mechanism.interval_privacy(ANSWER) is None
