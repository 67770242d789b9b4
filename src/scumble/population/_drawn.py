"""Populations drawn as often as they are likely: the steps of Gibbs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scumble.population._joined import Reports
from scumble.population._mirror import image_chances, images, turned
from scumble.population._population import Population, averaged
from scumble.population._records import counted_once_drawn
from scumble.population._starts import RECORDS_PER_COMPONENT, Known, known_of, tilted

FloatArray = NDArray[np.float64]
# Steps before the first population is taken, and from one to the next.
_BEFORE, _BETWEEN = 200, 20
# What is known of a component before it has any records: so many, spread like all, and half a one
# in each cell. And of the components: so many records, spread evenly.
_LIKE_ALL, _IN_EACH, _EVEN = 2.0, 0.5, 2.0
_LEAST = 1e-12


@dataclass(frozen=True, kw_only=True)
class DrawnFit:
    """How populations are drawn: latent classes, as often as they are likely.

    Of few records behind much noise many populations are nearly as likely, and which is the
    likeliest is chance. So some are drawn and averaged. Each component has a share of every
    class, within which the attributes are spread the same. Meant for categories of not too
    many values.

    Attributes
    ----------
    components : int
        The components at the most; fewer of few records.
    draws : int
        How many populations are averaged.

    Notes
    -----
    A step draws the component and the truths behind each report, given the population, and
    then a population given these, from the distributions of Dirichlet that they lead to
    (Diebolt and Robert 1994). It begins where nothing is said of the class, as it is slow to
    leave what it begins with; no step leads to a mirror image, so these are compared.
    """

    components: int = 20
    draws: int = 4


def drawn_population(reports: Reports, fit: DrawnFit, rng: np.random.Generator) -> Population:
    """Return the average of populations that are drawn as often as they are likely.

    Parameters
    ----------
    reports : CodedReports or JoinedReports
        The reports.
    fit : DrawnFit
        How many components and draws.
    rng : Generator
        What draws.
    """
    known = known_of(reports, paired=False)
    prior = [_LIKE_ALL * own + _IN_EACH for own in known.marginals]
    population = _start(reports, fit, known, rng)
    for _ in range(_BEFORE):
        population = gibbs_step(population, reports, prior, rng)
    found = []
    for image in images(turned(population, reports), reports, rng):
        draws = []
        for _ in range(fit.draws):
            for _ in range(_BETWEEN):
                image = gibbs_step(image, reports, prior, rng)
            draws.append(image)
        found.append(averaged(draws))
    return averaged(found, image_chances(found, reports, rng))


def gibbs_step(
    population: Population,
    reports: Reports,
    prior: Sequence[FloatArray],
    rng: np.random.Generator,
) -> Population:
    """Return a population drawn given the truths that are drawn behind the reports.

    Parameters
    ----------
    population : Population
        Where the step starts: latent classes, for each a component of every class in turn.
    reports : CodedReports or JoinedReports
        The reports.
    prior : sequence of array
        For each attribute, how many records of each cell a latent class has before any.
    rng : Generator
        What draws.
    """
    shares, classes = population.all_shares, population.class_count
    sums = np.full(len(population), _EVEN / len(population))
    behind: list[FloatArray] = [np.zeros_like(own) for own in population.shares]
    for part in reports.parts:
        own_sums, counts = counted_once_drawn(population, part, rng)
        sums += own_sums
        for factor, offset in zip(part.factors, part.offsets, strict=True):
            drawn = factor.drawn(shares, counts[offset : offset + factor.size], rng)
            for attribute, truths in zip(factor.attributes, drawn, strict=True):
                if attribute < len(behind):  # else it is the class: a component has one
                    behind[attribute] += truths
    together = [own.reshape(-1, classes, own.shape[1]).sum(axis=1) for own in behind]
    weights = rng.standard_gamma(sums)
    return replace(
        population,
        weights=weights / weights.sum(),
        shares=[
            np.repeat(_dirichlet(own + before, rng), classes, axis=0)
            for own, before in zip(together, prior, strict=True)
        ],
    )


def _dirichlet(counts: FloatArray, rng: np.random.Generator) -> FloatArray:
    drawn = np.maximum(rng.standard_gamma(counts), _LEAST)
    return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))


def _start(
    reports: Reports,
    fit: DrawnFit,
    known: Known,
    rng: np.random.Generator,
) -> Population:
    """Return components that are what all are, tilted a little, and of every class alike."""
    count = min(fit.components, max(1, len(reports) // RECORDS_PER_COMPONENT))
    classes, alike = known.classes, [np.tile(own, (count, 1)) for own in known.marginals]
    shares = [np.repeat(tilted(own, rng, paired=True), len(classes), axis=0) for own in alike]
    weights = np.tile(classes / classes.sum(), count) / count
    own = np.tile(np.arange(len(classes)), count)
    return Population(reports.attributes, reports.cells, weights, own, shares, len(classes))
