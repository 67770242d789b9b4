"""Counts of cells by classes: what every measure is computed from."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scumble.errors import DomainError


def as_counts(table: ArrayLike) -> NDArray[np.float64]:
    """Return counts of cells (rows) by classes (columns), without rows and columns of zeros.

    Raises
    ------
    DomainError
        If they are no counts.

    Examples
    --------
    >>> as_counts([[3, 0, 1], [0, 0, 0], [2, 0, 2]]).tolist()
    [[3.0, 1.0], [2.0, 2.0]]
    """
    counts = np.asarray(table)
    if counts.ndim != 2 or counts.dtype.kind not in "biuf":
        raise DomainError(
            "table: expected counts of cells by classes in two dimensions, "
            f"got {counts.dtype.name} in {counts.ndim}"
        )
    counts = counts.astype(float)
    if not (np.isfinite(counts) & (counts >= 0)).all():
        raise DomainError("table: expected counts, got numbers that are negative or not finite")
    counts = counts[counts.any(axis=1)]
    return counts[:, counts.any(axis=0)]


def entropy(counts: NDArray[np.float64]) -> float:
    """Return the entropy of counts, in bits; 0 if there are none.

    Examples
    --------
    >>> entropy(np.array([3.0, 3.0, 0.0])), entropy(np.array([]))
    (1.0, 0.0)
    """
    shares = counts[counts > 0] / max(counts.sum(), 1e-300)
    return max(0.0, -float(np.sum(shares * np.log2(shares))))
