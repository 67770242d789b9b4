"""A small network taught on draws of the truths behind the reports."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.population import Draws, Population
from scumble.schema import Categorical, Cells

FloatArray = NDArray[np.float64]
Codes = NDArray[np.uint16]
_HIDDEN = 32
# How far weights are drawn towards nought, by the number of layers: two could say anything.
_DECAY = {1: 0.01, 2: 0.1}
_RATE = 0.01
# So many draws are seen in all, and of few records each so often.
_SEEN = 320_000
_TIMES = 100
# A step looks at more draws from stage to stage: the first are rough, the last fine.
_STAGES = 4
_FIRST_BATCH = (50, 250)
_BATCHES_OF_FEW = 20
# Each of so many values of a category has a number of its own.
_MOST_VALUES = 50
_NONE = 1e-12
# In standard deviations.
_FAR = 5.0
_BLOCK = 1 << 14


@dataclass(frozen=True, eq=False)
class Network:
    """A network on the cells of truths.

    Attributes
    ----------
    tables : sequence of array, (cells + 1, numbers)
        For each attribute, the numbers that stand for its cells; before them those of a
        missing value.
    class_count : int
        The number of classes.
    model : MLPClassifier
        The network.
    """

    tables: Sequence[NDArray[np.float32]]
    class_count: int
    model: Any

    def chances(self, codes: Codes) -> FloatArray:
        """Return P(class | truths), one row for each record.

        Parameters
        ----------
        codes : array of uint16, (records, attributes)
            The cell of each truth, from 1 on; 0 is missing.
        """
        found = np.empty((len(codes), self.class_count))
        for start in range(0, len(codes), _BLOCK):
            part = slice(start, start + _BLOCK)
            found[part] = self.model.predict_proba(_numbers(self.tables, codes[part]))
        return found


def network(
    population: Population, draws: Draws, *, layers: int = 1, seed: int | None = None
) -> Network:
    """Teach a network on draws of the truths and classes behind reports.

    Boosted trees find steps; where classes change along a slope, or a bend, a network
    says it with fewer numbers, which is all that a mixture that blurs it leaves to tell.
    One of two layers follows what bends more than once.

    Parameters
    ----------
    population : Population
        Whose draws they are.
    draws : sequence of (codes, classes)
        Draws of the same records.
    layers : int
        How many hidden layers it has, one or two.
    seed : int, optional
        Makes it repeatable.
    """
    from sklearn.neural_network import MLPClassifier

    rng = np.random.default_rng(None if seed is None else [seed, 3])
    tables = _tables(population)
    records = len(draws[0][1])
    model = MLPClassifier(
        (_HIDDEN,) * layers,
        activation="tanh",
        alpha=_DECAY[layers],
        learning_rate_init=_RATE,
        shuffle=False,
        random_state=int(rng.integers(2**31)),
    )
    share = min(_SEEN, _TIMES * records) // _STAGES
    batch = int(np.clip(records // _BATCHES_OF_FEW, *_FIRST_BATCH))
    turns = max(1, round(share / records))
    for turn in range(turns * _STAGES):
        codes, classes = draws[turn % len(draws)]
        rows = rng.permutation(records)[:share]
        model.set_params(batch_size=min(batch << turn // turns, len(rows)))
        numbers = _numbers(tables, codes[rows])
        model.partial_fit(numbers, classes[rows], classes=np.arange(population.class_count))
    return Network(tables, population.class_count, model)


def _tables(population: Population) -> list[NDArray[np.float32]]:
    """Return the numbers that stand for the cells of each attribute; missing are the mean."""
    found = []
    for cells, shares in zip(population.cells, population.shares, strict=True):
        weights = population.weights @ shares
        if isinstance(cells, Categorical) and len(cells) <= _MOST_VALUES:
            numbers = np.eye(len(cells)) - weights
        elif isinstance(cells, Categorical):
            numbers = _standardised(_class_chances(population, shares), weights)
        else:
            assert isinstance(cells, Cells)
            numbers = _standardised(cells.middles[:, None], weights)
        found.append(np.vstack((np.zeros(numbers.shape[1]), numbers)).astype(np.float32))
    return found


def _standardised(numbers: FloatArray, weights: FloatArray) -> FloatArray:
    """Return numbers over their spread, from their mean; those that hardly occur not too far."""
    numbers = numbers - weights @ numbers
    spread = np.sqrt(weights @ numbers**2)
    return np.asarray(np.clip(numbers / np.maximum(spread, _NONE), -_FAR, _FAR))


def _class_chances(population: Population, shares: FloatArray) -> FloatArray:
    """Return P(class | value) of each value of one attribute."""
    classes = np.eye(population.class_count)[population.classes]
    # A value that does not occur tells nothing.
    together = (population.weights[:, None] * shares).T @ classes + _NONE * population.class_shares
    return np.asarray(together / together.sum(axis=1, keepdims=True))


def _numbers(tables: Sequence[NDArray[np.float32]], codes: Codes) -> NDArray[np.float32]:
    ends = np.cumsum([own.shape[1] for own in tables])
    found = np.empty((len(codes), ends[-1]), dtype=np.float32)
    for j, (own, end) in enumerate(zip(tables, ends, strict=True)):
        found[:, end - own.shape[1] : end] = own[codes[:, j]]
    return found
