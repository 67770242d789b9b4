"""How narrowly a distribution over cells pins a number down."""

import numpy as np
from numpy.typing import NDArray

from scumble.schema import Cells

FloatArray = NDArray[np.float64]
# Sums of many shares are off by so much.
_ROUNDING = 1e-9


def narrowest_widths(cells: Cells, posteriors: FloatArray, *, confidence: float) -> FloatArray:
    """Return the width of the narrowest interval that holds the truth with some confidence.

    Parameters
    ----------
    cells : Cells
        The truth cells; within an interval truths are uniform, a point has no width.
    posteriors : array, (cells, reports)
        The shares of the cells behind each report.
    confidence : float
        How much of the distribution the interval holds.

    Examples
    --------
    >>> cells = Cells.between([0, 1, 2, 3])
    >>> narrowest_widths(cells, np.array([[0.0, 0.3], [1.0, 0.6], [0.0, 0.1]]), confidence=0.9)
    array([0.9, 2. ])

    Notes
    -----
    Within intervals the distribution function is linear, so that one end of the narrowest
    interval lies at an edge of a cell: each edge is tried as its lower and as its upper end.
    """
    edges = cells.edges
    at = np.repeat(edges, 2)
    below = _below(cells, edges) @ posteriors
    upto = _below(cells, edges, with_points=True) @ posteriors
    knots = np.stack((below, upto), axis=1).reshape(len(at), -1)
    widths = np.empty(posteriors.shape[1])
    for place in range(len(widths)):
        rising = np.maximum.accumulate(knots[:, place])
        # Seen from the other end, upper ends are lower ones.
        falling = (rising[-1] - rising)[::-1]
        widths[place] = min(
            _from_lower_ends(at, rising, confidence),
            _from_lower_ends(-at[::-1], falling, confidence),
        )
    return widths


def window_masses(cells: Cells, posteriors: FloatArray, *, width: float) -> FloatArray:
    """Return how much of each distribution the best interval of some width holds.

    Examples
    --------
    >>> cells = Cells.between([0, 1, 2, 3])
    >>> window_masses(cells, np.array([[0.2], [0.6], [0.2]]), width=1.5)
    array([0.7])
    """
    low = np.concatenate((cells.edges, cells.edges - width))
    high = np.concatenate((cells.edges + width, cells.edges))
    inside = _below(cells, high, with_points=True) - _below(cells, low)
    return np.asarray((inside @ posteriors).max(axis=0).clip(max=1))


def _below(cells: Cells, at: FloatArray, *, with_points: bool = False) -> FloatArray:
    """Return which part of each cell lies below each place, points at it with or without."""
    points = cells.is_point
    widths = np.where(points, 1.0, cells.upper - cells.lower)
    parts = np.clip((at[:, None] - cells.lower) / widths, 0, 1)
    compare = np.greater_equal if with_points else np.greater
    parts[:, points] = compare(at[:, None], cells.lower[points])
    return np.asarray(parts)


def _from_lower_ends(at: FloatArray, rising: FloatArray, confidence: float) -> float:
    """Return the narrowest of the intervals that begin at an edge."""
    wanted = rising[::2] + confidence * rising[-1] - _ROUNDING
    wanted = wanted[wanted <= rising[-1]]
    # The first knot that is high enough; the edge lies between it and the one before.
    upper = np.searchsorted(rising, wanted, side="left").clip(min=1)
    step = rising[upper] - rising[upper - 1]
    part = np.divide(wanted - rising[upper - 1], step, out=np.ones_like(step), where=step > 0)
    ends = at[upper - 1] + part.clip(0, 1) * (at[upper] - at[upper - 1])
    return float((ends - at[::2][: len(wanted)]).min(initial=np.inf))
