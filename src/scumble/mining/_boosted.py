"""Boosted trees taught on draws of the truths behind the reports."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from scumble.population import Population, Reports, draw_truths
from scumble.schema import Categorical, CellSet

FloatArray = NDArray[np.float64]
Codes = NDArray[np.uint16]
# So many values of a category can be told apart; of more, the rest is one.
_MOST_VALUES = 254
_MOST_RECORDS = 1_000_000


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
    workers : int
        How many threads may work.
    """

    cells: Sequence[CellSet]
    class_count: int
    model: Any
    workers: int = 1

    def chances(self, codes: Codes) -> FloatArray:
        """Return P(class | truths), one row for each record.

        Parameters
        ----------
        codes : array of uint16, (records, attributes)
            The cell of each truth, from 1 on; 0 is missing.
        """
        found = np.zeros((len(codes), self.class_count))
        with threadpool_limits(self.workers, "openmp"):
            chances = self.model.predict_proba(_features(codes, self.cells))
        found[:, self.model.classes_] = chances
        return found


def boosted(
    population: Population,
    reports: Reports,
    *,
    draws: int = 2,
    seed: int | None = None,
    workers: int = 1,
) -> Boosted | None:
    """Teach an ensemble on draws of the truths and classes behind reports.

    A mixture blurs where classes change; draws given the reports and the classes keep
    what the records themselves say, and the trees are free to find the rule in that.

    Parameters
    ----------
    population : Population
        The joint distribution of truths and class.
    reports : CodedReports or JoinedReports
        The reports with their classes.
    draws : int
        How often each record is drawn.
    seed : int, optional
        Makes it repeatable.
    workers : int
        How many threads may work.

    Returns
    -------
    Boosted or None
        The ensemble; None where all draws are of one class.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    rng = np.random.default_rng(None if seed is None else [seed, 2])
    seeds = rng.integers(0, 2**31, draws).tolist()
    if len(reports) * draws > _MOST_RECORDS:
        reports = reports.some(rng.permutation(len(reports))[: _MOST_RECORDS // draws])
    drawn = [draw_truths(population, reports, seed=own) for own in seeds]
    codes = np.concatenate([cells for cells, _ in drawn])
    classes = np.concatenate([found for _, found in drawn])
    if len(np.unique(classes)) < 2:
        return None
    nominal = [isinstance(c, Categorical) and not c.ordered for c in population.cells]
    model = HistGradientBoostingClassifier(
        categorical_features=np.array(nominal),
        early_stopping=False,
        min_samples_leaf=max(20, len(codes) // 2000),
        random_state=seeds[0] if seed is not None else None,
    )
    with threadpool_limits(workers, "openmp"):
        model.fit(_features(codes, population.cells), classes)
    return Boosted(population.cells, population.class_count, model, workers)


def _features(codes: Codes, cells: Sequence[CellSet]) -> NDArray[np.float32]:
    """Return codes as the trees take them: missing ones are not numbers."""
    features = codes.astype(np.float32)
    for j, own in enumerate(cells):
        if isinstance(own, Categorical) and not own.ordered:
            features[:, j] = np.minimum(features[:, j], _MOST_VALUES)
    features[codes == 0] = np.nan
    return features
