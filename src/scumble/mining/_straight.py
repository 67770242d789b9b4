"""A straight rule, in a direction that is read off moments from which the noise is taken out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.population import CodedReports, Draws, Population, Reports, Single
from scumble.schema import Cells

FloatArray = NDArray[np.float64]
Codes = NDArray[np.uint16]
# The mean of a report must follow the truth in a line: this part of how it varies at the least.
_IN_LINE = 0.99
# Within a class, no direction varies less than this part of what an attribute does on average.
_LEAST_SPREAD = 0.02
_LEAST_RECORDS = 50
# How little the chances along a direction are bound, and how long they are fitted at the most.
_FREE, _STEPS = 1e4, 1_000
_NONE = 1e-12


@dataclass(frozen=True, eq=False)
class Straight:
    """Classes by where truths lie along a few directions.

    Attributes
    ----------
    tables : sequence of array, (cells + 1, directions)
        For each attribute, how far each of its cells lies along each direction; a missing
        value lies where the mean does.
    class_count : int
        The number of classes.
    model : LogisticRegression
        How likely each class is, by how far.
    """

    tables: Sequence[FloatArray]
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
        found[:, self.model.classes_] = self.model.predict_proba(_along(self.tables, codes))
        return found


def straight(population: Population, reports: Reports, draws: Draws) -> Straight | None:
    """Return a straight rule between the classes.

    Parameters
    ----------
    population : Population
        The joint distribution of truths and class: how much noise there is in all.
    reports : CodedReports or JoinedReports
        The reports with their classes.
    draws : sequence of (codes, classes)
        Draws behind them: how likely each class is along a direction.

    Returns
    -------
    Straight or None
        None where a class is disguised, reports are of several parties, or fewer than two
        numbers are reported so that the mean follows the truth.

    Notes
    -----
    The direction is that of Fisher's discriminant. It needs means and covariances within
    the classes, and these need no model of what is between: independent noise adds to the
    variances, by as much as the channel says, and to nothing else. So no mixture can blur it.
    """
    if not isinstance(reports, CodedReports) or reports.class_is_disguised:
        return None
    told = [own for j in range(len(population.cells)) if (own := _told(population, reports, j))]
    if len(told) < 2:
        return None
    directions = _directions(told, reports)
    if directions is None:
        return None
    from sklearn.linear_model import LogisticRegression

    tables = [np.zeros((len(cells) + 1, directions.shape[1])) for cells in population.cells]
    for own, row in zip(told, directions, strict=True):
        tables[own.attribute][1:] = own.truths[:, None] * row
    codes, classes = draws[0]
    along = _along(tables, codes)
    spreads = np.maximum(along.std(axis=0), _NONE)
    model = LogisticRegression(C=_FREE, max_iter=_STEPS).fit(along / spreads, classes)
    return Straight([own / spreads for own in tables], population.class_count, model)


@dataclass(frozen=True, eq=False)
class _Told:
    """A number, its report, and how much of that is noise: in spreads of the truth."""

    attribute: int
    factor: int
    truths: FloatArray
    reports: FloatArray
    noise: FloatArray


def _told(population: Population, reports: CodedReports, attribute: int) -> _Told | None:
    """Return what is reported of a number; None where the mean does not follow it."""
    factor = next(f for f, own in enumerate(reports.factors) if attribute in own.attributes)
    single, cells = reports.factors[factor], population.cells[attribute]
    if not isinstance(single, Single) or not isinstance(cells, Cells):
        return None
    report, given = single.channel.report, single.channel.rows(cells)
    if not isinstance(report, Cells):
        return None
    shares = population.shares[attribute]
    weights = population.weights @ shares
    mean = weights @ cells.middles
    spread = float(np.sqrt(weights @ (cells.middles - mean) ** 2))
    if spread == 0:
        return None
    truths, numbers = (cells.middles - mean) / spread, (_finite(report) - mean) / spread
    means = given @ numbers
    level = float(weights @ means)
    slope = float(weights @ (truths * (means - level)))
    varies = float(weights @ (means - level) ** 2)
    if slope**2 < _IN_LINE * varies or varies < _NONE:
        return None
    noises = np.maximum(given @ numbers**2 - means**2, 0)
    by_class = np.eye(population.class_count)[population.classes] * population.weights[:, None]
    # A class that the population does not know has the noise of all.
    noise = by_class.T @ shares @ noises + _NONE * (weights @ noises)
    noise /= (by_class.sum(axis=0) + _NONE) * slope**2
    return _Told(attribute, factor, truths, np.append(0, (numbers - level) / slope), noise)


def _finite(report: Cells) -> FloatArray:
    """Return a number for each cell; for one without an end, the other end."""
    low = np.where(np.isfinite(report.lower), report.lower, report.upper)
    high = np.where(np.isfinite(report.upper), report.upper, report.lower)
    return np.asarray((low + high) / 2)


def _directions(told: Sequence[_Told], reports: CodedReports) -> FloatArray | None:
    """Return Fisher's directions: fewer than classes, and no more than numbers."""
    known = (reports.labels >= 0) & (reports.codes[:, [own.factor for own in told]] > 0).all(axis=1)
    means, shares, within = [], [], np.zeros((len(told), len(told)))
    for label in range(reports.class_count):
        rows = np.flatnonzero(known & (reports.labels == label))
        if len(rows) < _LEAST_RECORDS:
            continue
        values = np.column_stack([own.reports[reports.codes[rows, own.factor]] for own in told])
        means.append(values.mean(axis=0))
        shares.append(len(rows))
        noise = np.diag([own.noise[label] for own in told])
        within += len(rows) * (np.cov(values, rowvar=False, ddof=0) - noise)
    if len(means) < 2:
        return None
    sizes, vectors = np.linalg.eigh(within / sum(shares))
    inverse = (vectors / np.maximum(sizes, _LEAST_SPREAD)) @ vectors.T
    left, lengths, _ = np.linalg.svd(
        inverse @ (np.array(means[:-1]) - means[-1]).T, full_matrices=False
    )
    return np.asarray((left * lengths)[:, lengths > _NONE * lengths[0]])


def _along(tables: Sequence[FloatArray], codes: Codes) -> FloatArray:
    """Return how far truths lie along each direction."""
    return np.asarray(sum(own[codes[:, j]] for j, own in enumerate(tables)))
