"""How far apart two distributions of one attribute are."""

from dataclasses import dataclass

import numpy as np

from scumble.audit._two_tables import FloatArray

# As many records to a cell, and cells from so many to so many.
_TO_A_CELL, _LEAST, _MOST = 100, 10, 100


@dataclass(frozen=True, kw_only=True)
class Distances:
    """Distances between the truth and another distribution of an attribute.

    Attributes
    ----------
    total_variation : float
        The share of the records that would have to move to another cell or category.
    wasserstein : float or None
        How far they would have to move on average, as a share of the range of the truth;
        None for categories.
    kolmogorov_smirnov : float or None
        The greatest difference of the distribution functions; None for categories.
    """

    total_variation: float
    wasserstein: float | None = None
    kolmogorov_smirnov: float | None = None


@dataclass(frozen=True, eq=False)
class Weighted:
    """Values and how much each weighs; weights sum to one.

    Attributes
    ----------
    values : array of float
        Numbers, or codes of categories; none is missing.
    weights : array of float
        The weight of each.
    """

    values: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, column: FloatArray) -> "Weighted":
        """Return the known values of a column, each with the same weight."""
        known = column[~np.isnan(column)]
        return cls(known, np.full(len(known), 1 / max(1, len(known))))


def distances(truth: Weighted, other: Weighted, *, ordered: bool) -> Distances | None:
    """Return the distances of two distributions; None where one of them has no values.

    Examples
    --------
    >>> truth = Weighted.of(np.array([0.0, 10.0]))
    >>> distances(truth, Weighted.of(np.array([0.0, 5.0])), ordered=True)
    Distances(total_variation=0.5, wasserstein=0.25, kolmogorov_smirnov=0.5)

    Notes
    -----
    For the total variation of numbers the range of the truth is cut into cells of equal
    width, 100 records to each, from 10 to 100 of them; what lies below and above has a cell
    each. It is never zero for two samples of one distribution.
    """
    if not len(truth.values) or not len(other.values):
        return None
    if not ordered:
        size = int(max(truth.values.max(), other.values.max())) + 1
        return Distances(total_variation=_variation(truth, other, np.arange(1.0, size)))
    low, high = float(truth.values.min()), float(truth.values.max())
    count = int(np.clip(len(truth.values) / _TO_A_CELL, _LEAST, _MOST))
    edges = np.linspace(low, high, count + 1)
    # The last cell holds its upper end, and what is above has one of its own.
    edges[-1] = np.nextafter(high, np.inf)
    area, gap = _between(truth, other)
    width = high - low
    return Distances(
        total_variation=_variation(truth, other, edges),
        wasserstein=area / width if width > 0 else (0.0 if area == 0 else float("inf")),
        kolmogorov_smirnov=gap,
    )


def _variation(truth: Weighted, other: Weighted, edges: FloatArray) -> float:
    shares = [
        np.bincount(
            np.searchsorted(edges, part.values, side="right"),
            weights=part.weights,
            minlength=len(edges) + 1,
        )
        for part in (truth, other)
    ]
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


def _between(truth: Weighted, other: Weighted) -> tuple[float, float]:
    """Return the area between two distribution functions, and their greatest difference."""
    values = np.append(truth.values, other.values)
    order = np.argsort(values, kind="stable")
    steps = np.append(truth.weights, -other.weights)[order]
    ascending, difference = values[order], np.abs(np.cumsum(steps))
    difference[difference < 1e-12] = 0.0  # what adding up shares leaves
    gaps = np.diff(ascending)
    # Where values are equal the difference is that after the last of them.
    ends = np.append(gaps > 0, True)
    return float(difference[:-1] @ gaps), float(difference[ends].max())
