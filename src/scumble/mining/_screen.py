"""Which attributes tell anything of the class, alone or in pairs."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from scumble.mining._cell_starts import cell_starts, is_noisy
from scumble.schema import Channel

FloatArray = NDArray[np.float64]
_BINS = 10
# Reports of noisy numbers are joined so that least is lost of what they tell: fewer bins will do.
_NOISY_BINS = 8
_CLEARLY = 5.0
# By chance alone, reports behind coins tell together so much in one of ten tables.
_TOGETHER = 0.1


def telling_attributes(
    codes: NDArray[np.uint16],
    labels: NDArray[np.int64],
    *,
    classes: int,
    channels: Sequence[Channel] | None = None,
    weakened: Sequence[bool] | None = None,
) -> NDArray[np.bool_]:
    """Say which attributes depend on the class, or do so in some pair.

    A population of attributes that have nothing to do with the class spends itself on
    how these hang together, so they are left out.

    Parameters
    ----------
    codes : array of uint16, (records, attributes)
        The codes of the reports; 0 is missing.
    labels : array of int
        The class of each record; negative ones are unknown.
    classes : int
        The number of classes.
    channels : sequence of Channel, optional
        What leads to the reports of each attribute.
    weakened : sequence of bool, optional
        Which attributes are categories that a coin has disguised. Their reports tell less
        than their truths do, so that many weak ones together tell much.

    Notes
    -----
    The statistic is G^2 of class against ten bins of reports that are equally full, of noisy
    numbers eight that tell most of the truth, and of class against pairs of bins beyond
    that; each is compared with its expectation
    if they were independent, in its standard deviations. Where some attribute tells clearly,
    or the weakened ones do together, a weakened one need only be worth the numbers that are
    fitted to it (Akaike).

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> codes = rng.integers(1, 50, (5000, 4)).astype(np.uint16)
    >>> labels = ((codes[:, 0] > 25) ^ (codes[:, 2] > 25)).astype(np.int64)
    >>> telling_attributes(codes, labels, classes=2).tolist()
    [True, False, True, False]
    """
    known = labels >= 0
    codes, labels = codes[known], labels[known]
    bins = [
        bins_of(column) if channels is None else _bins_that_tell(column, channels[j])
        for j, column in enumerate(codes.T)
    ]
    alone = np.array([g_squared(b, labels, classes) for b in bins])
    sizes = np.array([int(b.max()) + 1 if len(b) else 1 for b in bins])
    degrees = (sizes - 1) * (classes - 1)
    telling = alone - degrees > _CLEARLY * np.sqrt(2 * np.maximum(degrees, 1))
    for i, j in combinations(range(len(bins)), 2):
        together = g_squared(bins[i] * sizes[j] + bins[j], labels, classes)
        more = (sizes[i] - 1) * (sizes[j] - 1) * (classes - 1)
        if together - alone[i] - alone[j] - more > _CLEARLY * np.sqrt(2 * max(more, 1)):
            telling[[i, j]] = True
    if weakened is not None and np.any(weakened):
        behind_coins = np.flatnonzero(weakened)
        own = [bins[j] for j in behind_coins]
        if telling.any() or _by_chance(alone[behind_coins].sum(), own, classes) < _TOGETHER:
            telling |= np.asarray(weakened) & (alone > 2 * degrees)
    return np.asarray(telling)


def _by_chance(total: float, bins: Sequence[NDArray[np.int64]], classes: int) -> float:
    """Return how probable it is that attributes that tell nothing have so large a sum of G^2.

    The sum is near a multiple of a chi-square (Satterthwaite): its mean is the number of
    degrees, and its variance grows with what the attributes tell of each other.
    """
    from scipy.special import chdtrc

    sizes = [int(own.max()) + 1 for own in bins]
    mean = sum(size - 1 for size in sizes)
    alike = mean + 2 * sum(_alike(a, b) for a, b in combinations(bins, 2))
    if not mean:
        return 1.0
    return float(chdtrc((classes - 1) * mean**2 / alike, total * mean / alike))


def _alike(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Return how much two attributes tell of each other: Pearson's mean square contingency."""
    table = np.zeros((int(one.max()) + 1, int(other.max()) + 1))
    np.add.at(table, (one, other), 1 / len(one))
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0)
    return float((table**2 / np.maximum(expected, 1e-12)).sum() - 1)


def _bins_that_tell(codes: NDArray[np.uint16], channel: Channel) -> NDArray[np.int64]:
    """Return codes joined to few bins: where they are noisy, so that least is lost.

    Under wide uniform noise all that tells of the truth is far out, in a few reports.
    """
    if not is_noisy(channel):
        return bins_of(codes)
    counts = np.bincount(codes, minlength=len(channel.report) + 1)[1:].astype(float)
    starts = cell_starts(counts, channel.matrix, _NOISY_BINS)
    places = np.searchsorted(starts, np.arange(len(counts)), side="right") - 1
    return np.asarray(np.append(0, places)[codes])


def bins_of(codes: NDArray[np.uint16], *, most: int = _BINS) -> NDArray[np.int64]:
    """Return codes joined, in their order, to few bins about equally full."""
    counts = np.bincount(codes)
    middle = (np.cumsum(counts) - counts / 2) / max(1, len(codes))
    bins = np.minimum((middle * most).astype(np.int64), most - 1)
    _, dense = np.unique(np.where(counts > 0, bins, -1), return_inverse=True)
    dense = dense - dense[counts > 0].min() if (counts > 0).any() else dense
    return np.asarray(dense[codes])


def g_squared(bins: NDArray[np.int64], labels: NDArray[np.int64], classes: int) -> float:
    """Return G^2 of class against bins."""
    table = np.bincount(bins * classes + labels, minlength=(int(bins.max()) + 1) * classes)
    table = table.reshape(-1, classes).astype(float)
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    filled = table > 0
    return float(2 * (table[filled] * np.log(table[filled] / expected[filled])).sum())
