"""A population whose class hangs on boxes of truths alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scumble.population._boxes import Box
from scumble.population._population import Population
from scumble.population._raked import raked_people

FloatArray = NDArray[np.float64]
# A class is never quite sure, and parts of components of so few people of a box are left out.
_UNSURE, _FEW = 1e-5, 1e-4
_NEVER = 1e-12


def ruled(
    population: Population,
    boxes: Sequence[Box],
    chances: FloatArray,
    *,
    scales: FloatArray | None = None,
    marginals: Mapping[int, FloatArray] | None = None,
) -> Population:
    """Return what a population is if its class hangs on boxes of truths alone.

    Parameters
    ----------
    population : Population
        The joint distribution of truths and class in a table, roughly.
    boxes : sequence of mapping of int to array
        Boxes that part all truths: by the place of an attribute, how much of each of its cells
        lies inside, from 0 to 1.
    chances : array, (boxes, classes)
        P(class | box) among all people.
    scales : array, (classes,), optional
        How much more often people of each class are in the table than others; by default, all
        alike.
    marginals : mapping of int to array, optional
        By the place of an attribute, the shares of its cells among all people, where these are
        known better than by the population; met nearly, where attributes hang together.

    Returns
    -------
    Population
        The table. A component of it is the part of one of the population's that lies in a box,
        with a class; the classes have the shares that they had, nearly.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.population import Population, ruled
    >>> smoker = Categorical(["no", "yes"])
    >>> anyone = Population({"smoker": smoker}, [smoker], np.array([0.5, 0.5]), np.array([0, 1]),
    ...     [np.array([[0.5, 0.5], [0.5, 0.5]])], 2)
    >>> boxes = [{0: np.array([1, 0])}, {0: np.array([0, 1])}]
    >>> found = ruled(anyone, boxes, np.array([[0.8, 0.2], [0.2, 0.8]]))
    >>> found.class_probabilities(np.array([[1], [2]])).round(2).tolist()
    [[0.8, 0.2], [0.2, 0.8]]

    Notes
    -----
    The share of truths x of class c in the table is proportional to s_c q_c(box of x) p(x), where
    p is a mixture of products, the population without its classes, and s_c how much more often
    people of class c are in the table. As p knows nothing of the class, this population foretells
    classes as well as another only if the boxes tell all. Steps of EM from here would bend p
    until a wrong rule does as well.
    """
    chances = np.maximum(chances, _UNSURE)
    chances = chances / chances.sum(axis=1, keepdims=True)
    people = raked_people(population, marginals or {}, scales)
    masks = _masks(population, boxes)
    inside = np.tile(people.weights, (len(boxes), 1))
    for j, mask in masks.items():
        inside *= mask @ people.shares[j].T
    drawn = population.class_shares / np.maximum(inside.sum(axis=1) @ chances, _NEVER)
    table = inside * (chances @ drawn)[:, None]
    box, component = np.nonzero(table > _FEW * table.sum(axis=1, keepdims=True))
    shares = [own[component] for own in people.shares]
    for j, mask in masks.items():
        shares[j] = _normalised(shares[j] * mask[box])
    classes = population.class_count
    weights = (inside[box, component][:, None] * (chances * drawn)[box]).ravel()
    return replace(
        population,
        weights=weights / weights.sum(),
        classes=np.tile(np.arange(classes), len(box)),
        shares=[np.repeat(own, classes, axis=0) for own in shares],
    )


def _masks(population: Population, boxes: Sequence[Box]) -> dict[int, FloatArray]:
    """Return, by the place of an attribute, how much of each cell lies in each box."""
    tested = sorted({j for box in boxes for j in box})
    whole = {j: np.ones(population.shares[j].shape[1]) for j in tested}
    return {j: np.array([box.get(j, whole[j]) for box in boxes]) for j in tested}


def _normalised(shares: FloatArray) -> FloatArray:
    return np.asarray(shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-300))
