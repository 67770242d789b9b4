"""How much each two attributes of a table have to do with each other."""

from collections.abc import Sequence

import numpy as np

from scumble.audit._two_tables import FloatArray
from scumble.relevance import cramers_v

# A category of more values names records rather than describing them.
MOST_CATEGORIES = 200


def associations(columns: Sequence[FloatArray], ordered: Sequence[bool]) -> FloatArray:
    """Return a symmetric matrix: of each two columns, from 0 (or -1) to 1.

    Parameters
    ----------
    columns : sequence of array
        Numbers, or codes of categories; nan where missing.
    ordered : sequence of bool
        Whether each holds numbers.

    Examples
    --------
    >>> columns = [np.array([1.0, 2, 3, 4]), np.array([8.0, 6, 4, 2]), np.array([0.0, 0, 1, 1])]
    >>> associations(columns, [True, True, False]).round(2)[0].tolist()
    [1.0, -1.0, 0.89]

    Notes
    -----
    Of two numbers Pearson's correlation, of two categories Cramer's V, of a number and a
    category the correlation ratio; each on the records that have both values.
    """
    size = len(columns)
    matrix = np.eye(size)
    for j in range(size):
        for k in range(j):
            pair = (columns[j], columns[k]), (ordered[j], ordered[k])
            matrix[j, k] = matrix[k, j] = _association(*pair)
    return matrix


def _association(columns: tuple[FloatArray, FloatArray], ordered: tuple[bool, bool]) -> float:
    both = ~np.isnan(columns[0]) & ~np.isnan(columns[1])
    first, second = columns[0][both], columns[1][both]
    if len(first) < 2:
        return 0.0
    if all(ordered):
        return _pearson(first, second)
    if not any(ordered):
        rows, width = first.astype(np.int64), int(second.max()) + 1
        counts = np.bincount(rows * width + second.astype(np.int64))
        return cramers_v(np.pad(counts, (0, -len(counts) % width)).reshape(-1, width))
    return _ratio(first, second) if ordered[0] else _ratio(second, first)


def _pearson(first: FloatArray, second: FloatArray) -> float:
    first, second = first - first.mean(), second - second.mean()
    scale = np.sqrt((first @ first) * (second @ second))
    return float(np.clip(first @ second / scale, -1, 1)) if scale > 0 else 0.0


def _ratio(numbers: FloatArray, codes: FloatArray) -> float:
    """Return the correlation ratio: the spread of the means of categories, of all spread."""
    places = codes.astype(np.int64)
    centred = numbers - numbers.mean()
    sizes = np.bincount(places)
    sums = np.bincount(places, weights=centred)
    whole = float(centred @ centred)
    between = float(np.sum(sums**2 / np.maximum(sizes, 1)))
    return float(np.sqrt(min(1.0, between / whole))) if whole > 0 else 0.0
