"""Populations drawn as often as they are likely."""

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import trapezoid

from scumble import Categorical, Specification, disguise
from scumble.mechanisms import RandomizedResponse, Warner, grouped
from scumble.population import DrawnFit, Population, code_reports, fit_population
from scumble.population._drawn import gibbs_step
from scumble.tables import Table

YES_NO = Categorical(["no", "yes"])
# Three independent answers that share a coin: one number each, and the coin ties them.
KEEP, SHARES = 0.7, (0.2, 0.35, 0.6)


def _reports(n, *, keep=KEEP, seed=1):
    truths = np.random.default_rng(seed).random((n, len(SHARES))) < SHARES
    names = [f"answer {j}" for j in range(len(SHARES))]
    table = pd.DataFrame(np.where(truths, "yes", "no"), columns=names)
    answer = Categorical(["no", "yes"], mechanism=Warner(keep=KEEP, group="all"))
    reports = disguise(table, Specification(dict.fromkeys(names, answer)), seed=seed)
    told = Categorical(["no", "yes"], mechanism=Warner(keep=keep, group="all"))
    spec = Specification(dict.fromkeys(names, told))
    return code_reports(Table(reports), spec, names=names), reports.to_numpy() == "yes"


def _one(reports):
    """Return a population of one component, and one class."""
    shares = [np.array([[0.5, 0.5]])] * len(SHARES)
    return Population(reports.attributes, reports.cells, np.ones(1), np.zeros(1, int), shares, 1)


def _exact(told, place):
    """Return mean and spread of one of the three shares, given reports: by a sum over a grid."""
    grid = np.linspace(0.01, 0.99, 70)
    a, b, c = np.meshgrid(grid, grid, grid, indexing="ij")
    logs = np.zeros_like(a)
    rows, counts = np.unique(told, axis=0, return_counts=True)
    for row, count in zip(rows, counts, strict=True):
        sides = [np.ones_like(a), np.ones_like(a)]
        for value, share in zip(row, (a, b, c), strict=True):
            sides[0] = sides[0] * (share if value else 1 - share)
            sides[1] = sides[1] * (1 - share if value else share)
        logs += count * np.log(KEEP * sides[0] + (1 - KEEP) * sides[1])
    weights = np.exp(logs - logs.max())
    axes = tuple(axis for axis in range(3) if axis != place)
    density = weights.sum(axis=axes)
    mean = trapezoid(density * grid) / trapezoid(density)
    return mean, np.sqrt(trapezoid(density * (grid - mean) ** 2) / trapezoid(density))


def _drawn(reports, count=600):
    """Return the three shares of so many populations, twenty steps apart."""
    rng, flat = np.random.default_rng(3), [np.ones(2)] * len(SHARES)
    population, found = _one(reports), []
    for step in range(20 * (count + 3)):
        population = gibbs_step(population, reports, flat, rng)
        if step % 20 == 19:
            found.append([share[0, 1] for share in population.shares])
    return np.array(found[3:])


def test_they_are_spread_as_what_is_known_of_them():
    """Six hundred draws, hardly correlated: five standard errors, an error in a million runs."""
    reports, told = _reports(150)
    shares = _drawn(reports)

    for place in range(len(SHARES)):
        mean, spread = _exact(told, place)
        assert abs(shares[:, place].mean() - mean) < 5 * spread / np.sqrt(len(shares) / 2)
        assert shares[:, place].std() == pytest.approx(spread, rel=0.25)


def test_a_wrong_coin_is_seen():
    """The twin: who thinks that more is told truly has other shares."""
    reports, told = _reports(150, keep=0.9)
    shares = _drawn(reports, count=100)

    off = [abs(shares[:, place].mean() - _exact(told, place)[0]) for place in range(len(SHARES))]
    assert max(off) > 0.05


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_what_hangs_together_is_learned_behind_shared_coins(missing):
    """Latent kinds of people; the class shares a coin with half of the answers."""
    rng = np.random.default_rng(5)
    kind = rng.random(6_000) < 0.4
    chance = np.where(kind[:, None], [0.9, 0.8, 0.7, 0.2, 0.9], [0.2, 0.1, 0.3, 0.8, 0.1])
    names = ["a", "b", "c", "d", "class"]
    truths = pd.DataFrame(rng.random(chance.shape) < chance, columns=names)
    clear = Specification(dict.fromkeys(names, Categorical([False, True])), class_attribute="class")
    spec = grouped(clear, groups=2, keep=0.7, class_in="group", seed=2)
    reports = disguise(truths, spec, seed=4)
    labels = reports.pop("class").to_numpy().astype(bool).astype(np.int64)
    reports = reports.astype(object).where(rng.random(reports.shape) >= missing, None)
    matrix = Warner(keep=0.7).channel(Categorical([False, True])).matrix
    coded = code_reports(Table(reports), spec, names=names[:-1], labels=labels, label_matrix=matrix)
    assert coded.class_factor is not None

    population = fit_population(coded, fit=DrawnFit(components=6), seed=1)

    codes = truths[names[:-1]].to_numpy().astype(np.uint16) + 1
    right = population.class_probabilities(codes).argmax(axis=1) == truths["class"]
    # Who knew all that there is to know would be right on .84 of these people.
    assert right.mean() > 0.8


def test_a_seed_makes_it_repeatable():
    reports, _ = _reports(300)
    fit = DrawnFit(components=3, draws=2)

    one, same, other = (fit_population(reports, fit=fit, seed=seed) for seed in (1, 1, 2))

    assert all(np.array_equal(a, b) for a, b in zip(one.shares, same.shares, strict=True))
    assert not np.array_equal(one.weights, other.weights)


def test_coins_below_a_half_and_values_that_few_have():
    """What is left of a channel without the truth may not fall below nothing by rounding."""
    colour = Categorical(["red", "green", "blue", "white"])
    names = ["flag", "colour", "class"]
    rng = np.random.default_rng(2)
    people = pd.DataFrame(
        {
            "flag": rng.random(3_000) < 0.3,
            "colour": rng.choice(colour.values, 3_000, p=[0.59, 0.3, 0.1, 0.01]),
            "class": rng.random(3_000) < 0.4,
        }
    )
    coin = Warner(keep=0.34, group="all")
    spec = Specification(
        {
            "flag": Categorical([False, True], mechanism=coin),
            "colour": Categorical(colour.values, mechanism=RandomizedResponse(keep=0.5)),
            "class": Categorical([False, True], mechanism=coin),
        },
        class_attribute="class",
    )
    reports = disguise(people, spec, seed=1)
    labels = reports["class"].to_numpy().astype(np.int64)
    coded = code_reports(
        Table(reports),
        spec,
        names=names[:-1],
        labels=labels,
        label_matrix=coin.channel(Categorical([False, True])).matrix,
    )

    population = fit_population(coded, fit=DrawnFit(components=4), seed=1)

    found = population.marginal("colour")
    assert found == pytest.approx([0.59, 0.3, 0.1, 0.01], abs=0.07)
    assert found.min() > 1e-4
