"""Mirror images: truths all reversed, told by the opposite coin, make the same reports."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scumble.population._coin import Coin
from scumble.population._joined import Reports
from scumble.population._population import Population
from scumble.population._records import mean_log_likelihood

FloatArray = NDArray[np.float64]
# An image that is the right one in this part of the samples in which the likeliest is, or in fewer,
# is given up; and no more are followed than so many.
_LEAST = 0.01
_MOST = 8
_SAMPLES = 200


def turned(population: Population, reports: Reports) -> Population:
    """Return the likelier of a population and of its mirror images.

    A group of answers is all true or all reversed. So truths all reversed, told by the
    opposite coin, make the same reports: a population of them is wrong, but no steps lead
    away from it.

    Parameters
    ----------
    population : Population
        The population.
    reports : CodedReports or JoinedReports
        What it is fitted to.
    """
    level = mean_log_likelihood(population, reports)
    for coin in _coins(reports):
        mirrored = _mirrored(population, coin)
        found = mean_log_likelihood(mirrored, reports)
        if found > level:
            population, level = mirrored, found
    return population


def images(population: Population, reports: Reports, rng: np.random.Generator) -> list[Population]:
    """Return a population and those mirror images that the reports do not rule out.

    Parameters
    ----------
    population : Population
        The likeliest of them.
    reports : CodedReports or JoinedReports
        What it is fitted to.
    rng : Generator
        What draws samples of the records.
    """
    found = [population]
    for coin in _coins(reports):
        found += [_mirrored(own, coin) for own in found]
        chances = image_chances(found, reports, rng)
        likeliest = np.argsort(-chances, kind="stable")[:_MOST]
        found = [found[place] for place in likeliest if chances[place] >= _LEAST * chances.max()]
    return found


def image_chances(
    populations: Sequence[Population], reports: Reports, rng: np.random.Generator
) -> FloatArray:
    """Return how probable it is that each of some populations is the right one.

    Parameters
    ----------
    populations : sequence of Population
        Mirror images of each other, or what was fitted from these.
    reports : CodedReports or JoinedReports
        What they are fitted to.
    rng : Generator
        What draws samples of the records.

    Notes
    -----
    The likelihood alone is too sure: it takes the model for true, though that is but near the
    truth and fitted to the same records. So its verdict is averaged over samples of
    the records (the Bayesian bootstrap); what a few of them decide counts for little then.
    """
    if len(populations) == 1:
        return np.ones(1)
    logs = np.array([own.report_log_likelihoods(reports) for own in populations])
    chances = np.zeros(len(populations))
    for _ in range(_SAMPLES):
        weights = rng.exponential(size=len(reports))
        levels = logs @ (weights / weights.mean())
        odds = np.exp(levels - levels.max())
        chances += odds / odds.sum() / _SAMPLES
    return chances


def _coins(reports: Reports) -> list[Coin]:
    """Return the coins whose lies are the opposite of the truth, one for each group."""
    factors = (factor for part in reports.parts for factor in part.factors)
    coins = (factor for factor in factors if isinstance(factor, Coin) and factor.mirrors)
    return list({coin.attributes: coin for coin in coins}.values())


def _mirrored(population: Population, coin: Coin) -> Population:
    """Return a population with the truths of one group reversed."""
    shares = [
        share[:, ::-1] if place in coin.attributes else share
        for place, share in enumerate(population.shares)
    ]
    classes = population.classes
    if len(shares) in coin.attributes:
        classes = 1 - classes
    return replace(population, shares=shares, classes=classes)
