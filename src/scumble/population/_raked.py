"""A population whose attributes are spread otherwise, and hang together as they did."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scumble.population._population import Population

FloatArray = NDArray[np.float64]
_NEVER = 1e-12
# Attributes that hang together a little are made what they are to be one after another.
_ROUNDS = 3


def raked(
    population: Population,
    marginals: Mapping[int, FloatArray],
    *,
    scales: FloatArray | None = None,
) -> Population:
    """Return a population that has other shares of the cells of some attributes.

    How attributes hang together stays as it is: density ratios alone change, by a factor for
    each cell of each attribute.

    Parameters
    ----------
    population : Population
        The joint distribution of truths and class in a table.
    marginals : mapping of int to array
        By the place of an attribute, the shares of its cells among all people; met nearly, where
        attributes hang together.
    scales : array, (classes,), optional
        How much more often people of each class are in the table than others; by default, all
        alike.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.population import Population, raked
    >>> smoker = Categorical(["no", "yes"])
    >>> people = Population({"smoker": smoker}, [smoker], np.array([0.5, 0.5]), np.array([0, 1]),
    ...     [np.array([[0.8, 0.2], [0.4, 0.6]])], 2)
    >>> raked(people, {0: np.array([0.3, 0.7])}).marginal("smoker").round(2).tolist()
    [0.3, 0.7]
    """
    people = raked_people(population, marginals, scales)
    return people if scales is None else _sampled(people, scales)


def raked_people(
    population: Population, marginals: Mapping[int, FloatArray], scales: FloatArray | None = None
) -> Population:
    """Return the same of all people, and not of those who are in the table."""
    if scales is not None:
        population = _sampled(population, 1 / scales)
    weights, shares = population.weights, list(population.shares)
    for _ in range(_ROUNDS if len(marginals) > 1 else len(marginals)):
        for j, wanted in marginals.items():
            scaled = shares[j] * (wanted / np.maximum(weights @ shares[j], _NEVER))
            weights = weights * scaled.sum(axis=1)
            weights /= weights.sum()
            shares[j] = scaled / np.maximum(scaled.sum(axis=1, keepdims=True), 1e-300)
    return replace(population, weights=weights, shares=shares)


def _sampled(population: Population, scales: FloatArray) -> Population:
    """Return a table in which people of each class are so much more often than others."""
    weights = population.weights * scales[population.classes]
    return replace(population, weights=weights / weights.sum())
