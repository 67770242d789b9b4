"""How far a released column is from the truth."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.columns import as_arrow, as_numbers
from scumble.errors import DomainError

_SAMPLE = 100_000


def unchanged(truth: Any, released: Any) -> float | None:
    """Return the share of records whose own value is released; None where types differ.

    Examples
    --------
    >>> unchanged([1, 2, 3, 4], [1, 3, 2, 4])
    0.5
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if hasattr(released, "dictionary"):
        return None  # intervals and groups are no values
    try:
        own, other = as_arrow(truth), as_arrow(released)
        if pa.types.is_floating(other.type) and pa.types.is_integer(own.type):
            own = own.cast(other.type)
        if own.type != other.type:
            return None
        equal = pc.equal(own, other)
    except (DomainError, pa.ArrowException):
        return None
    known = len(equal) - equal.null_count
    return float(pc.sum(equal).as_py() or 0) / known if known else None


def rank_correlation(truth: Any, released: Any) -> float | None:
    """Return Spearman's rank correlation of two columns of numbers; None where they are none.

    Of a long column some records are looked at.

    Examples
    --------
    >>> round(rank_correlation([1, 2, 3, 4], [10, 20, 40, 30]), 3)
    0.8
    """
    if hasattr(released, "dictionary"):
        return None
    try:
        step = max(1, len(released) // _SAMPLE)
        pair = np.array([as_numbers(column)[::step] for column in (truth, released)])
    except DomainError:
        return None
    pair = pair[:, ~np.isnan(pair).any(axis=0)]
    if pair.shape[1] < 2 or (np.ptp(pair, axis=1) == 0).any():
        return None
    return float(np.corrcoef(_ranks(pair[0]), _ranks(pair[1]))[0, 1])


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean rank of each value."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - counts / 2)[place])
