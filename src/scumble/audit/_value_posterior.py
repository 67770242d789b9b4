"""What is most likely behind each report, and how likely it is."""

import numpy as np
from numpy.typing import NDArray

from scumble.schema import Channel

FloatArray = NDArray[np.float64]


def report_chances(channel: Channel, shares: FloatArray) -> FloatArray:
    """Return the probability of each report cell where truths have these shares."""
    if channel.mixture is not None:
        kept, base = channel.mixture
        # Where a coin always lies the sum may fall below zero by a rounding.
        return np.asarray((kept * shares + base).clip(min=0))
    return np.asarray(shares @ channel.matrix)


def greatest_posteriors(channel: Channel, shares: FloatArray) -> FloatArray:
    """Return the probability of the likeliest truth cell behind each report cell.

    Zero for a report that does not occur.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import Warner
    >>> channel = Warner(keep=0.8).channel(Categorical(["no", "yes"]))
    >>> greatest_posteriors(channel, np.array([0.5, 0.5])).round(2).tolist()
    [0.8, 0.8]
    >>> greatest_posteriors(channel, np.array([0.9, 0.1])).round(2).tolist()
    [0.97, 0.69]
    """
    chance = report_chances(channel, shares)
    if channel.mixture is not None:
        kept, base = channel.mixture
        greatest = np.maximum(shares * (kept + base), greatest_share_of_others(shares) * base)
    else:
        greatest = (shares[:, None] * channel.matrix).max(axis=0)
    possible = chance > 0
    found = np.divide(greatest, chance, out=np.zeros_like(chance), where=possible)
    return np.asarray(found.clip(max=1))


def greatest_share_of_others(shares: FloatArray) -> FloatArray:
    """Return for each value the greatest share of the others."""
    first = int(np.argmax(shares))
    others = np.full(len(shares), shares[first])
    others[first] = np.delete(shares, first).max(initial=0.0)
    return others
