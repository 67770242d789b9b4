"""Mirror images: truths all reversed, told by the opposite coin, make the same reports."""

from dataclasses import replace

from scumble.population._factors import Coin
from scumble.population._joined import Reports
from scumble.population._population import Population
from scumble.population._records import mean_log_likelihood


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
    for factor in (factor for part in reports.parts for factor in part.factors):
        if isinstance(factor, Coin) and factor.mirrors:
            mirrored = _mirrored(population, factor)
            found = mean_log_likelihood(mirrored, reports)
            if found > level:
                population, level = mirrored, found
    return population


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
