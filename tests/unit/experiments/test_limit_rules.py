"""The rules with open constants: the functions of the generator, and their posteriors."""

import numpy as np
import pytest

from scumble.datasets import make_quest
from scumble.experiments._limit_diagonal import EquityRule, IncomeRule
from scumble.experiments._limit_inference import Evidence, information_at, quest_columns
from scumble.experiments._limit_reports import Reported, Unreported
from scumble.experiments._limit_rules import box_rule
from scumble.mechanisms import GaussianNoise, UniformNoise

RULES = {1: box_rule(1), 2: box_rule(2), 3: box_rule(3), 4: IncomeRule(), 5: EquityRule()}


def _evidence(function, *, noise="gaussian", n=4000, privacy=1.0, related=True):
    return Evidence.drawn(
        RULES[function], function, noise=noise, privacy=privacy, n=n, seed=1, related=related
    )


@pytest.mark.parametrize("function", RULES)
def test_with_the_true_constants_a_rule_is_the_function(function):
    columns, in_a = quest_columns(RULES[function], function, n=5000, seed=1)

    assert (RULES[function].in_a(columns, RULES[function].constants) == in_a).all()


@pytest.mark.parametrize("function", RULES)
def test_the_prior_is_the_share_that_the_generator_draws(function):
    _, y = make_quest(function, n=200_000, seed=2, balanced=False)

    assert RULES[function].prior(RULES[function].constants) == pytest.approx(
        np.mean(y == "A"), abs=0.005
    )


@pytest.mark.parametrize("noise", ["gaussian", "uniform"])
@pytest.mark.parametrize("function", RULES)
def test_the_share_is_the_probability_of_the_class_given_the_reports(function, noise):
    evidence, rule = _evidence(function, noise=noise, n=4000), RULES[function]
    share, prior = rule.share(evidence.seen, rule.constants), rule.prior(rule.constants)
    odds = share * (1 - prior) / (share * (1 - prior) + (1 - share) * prior)
    bins = np.minimum((odds * 5).astype(int), 4)

    for found in np.unique(bins):
        chosen = bins == found
        error = np.sqrt(0.25 / chosen.sum())
        assert odds[chosen].mean() == pytest.approx(evidence.in_a[chosen].mean(), abs=4.5 * error)


@pytest.mark.parametrize("function", RULES)
def test_scores_have_a_mean_of_nothing_and_information_is_positive(function):
    evidence, rule = _evidence(function, n=1000), RULES[function]
    found, steps = information_at(evidence, rule.constants, records=100_000)
    scores = evidence.scores(rule.constants, steps)

    assert (np.linalg.eigvalsh(found * np.outer(rule.ranges, rule.ranges)) > 0).all()
    error = scores.std(axis=1) / np.sqrt(scores.shape[1])
    assert (np.abs(scores.mean(axis=1)) < 4.5 * error).all()


@pytest.mark.parametrize(("noise", "more"), [("gaussian", 1.0), ("uniform", 1.5)])
def test_edges_tell_the_more_the_finer_one_can_look(noise, more):
    evidence = _evidence(1, noise=noise, n=100_000)
    coarse, fine = (
        information_at(evidence, RULES[1].constants, records=records)[0][0, 0]
        for records in (1_000, 100_000)
    )

    assert fine / coarse == pytest.approx(more, rel=0.2)


def test_a_report_that_the_rule_makes_impossible_tells_nothing():
    # Neither 49 nor 51 is in group A, and with so little noise nothing else is possible.
    seen = {"age": Reported(np.array([[50.0], [39.5]]), UniformNoise(half_width=1.0), 1.0)}
    evidence = Evidence(RULES[1], seen, np.array([True, True]))
    scores = evidence.scores(RULES[1].constants, np.array([0.1, 0.1]))

    assert (scores[:, 0] == 0).all()
    assert scores[0, 1] > 0


def test_attributes_that_depend_on_those_of_the_rule_tell_more():
    with_commission, without = (
        information_at(_evidence(2, related=related), RULES[2].constants, records=100_000)[0]
        for related in (True, False)
    )

    errors = [np.diagonal(np.linalg.inv(found)) for found in (with_commission, without)]
    assert (errors[0] < errors[1]).all()


def test_the_likelihood_of_an_interval_is_the_sum_of_its_points():
    seen = Reported(np.array([[1.0], [4.0]]), GaussianNoise(privacy=1.0), 2.0)
    points = np.linspace(0, 3, 3001)

    summed = np.trapezoid(seen.at(points[None, :]), points, axis=1)
    assert seen.between(0.0, 3.0)[:, 0] == pytest.approx(summed, rel=1e-6)


def test_without_reports_intervals_count_by_their_width_and_never_negatively():
    assert Unreported().between(1.0, 4.0).item() == 3
    assert Unreported().between(4.0, 1.0).item() == 0
