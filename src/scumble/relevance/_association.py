"""How far classes differ between cells, without logarithms; and of numbers between classes."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scumble.errors import DomainError
from scumble.relevance._counts import as_counts


def gini_decrease(table: ArrayLike) -> float:
    """Return by how much the gini index of the class is lower within cells.

    Examples
    --------
    >>> from scumble.relevance import gini_decrease
    >>> gini_decrease([[2, 0], [0, 2]])
    0.5
    """
    counts = as_counts(table)
    if not counts.size:
        return 0.0
    total, cells = counts.sum(), counts.sum(axis=1)
    within = np.sum(counts**2 / cells[:, None]) / total
    return max(0.0, float(within - np.sum((counts.sum(axis=0) / total) ** 2)))


def cramers_v(table: ArrayLike) -> float:
    """Return Cramer's V: from 0, cells tell nothing of the class, to 1, they tell it.

    Examples
    --------
    >>> from scumble.relevance import cramers_v
    >>> cramers_v([[2, 0], [0, 2]]), cramers_v([[1, 1], [2, 2]])
    (1.0, 0.0)

    Notes
    -----
    The root of chi-square over its greatest value. It is 0 where there is one cell or one
    class only. Like the information gain, it grows with the number of cells.
    """
    counts = as_counts(table)
    freedom = min(counts.shape) - 1
    if freedom < 1:
        return 0.0
    alone = (counts.sum(axis=1, keepdims=True) / counts.sum()) * counts.sum(axis=0)
    squared = np.sum((counts - alone) ** 2 / alone) / (counts.sum() * freedom)
    return min(1.0, math.sqrt(squared))


def class_correlation(values: ArrayLike, table: ArrayLike) -> float:
    """Return the correlation of a number with the class.

    Parameters
    ----------
    values : array of numbers
        The number that stands for each row of the table.
    table : array of shape (values, classes)
        How many records of each class have each number.

    Returns
    -------
    float
        With two classes the point-biserial correlation, positive where the second has the
        greater numbers; else the correlation ratio eta, from 0 to 1. It is 0 where all
        numbers or all classes are the same, and nan where a number is not finite.

    Examples
    --------
    >>> from scumble.relevance import class_correlation
    >>> class_correlation([1, 2, 3], [[4, 0], [0, 0], [0, 4]])
    1.0
    >>> round(class_correlation([1, 2, 3], [[3, 1], [0, 0], [1, 3]]), 3)
    0.5
    """
    numbers, counts = np.asarray(values, dtype=float), np.asarray(table, dtype=float)
    if numbers.ndim != 1 or counts.ndim != 2 or len(numbers) != len(counts):
        raise DomainError(
            f"values: expected a number for each row of the table, got {numbers.size} "
            f"for shape {counts.shape}"
        )
    numbers, counts = numbers[counts.any(axis=1)], as_counts(counts)
    if not np.isfinite(numbers).all():
        return math.nan
    return _correlation(numbers, counts) if counts.size else 0.0


def _correlation(numbers: NDArray[np.float64], counts: NDArray[np.float64]) -> float:
    """Return the correlation of finite numbers; the scale is taken out first."""
    numbers = numbers / (np.abs(numbers).max() or 1.0)
    cells, classes = counts.sum(axis=1), counts.sum(axis=0)
    numbers = numbers - np.average(numbers, weights=cells)
    whole = np.sum(cells * numbers**2)
    if len(numbers) < 2 or len(classes) < 2 or whole == 0:
        return 0.0
    means = numbers @ counts / classes
    eta = min(1.0, math.sqrt(np.sum(classes * means**2) / whole))
    return -eta if len(classes) == 2 and means[1] < means[0] else eta
