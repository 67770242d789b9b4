"""A population whose class hangs on boxes of truths alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scumble.population._boxes import Box
from scumble.population._fit import LIKE_ALL, truths_behind
from scumble.population._population import Population
from scumble.population._records import counted
from scumble.population._reports import CodedReports

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
# A class is never quite sure, and parts of components of so few people are left out.
_UNSURE, _FEW = 1e-3, 1e-4
_NEVER = 1e-6


def ruled(
    population: Population,
    boxes: Sequence[Box],
    chances: FloatArray,
    reports: CodedReports,
    *,
    steps: int = 8,
) -> Population:
    """Return what a population is if its class hangs on boxes of truths alone.

    Parameters
    ----------
    population : Population
        The joint distribution of truths, roughly. Of the classes of its components only their
        shares in the table are used.
    boxes : sequence of mapping of int to array
        Boxes that part all truths: by the place of an attribute, how much of each of its cells
        lies inside, from 0 to 1.
    chances : array, (boxes, classes)
        P(class | box) among all people.
    reports : CodedReports
        What it is fitted to further.
    steps : int
        How many steps of EM that takes.

    Returns
    -------
    Population
        A component of it is the part of one of the population's that lies in a box, with a class.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Categorical, Specification
    >>> from scumble.mechanisms import Warner
    >>> from scumble.population import Population, code_reports, ruled
    >>> from scumble.tables import Table
    >>> smoker = Categorical(["no", "yes"], mechanism=Warner(keep=0.8))
    >>> reports = code_reports(Table(pa.table({"smoker": ["yes"] * 50 + ["no"] * 50})),
    ...     Specification({"smoker": smoker}), names=["smoker"], labels=np.repeat([1, 0], 50))
    >>> anyone = Population({"smoker": smoker}, [smoker], np.array([0.5, 0.5]), np.array([0, 1]),
    ...     [np.array([[0.5, 0.5], [0.5, 0.5]])], 2)
    >>> boxes = [{0: np.array([1, 0])}, {0: np.array([0, 1])}]
    >>> found = ruled(anyone, boxes, np.array([[0.8, 0.2], [0.2, 0.8]]), reports)
    >>> found.class_probabilities(np.array([[1], [2]])).argmax(axis=1).tolist()
    [0, 1]

    Notes
    -----
    The share of truths x of class c in the table is proportional to s_c q_c(box of x) p(x), where
    p is a mixture of products, the same in all boxes, and s_c how much more often people of class
    c are in the table than others. A step counts what came from which part of which component,
    and takes p, q and s from that. As p knows nothing of the class, this population foretells
    classes as well as another only if the boxes tell all.
    """
    model = _Model(
        population.weights / population.weights.sum(),
        list(population.shares),
        _unsure(chances),
        np.ones(chances.shape[1]),
    )
    masks = _masks(population, boxes)
    shares = population.class_shares
    model = model.drawn_like(shares, masks)
    like_all = [LIKE_ALL * (population.weights @ own) for own in population.shares]
    for _ in range(steps):
        model = model.stepped(population, masks, reports, like_all).drawn_like(shares, masks)
    return model.population(population, masks)[0]


Masks = dict[int, FloatArray]
"""By the place of an attribute, how much of each cell lies in each box, (boxes, cells)."""


@dataclass(frozen=True, eq=False)
class _Model:
    """A mixture of products of all people, chances of the classes by box, and scales of these."""

    weights: FloatArray
    shares: list[FloatArray]
    chances: FloatArray
    scales: FloatArray

    def inside(self, masks: Masks) -> FloatArray:
        """Return the share of all people that is in a box and of a component."""
        found = np.tile(self.weights, (len(self.chances), 1))
        for j, mask in masks.items():
            found *= mask @ self.shares[j].T
        return found

    def drawn_like(self, shares: FloatArray, masks: Masks) -> "_Model":
        """Return the same people, of whom each class is drawn so often that it has its share."""
        people = self.inside(masks).sum(axis=1) @ self.chances
        scales = shares / np.maximum(people, _NEVER)
        return replace(self, scales=scales / scales.mean())

    @property
    def often(self) -> FloatArray:
        """How much more often people in each box are in the table than others."""
        return np.asarray(self.chances @ self.scales)

    def population(
        self, like: Population, masks: Masks
    ) -> tuple[Population, tuple[IntArray, IntArray]]:
        """Return the table as a population, and of which box and component each part is."""
        table = self.inside(masks) * self.often[:, None]
        table /= table.sum()
        box, component = np.nonzero(table > min(_FEW, table.max() / 2))
        classes = self.chances.shape[1]
        given = self.chances * self.scales / self.often[:, None]
        weights = (table[box, component][:, None] * given[box]).ravel()
        shares = [own[component] for own in self.shares]
        for j, mask in masks.items():
            shares[j] = shares[j] * mask[box]
            shares[j] /= np.maximum(shares[j].sum(axis=1, keepdims=True), 1e-300)
        found = replace(
            like,
            weights=weights / weights.sum(),
            classes=np.tile(np.arange(classes), len(box)),
            shares=[np.repeat(own, classes, axis=0) for own in shares],
        )
        return found, (box, component)

    def stepped(
        self, like: Population, masks: Masks, reports: CodedReports, like_all: list[FloatArray]
    ) -> "_Model":
        """Return the model after one step; who is drawn more often counts for less."""
        table, (box, component) = self.population(like, masks)
        classes = len(self.scales)
        sums, counts = counted(table, reports)
        by_class = sums.reshape(-1, classes)
        counts = counts.reshape(len(counts), -1, classes).sum(axis=2)
        often = self.often[box]
        chances = np.zeros_like(self.chances)
        np.add.at(chances, box, by_class / self.scales)
        weights = np.bincount(component, by_class.sum(axis=1) / often, len(self.weights))
        shares = list(self.shares)
        parts = [own[::classes] for own in table.shares]
        for j, behind in truths_behind(reports, parts, [counts], 0):
            full = np.tile(like_all[j], (len(weights), 1))
            np.add.at(full, component, behind / often[:, None])
            shares[j] = full / full.sum(axis=1, keepdims=True)
        return replace(
            self, weights=weights / weights.sum(), shares=shares, chances=_unsure(chances)
        )


def _masks(population: Population, boxes: Sequence[Box]) -> Masks:
    tested = sorted({j for box in boxes for j in box})
    whole = {j: np.ones(population.shares[j].shape[1]) for j in tested}
    return {j: np.array([box.get(j, whole[j]) for box in boxes]) for j in tested}


def _unsure(chances: FloatArray) -> FloatArray:
    chances = chances / np.maximum(chances.sum(axis=1, keepdims=True), 1e-300)
    chances = np.maximum(chances, _UNSURE)
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))
