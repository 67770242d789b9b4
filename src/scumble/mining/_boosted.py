"""Boosted trees taught on draws of the truths behind the reports."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from scumble.population import Draws, Population
from scumble.schema import Categorical, CellSet

FloatArray = NDArray[np.float64]
Codes = NDArray[np.uint16]
# So many values of a category can be told apart; of more, the rest is one.
_MOST_VALUES = 254


@dataclass(frozen=True, eq=False)
class Boosted:
    """An ensemble of trees on the cells of truths.

    Attributes
    ----------
    cells : sequence of CellSet
        The cells of each attribute.
    class_count : int
        The number of classes.
    model : HistGradientBoostingClassifier
        The trees.
    """

    cells: Sequence[CellSet]
    class_count: int
    model: Any

    def chances(self, codes: Codes) -> FloatArray:
        """Return P(class | truths), one row for each record.

        Parameters
        ----------
        codes : array of uint16, (records, attributes)
            The cell of each truth, from 1 on; 0 is missing.
        """
        found = np.zeros((len(codes), self.class_count))
        with threadpool_limits(1, "openmp"):
            chances = self.model.predict_proba(_features(codes, self.cells))
        found[:, self.model.classes_] = chances
        return found


def boosted(population: Population, draws: Draws, *, seed: int | None = None) -> Boosted:
    """Teach an ensemble on draws of the truths and classes behind reports.

    A mixture blurs where classes change; draws given the reports and the classes keep
    what the records themselves say, and the trees are free to find the rule in that.

    Parameters
    ----------
    population : Population
        Whose draws they are.
    draws : sequence of (codes, classes)
        Draws of the same records.
    seed : int, optional
        Makes it repeatable.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    codes = np.concatenate([cells for cells, _ in draws])
    classes = np.concatenate([found for _, found in draws])
    nominal = [isinstance(c, Categorical) and not c.ordered for c in population.cells]
    model = HistGradientBoostingClassifier(
        categorical_features=np.array(nominal),
        early_stopping=False,
        min_samples_leaf=max(20, len(codes) // 2000),
        random_state=seed,
    )
    with threadpool_limits(1, "openmp"):
        model.fit(_features(codes, population.cells), classes)
    return Boosted(population.cells, population.class_count, model)


def _features(codes: Codes, cells: Sequence[CellSet]) -> NDArray[np.float32]:
    """Return codes as the trees take them: missing ones are not numbers."""
    features = codes.astype(np.float32)
    for j, own in enumerate(cells):
        if isinstance(own, Categorical) and not own.ordered:
            features[:, j] = np.minimum(features[:, j], _MOST_VALUES)
    features[codes == 0] = np.nan
    return features
