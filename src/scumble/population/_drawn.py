"""Populations drawn as often as they are likely: the steps of Gibbs."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scumble.population._joined import Reports
from scumble.population._population import Population
from scumble.population._records import counted_once_drawn

FloatArray = NDArray[np.float64]
# Steps from one population that is taken to the next.
_BETWEEN = 20
# So many records, spread like all, are each component's before it has any; and so many, spread
# evenly, those of all components.
_LIKE_ALL, _EVEN = 2.0, 2.0


def drawn_populations(
    population: Population,
    reports: Reports,
    *,
    count: int,
    shared: bool,
    marginals: Sequence[FloatArray],
    rng: np.random.Generator,
    before: int = 0,
) -> list[Population]:
    """Return populations drawn as often as they are likely, given the reports.

    Parameters
    ----------
    population : Population
        Where the steps start.
    reports : CodedReports or JoinedReports
        The reports.
    count : int
        How many populations.
    shared : bool
        Whether components are the same for all classes: one for each class, in turn.
    marginals : sequence of array
        For each attribute, the shares of its cells among all.
    rng : Generator
        What draws.
    before : int
        So many steps are made before.

    Notes
    -----
    A step draws the component and the truths behind each report, given the population, and
    then a population given these, from the distributions of Dirichlet that they lead to
    (Diebolt and Robert 1994). What is drawn stays near where it starts as long as that is far
    likelier than what lies between it and the rest: mirror images are to be compared elsewhere.
    """
    found = []
    for step in range(before + count * _BETWEEN):
        population = _stepped(population, reports, shared, marginals, rng)
        if step >= before and (step - before) % _BETWEEN == _BETWEEN - 1:
            found.append(population)
    return found


def _stepped(
    population: Population,
    reports: Reports,
    shared: bool,
    marginals: Sequence[FloatArray],
    rng: np.random.Generator,
) -> Population:
    shares, classes = population.all_shares, population.class_count
    sums = np.full(len(population), _EVEN / len(population))
    full = [np.tile(_LIKE_ALL * own, (len(population), 1)) for own in marginals]
    full = [own / classes for own in full] if shared else full
    for part in reports.parts:
        own_sums, counts = counted_once_drawn(population, part, rng)
        sums += own_sums
        for factor, offset in zip(part.factors, part.offsets, strict=True):
            behind = factor.drawn(shares, counts[offset : offset + factor.size], rng)
            for attribute, truths in zip(factor.attributes, behind, strict=True):
                if attribute < len(full):  # else it is the class: a component has one
                    full[attribute] += truths
    weights = rng.standard_gamma(sums)
    return replace(
        population,
        weights=weights / weights.sum(),
        shares=[_drawn_shares(own, classes if shared else 1, rng) for own in full],
    )


def _drawn_shares(full: FloatArray, together: int, rng: np.random.Generator) -> FloatArray:
    """Draw the shares of each component from Dirichlet, so many components alike."""
    joined = full.reshape(-1, together, full.shape[1]).sum(axis=1)
    drawn = np.maximum(rng.standard_gamma(joined), 1e-300)
    return np.repeat(drawn / drawn.sum(axis=1, keepdims=True), together, axis=0)
