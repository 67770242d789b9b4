"""Where cells of reports that are to be one begin, so that least is lost of what they tell."""

import numpy as np
from numpy.typing import NDArray

from scumble.schema import Cells, Channel

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
# At either end, cells are one until they hold this part of what a cell would on average.
_RARE = 0.05


def cell_starts(counts: FloatArray, matrix: FloatArray, most: int) -> IntArray:
    """Return where cells begin that are to be one up to the next.

    They hold the same of the cube roots of reports times the squares of how far neighbours
    are apart in what they tell of the truth: so least is lost, as with steps of a signal
    (Panter and Dite 1951). Of wide uniform noise the middle tells nothing, and is one cell.

    Parameters
    ----------
    counts : array, (reports,)
        How often each report occurs.
    matrix : array, (truths, reports)
        P(report | truth).
    most : int
        About so many cells there are to be.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import UniformNoise
    >>> channel = UniformNoise(privacy=2.0).channel(Numeric(0, 100))
    >>> counts = 10_000 * channel.matrix.mean(axis=0)
    >>> starts = cell_starts(counts, channel.matrix, 5)
    >>> channel.report.lower[starts].round().tolist()
    [-105.0, -63.0, -24.0, 123.0, 165.0]
    """
    if len(counts) <= most:
        return np.arange(len(counts))
    told = np.sqrt(matrix / np.maximum(matrix.sum(axis=0), 1e-300))
    apart = np.pad((np.diff(told, axis=1) ** 2).sum(axis=0), 1)
    held = np.cbrt(counts * (apart[1:] + apart[:-1]))
    if not held.any():
        return np.zeros(1, dtype=np.int64)
    middles = (held.cumsum() - held / 2) / held.sum()
    places = np.floor(most * middles)
    starts = np.append(0, 1 + np.flatnonzero(np.diff(places)))
    below = np.append(0, counts.cumsum())[starts] / max(1.0, float(counts.sum()))
    rare = _RARE / most
    inner = starts[(below >= rare) & (below <= 1 - rare)]
    return np.append(0, inner[inner > 0])


def is_noisy(channel: Channel) -> bool:
    """Say whether reports are numbers that do not tell the truth as it is."""
    if not isinstance(channel.report, Cells) or not isinstance(channel.truth, Cells):
        return False
    square = len(channel.truth) == len(channel.report)
    return not (square and np.array_equal(channel.matrix, np.eye(len(channel.truth))))
