"""Distances at which records look alike."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._views import cells_of, distinct

_BINS = 50
_FEWEST_PAIRS = 1000
_MOST = 3


def suspicious_lags(chosen: NDArray[np.bool_], reports: NDArray[Any]) -> list[int]:
    """Return the distances at which reports of equal truths are most correlated.

    Parameters
    ----------
    chosen : array of bool
        Which records have the truth that is looked at.
    reports : array
        The reports of all records.

    Examples
    --------
    >>> noise = np.random.default_rng(0).random(1000)
    >>> 1000 in suspicious_lags(np.ones(5000, dtype=bool), np.tile(noise, 5))
    True

    Notes
    -----
    All distances at once, by the Fourier transform of the ranks of the reports.
    """
    values, places = distinct(reports)
    weights = np.bincount(places[chosen], minlength=len(values)).astype(float)
    ranks = cells_of(values, weights, bins=_BINS)[places].astype(float)
    score = np.where(chosen, ranks - ranks[chosen].mean(), 0.0)
    pairs = np.rint(_with_itself(chosen.astype(float)))
    strength = np.abs(_with_itself(score)) / np.sqrt(np.maximum(pairs, 1))
    strength[pairs < _FEWEST_PAIRS] = 0
    strongest = np.argsort(-strength[1:], kind="stable")[:_MOST] + 1
    # The last distances leave no pairs that do not overlap.
    return [int(lag) for lag in strongest if lag < len(reports) - _FEWEST_PAIRS]


def _with_itself(score: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sum of products at each distance."""
    from scipy.fft import irfft, next_fast_len, rfft

    size = next_fast_len(2 * len(score), real=True)
    spectrum = np.abs(rfft(score, size)) ** 2
    products: NDArray[np.float64] = irfft(spectrum, size)[: len(score)]
    return products
