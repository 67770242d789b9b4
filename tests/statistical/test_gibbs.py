"""Are populations drawn as often as they are likely? Geweke's test of the joint distribution."""

import numpy as np
import pytest

from scumble import Categorical
from scumble.mechanisms import RandomizedResponse, Warner
from scumble.population import CodedReports, Coin, Population, Single
from scumble.population._drawn import gibbs_step

FLAG, COLOUR = Categorical(["no", "yes"]), Categorical(["red", "green", "blue"])
KEEP, RECORDS, LATENT, CLASSES = 0.7, 12, 2, 2
WARNER = Warner(keep=KEEP).channel(FLAG)
RANDOMIZED = RandomizedResponse(keep=0.6).channel(COLOUR)
COIN = Coin([0, 2], KEEP, [WARNER.matrix, WARNER.matrix])
PRIOR = [np.array([0.8, 1.2]), np.array([0.5, 0.6, 1.0])]
MISSING = np.random.default_rng(0).random((RECORDS, 2)) < 0.25


def _population(rng):
    """Draw a population from what is known before any report."""
    weights = rng.dirichlet(np.full(LATENT * CLASSES, 2 / (LATENT * CLASSES)))
    shares = [np.repeat(rng.dirichlet(own, LATENT), CLASSES, axis=0) for own in PRIOR]
    classes = np.tile(np.arange(CLASSES), LATENT)
    attributes = {"flag": FLAG, "colour": COLOUR}
    return Population(attributes, [FLAG, COLOUR], weights, classes, shares, CLASSES)


def _reports(population, rng, keep=KEEP):
    """Draw reports of people of a population; the class shares the coin of the flag."""
    behind = rng.choice(len(population), RECORDS, p=population.weights)
    flags = (rng.random(RECORDS) < population.shares[0][behind, 1]).astype(int)
    told = rng.random(RECORDS) < keep
    classes = population.classes[behind]
    flags, classes = np.where(told, flags, 1 - flags), np.where(told, classes, 1 - classes)
    colours = (rng.random((RECORDS, 1)) > population.shares[1][behind].cumsum(axis=1)).sum(axis=1)
    chances = RANDOMIZED.matrix[np.minimum(colours, 2)].cumsum(axis=1)
    colours = (rng.random((RECORDS, 1)) * chances[:, -1:] > chances).sum(axis=1)
    pairs = np.column_stack((np.where(MISSING[:, 0], 0, flags + 1), classes + 1))
    codes = [int(np.flatnonzero((COIN.reports == pair).all(axis=1))[0]) for pair in pairs]
    table = np.column_stack((codes, np.where(MISSING[:, 1], 0, colours + 1))).astype(np.uint16)
    none, own = np.full(RECORDS, -1), population
    return CodedReports(
        own.attributes, own.cells, [COIN, Single(1, RANDOMIZED)], table, none, np.eye(CLASSES)
    )


def _told(population):
    weights = population.weights.reshape(LATENT, CLASSES)
    flags, colours = (share[::CLASSES] for share in population.shares)
    return [
        (weights**2).sum(),
        weights[:, 1].sum() ** 2,
        flags[0, 0] ** 2,
        colours[0, 0] ** 2,
        colours[1, 2] ** 2,
        population.marginal("flag")[0] ** 2,
        weights[0, 0] * flags[0, 0],
    ]


def _furthest(keep, runs=250, steps=40):
    """Return by how many standard errors populations are off after steps and reports in turn.

    If steps are right, populations that are drawn given reports, and reports given populations,
    again and again, stay spread as before any.
    """
    rng = np.random.default_rng(1)
    before = np.array([_told(_population(rng)) for _ in range(20_000)])
    means = []
    for _ in range(runs):
        population, found = _population(rng), []
        for _ in range(steps):
            population = gibbs_step(population, _reports(population, rng, keep), PRIOR, rng)
            found.append(_told(population))
        means.append(np.mean(found, axis=0))
    after = np.array(means)
    error = np.sqrt(after.var(axis=0) / runs + before.var(axis=0) / len(before))
    return float(np.abs((after.mean(axis=0) - before.mean(axis=0)) / error).max())


@pytest.mark.parametrize(("keep", "right"), [(KEEP, True), (0.9, False)])
def test_populations_and_reports_drawn_in_turn_stay_as_they_were(keep, right):
    """Seven numbers within 5.3 standard errors: alpha 1e-6; reports by another coin are caught."""
    assert (_furthest(keep) < 5.3) == right
