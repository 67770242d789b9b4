"""The best guess of a truth, given how likely each of its cells is."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.schema import Categorical, Cells, CellSet, Domain, Numeric
from scumble.schema._parameters import share

FloatArray = NDArray[np.float64]
_SLACK = 1e-9


def best_guesses(
    chances: FloatArray, domain: Domain, cells: CellSet, *, tolerance: float
) -> NDArray[Any]:
    """Return the guess that is right most likely, one for each row of chances.

    Parameters
    ----------
    chances : array, (rows, cells)
        How likely each truth cell is; a row need not sum to one.
    domain : Numeric, Date or Categorical
        The domain of the truths.
    cells : CellSet
        Its cells.
    tolerance : float
        How far off the guess of a number may be, as a share of the range.

    Returns
    -------
    array
        Codes of categories; for numbers the middle of the window, two tolerances wide,
        that holds the truth most likely.

    Examples
    --------
    >>> domain = Numeric(0, 10)
    >>> cells = domain.cells(10)
    >>> best_guesses(np.eye(10)[[3]], domain, cells, tolerance=0.05)
    array([3.5])
    """
    if isinstance(domain, Categorical):
        return np.asarray(chances.argmax(axis=1))
    assert isinstance(cells, Cells)
    half = share("tolerance", tolerance) * domain.width
    starts, inside = _windows(tuple(cells.lower), tuple(cells.upper), 2 * half)
    return np.asarray(starts[(chances @ inside).argmax(axis=1)] + half)


@lru_cache(maxsize=32)
def _windows(
    lower: tuple[float, ...], upper: tuple[float, ...], width: float
) -> tuple[FloatArray, FloatArray]:
    """Return where windows may start, and how much of each cell lies in each of them.

    Mass grows evenly within a cell, so that some best window starts or ends at an edge.
    """
    low, high = np.array(lower), np.array(upper)
    edges = np.unique(np.append(low, high))
    starts = np.unique(np.append(edges, edges - width))
    starts = starts[(starts + width >= edges[0]) & (starts <= edges[-1])]
    slack = _SLACK * width
    ends = starts + width
    overlap = np.minimum(ends, high[:, None]) - np.maximum(starts, low[:, None])
    size = high - low
    inside = np.clip(overlap / np.where(size > 0, size, 1)[:, None], 0, 1)
    inside[size == 0] = overlap[size == 0] >= -slack
    return starts, inside


def is_right(
    guesses: NDArray[Any], truths: NDArray[Any], domain: Domain, *, tolerance: float
) -> NDArray[np.bool_]:
    """Say which guesses are right: the very category, or a number within the tolerance.

    Examples
    --------
    >>> is_right(np.array([3.0, 3.0]), np.array([3.4, 3.6]), Numeric(0, 10), tolerance=0.05)
    array([ True, False])
    """
    if isinstance(domain, Numeric):
        return np.asarray(np.abs(guesses - truths) <= tolerance * domain.width * (1 + _SLACK))
    return np.asarray(guesses == truths)


def right_in_words(domain: Domain, *, tolerance: float) -> str:
    """Return what a right guess is, in words.

    Examples
    --------
    >>> right_in_words(Numeric(0, 10), tolerance=0.05)
    'within 5 % of the range of the truth'
    """
    if isinstance(domain, Numeric):
        return f"within {100 * tolerance:g} % of the range of the truth"
    return "the true value"
