"""What a report tells of a truth, in bits."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.errors import SpecificationError
from scumble.schema import Channel

FloatArray = NDArray[np.float64]


def settled_shares(shares: Any, *, size: int) -> FloatArray:
    """Return shares of cells, checked; uniform ones where none are given.

    Examples
    --------
    >>> settled_shares(None, size=4).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    if shares is None:
        return np.full(size, 1 / size)
    given = np.asarray(shares, dtype=float)
    if given.shape != (size,):
        raise SpecificationError(
            f"shares: expected one for each of the {size} cells of the domain, got shape "
            f"{given.shape}; take those of a reconstruction"
        )
    if not (given >= 0).all() or not math.isclose(given.sum(), 1, abs_tol=1e-6):
        raise SpecificationError("shares: expected numbers from 0 that sum to 1")
    return np.asarray(given / given.sum())


def entropy_bits(shares: FloatArray) -> float:
    """Return the entropy of shares: how many yes-or-no questions a cell is worth.

    Examples
    --------
    >>> entropy_bits(np.array([0.5, 0.25, 0.25, 0.0]))
    1.5
    """
    from scipy.special import entr

    return float(entr(shares).sum() / math.log(2))


def information_bits(channel: Channel, shares: FloatArray) -> float:
    """Return the mutual information of truth cell and report cell.

    Where the channel is a mixture no matrix is written down, however many values there are.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import Warner
    >>> channel = Warner(keep=0.75).channel(Categorical(["no", "yes"]))
    >>> round(information_bits(channel, np.array([0.5, 0.5])), 4)
    0.1887
    """
    from scipy.special import rel_entr

    if channel.mixture is not None:
        kept, base = channel.mixture
        chance = kept * shares + base
        told = rel_entr(shares * (kept + base).clip(min=0), shares * chance).sum()
        other = rel_entr((1 - shares) * base, (1 - shares) * chance).sum()
        found = told + other
    else:
        joint = shares[:, None] * channel.matrix
        found = rel_entr(joint, shares[:, None] * joint.sum(axis=0)).sum()
    return max(0.0, float(found) / math.log(2))
