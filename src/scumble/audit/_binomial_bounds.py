"""Bounds of a probability from a count that hold with a known chance."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def at_least(count: int, total: int, *, alpha: float) -> float:
    """Return what a probability exceeds, wrong with probability at most `alpha`.

    Clopper and Pearson's bound: exact, whatever the probability.

    Examples
    --------
    >>> round(at_least(50, 100, alpha=0.025), 4), at_least(0, 100, alpha=0.025)
    (0.3983, 0.0)
    """
    from scipy.special import betaincinv

    return float(betaincinv(count, total - count + 1, alpha)) if count else 0.0


def at_most(count: int, total: int, *, alpha: float) -> float:
    """Return what a probability stays below, wrong with probability at most `alpha`.

    Examples
    --------
    >>> round(at_most(50, 100, alpha=0.025), 4), round(at_most(0, 100, alpha=0.025), 4)
    (0.6017, 0.0362)
    """
    from scipy.special import betainccinv

    return float(betainccinv(count + 1, total - count, alpha)) if count < total else 1.0


def foreseen(counts: FloatArray, *, deviations: float) -> tuple[FloatArray, FloatArray]:
    """Return about the same bounds as counts, for very many counts at once.

    The score bounds of a Poisson count: good enough to choose by, not to judge by.
    """
    middle = counts + deviations**2 / 2
    spread = deviations * np.sqrt(counts + deviations**2 / 4)
    return middle - spread, middle + spread
