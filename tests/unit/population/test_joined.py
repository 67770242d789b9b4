import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Specification, disguise
from scumble.mechanisms import Warner
from scumble.population import (
    JoinedReports,
    MixtureFit,
    code_reports,
    draw_again,
    draw_truths,
    em_step,
    fit_population,
    mean_log_likelihood,
    pair_tables,
)
from scumble.population._starts import known_of, start
from scumble.tables import Table

FEW = MixtureFit(components=2, runs=1)


def _spec(**mechanisms):
    return Specification(
        {name: Categorical([False, True], mechanism=own) for name, own in mechanisms.items()},
        class_attribute="class",
    )


CLEAR = _spec(a=None, b=None, **{"class": None})
COIN = Warner(keep=0.65, group="all")
NOISY = _spec(a=COIN, b=COIN, **{"class": COIN})
ALONE = _spec(a=Warner(keep=0.8), b=None, **{"class": Warner(keep=0.9)})


def _part(spec, n, seed):
    rng = np.random.default_rng(seed)
    kind = rng.random(n) < 0.3
    table = pd.DataFrame({"a": kind ^ (rng.random(n) < 0.1), "b": kind ^ (rng.random(n) < 0.3)})
    reports = disguise(table.assign(**{"class": kind}), spec, seed=seed)
    declared = spec["class"]
    matrix = np.eye(2)
    if declared.mechanism is not None:
        matrix = declared.mechanism.channel(declared).matrix
    labels = reports["class"].to_numpy().astype(np.int64)
    own = Table(reports[["a", "b"]])
    return code_reports(own, spec, names=["a", "b"], labels=labels, label_matrix=matrix)


def _joined(n=2000):
    specs = (CLEAR, NOISY, ALONE)
    return JoinedReports(tuple(_part(spec, n, seed) for seed, spec in enumerate(specs)))


def test_a_step_never_lowers_the_likelihood_of_all_parties():
    reports = _joined()
    population = start(reports, FEW, known_of(reports, paired=True), np.random.default_rng(0))

    levels = []
    for _ in range(15):
        levels.append(mean_log_likelihood(population, reports))
        population = em_step(population, reports)

    assert (np.diff(levels) > -1e-6).all()


def test_one_party_twice_is_that_party():
    one = _part(NOISY, 1000, 0)
    twice = JoinedReports((one, one))
    population = start(one, FEW, known_of(one, paired=True), np.random.default_rng(0))

    assert mean_log_likelihood(population, twice) == pytest.approx(
        mean_log_likelihood(population, one)
    )
    assert em_step(population, twice).weights == pytest.approx(em_step(population, one).weights)
    for both, alone in zip(pair_tables(twice), pair_tables(one), strict=True):
        assert both == pytest.approx(alone, abs=1e-3)


def test_a_population_is_fitted_to_all_parties():
    population = fit_population(_joined(), fit=FEW, seed=1)

    assert population.class_shares[1] == pytest.approx(0.3, abs=0.03)
    assert population.marginal("a")[1] == pytest.approx(0.3 * 0.9 + 0.7 * 0.1, abs=0.03)


def test_rows_are_those_of_all_parties_one_after_another():
    reports = _joined(100)

    some = reports.some(np.array([250, 3, 99, 100]))

    assert [len(part) for part in some.parts] == [2, 1, 1]
    assert some.parts[0].codes.tolist() == reports.parts[0].codes[[3, 99]].tolist()
    assert some.parts[2].codes.tolist() == reports.parts[2].codes[[50]].tolist()
    assert len(some) == 4


def test_truths_are_drawn_behind_the_reports_of_each_party():
    reports = _joined(500)
    population = fit_population(reports, fit=FEW, seed=1)

    cells, classes = draw_truths(population, reports, seed=1)

    assert len(cells) == len(classes) == 1500
    # The first party told the truth.
    assert (cells[:500] == reports.parts[0].codes).all()
    assert (classes[:500] == reports.parts[0].labels).all()


def test_draws_again_are_each_of_all_records_in_their_order():
    """Of those who told in clear, every draw has the truth."""
    reports = _joined(500)
    population = fit_population(reports, fit=FEW, seed=1)

    draws = draw_again(population, reports, times=3, seed=1)

    told = reports.parts[0].codes
    for codes, classes in draws:
        assert len(codes) == len(classes) == len(reports)
        np.testing.assert_array_equal(codes[:500], told)
    assert not np.array_equal(draws[0][0], draws[1][0])
    np.testing.assert_array_equal(draw_truths(population, reports, seed=1)[0][:500], told)
