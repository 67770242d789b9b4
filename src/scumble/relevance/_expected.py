"""The gain that cells have by chance, and the gain without it."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from scumble.errors import DomainError
from scumble.relevance._counts import as_counts
from scumble.relevance._gain import information_gain

Floats = NDArray[np.float64]


def corrected_gain(table: ArrayLike) -> float:
    """Return the information gain minus its mean over all orders of the labels.

    What has many different values gains by chance: a name of each person tells the class
    of all who are known, and of nobody else. This takes the chance off. It may be a little
    below 0.

    Parameters
    ----------
    table : array of shape (cells, classes)
        How many records of each class lie in each cell.

    Examples
    --------
    >>> from scumble.relevance import corrected_gain, information_gain
    >>> names = [[1, 0], [0, 1], [1, 0], [0, 1]]
    >>> information_gain(names), corrected_gain(names)
    (1.0, 0.0)
    """
    return information_gain(table) - expected_gain(table)


def expected_gain(table: ArrayLike) -> float:
    """Return the mean information gain over all orders of the labels, in bits.

    Examples
    --------
    >>> from scumble.relevance import expected_gain
    >>> round(expected_gain([[10, 10], [10, 10]]), 4)
    0.0187

    Notes
    -----
    If labels are dealt at random, the count of a cell and a class is hypergeometric, and
    the mean of the gain is a sum over cells and classes (Vinh, Epps and Bailey, 2010, for
    the mutual information of clusterings): it is exact, nothing is simulated. Cells of one
    size share their terms, so a million cells cost no more than their different sizes.
    """
    counts = as_counts(table)
    if (counts % 1 != 0).any():
        raise DomainError("table: expected whole counts, got some with a fraction")
    total = counts.sum()
    cells, cell_times = np.unique(counts.sum(axis=1), return_counts=True)
    classes, class_times = np.unique(counts.sum(axis=0), return_counts=True)
    if len(counts) < 2 or counts.shape[1] < 2:
        return 0.0
    mean = sum(
        times * float(cell_times @ _terms(cells, size, total))
        for size, times in zip(classes, class_times, strict=True)
    )
    return max(0.0, float(mean))


def _terms(cells: Floats, size: float, total: float) -> Floats:
    """Return the mean of n/N log2(n N / (cell class)) for cells of these sizes and one class."""
    low, high = _support(cells, size, total)
    lengths = (high - low + 1).astype(np.intp)
    starts = np.cumsum(lengths) - lengths
    cell = np.repeat(cells, lengths)
    n: Floats = np.arange(float(len(cell))) - np.repeat(starts - low, lengths)
    weight = _log_choose(size, n) + _log_choose(total - size, cell - n)
    weight = np.exp(weight - np.repeat(np.maximum.reduceat(weight, starts), lengths))
    terms = n / total * np.log2(np.maximum(n, 1) / size * (total / cell))
    return np.asarray(np.add.reduceat(weight * terms, starts) / np.add.reduceat(weight, starts))


def _support(cells: Floats, size: float, total: float) -> tuple[Floats, Floats]:
    """Return between which counts all but 1e-20 of the probability lies."""
    mean = cells * size / total
    spread = np.sqrt(mean * (1 - size / total) * (total - cells) / max(total - 1, 1))
    # Twelve standard deviations; far more where the mean is small and the law is skewed.
    reach = np.ceil(12 * spread + 60)
    low = np.maximum(np.maximum(0, cells + size - total), np.floor(mean) - reach)
    return low, np.minimum(np.minimum(cells, size), np.floor(mean) + reach)


def _log_choose(n: float | Floats, k: Floats) -> Floats:
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
