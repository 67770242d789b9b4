"""Pairs of truths that a report might tell apart."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.schema import Categorical, Cells, Domain, Mechanism, Numeric
from scumble.schema._channel import MOST_ENTRIES

Pair = tuple[float, float]


def truth_pairs(mechanism: Mechanism, domain: Domain) -> list[Pair]:
    """Return the ends of a domain, neighbours, and the pair that the channel tells best apart.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import LaplaceNoise
    >>> truth_pairs(LaplaceNoise(epsilon=1), Numeric(20, 80))[0]
    (20.0, 80.0)
    """
    if isinstance(domain, Categorical):
        last = len(domain) - 1
        pairs = [(0, last), (0, 1), _worst_categories(mechanism, domain)]
    else:
        low, high = ends(mechanism, domain)
        middle = possible(domain, low + 0.37 * (high - low))
        step = domain.step or _below_grid(mechanism, domain, high - low)
        pairs = [(low, high), (low, low + step), (middle, middle + step), (low, middle)]
        pairs += _worst_numbers(mechanism, domain)
    found = {(min(pair), max(pair)): None for pair in pairs if pair[0] != pair[1]}
    return [(float(one), float(other)) for one, other in found]


def ends(mechanism: Mechanism, domain: Numeric) -> Pair:
    """Return the bounds; for an infinite one, what lies as far off as a report hides."""
    if math.isfinite(domain.width):
        return float(domain.low), float(domain.high)
    span = mechanism.interval_privacy(domain) or 1.0
    span = span if math.isfinite(span) else 1.0
    if math.isfinite(domain.low):
        return float(domain.low), possible(domain, domain.low + span)
    high = domain.high if math.isfinite(domain.high) else span / 2
    return possible(domain, high - span), possible(domain, high)


def _below_grid(mechanism: Mechanism, domain: Numeric, width: float) -> float:
    """Return a difference of truths that no report on the grid should show."""
    grid: float = mechanism.grid_on(domain) if hasattr(mechanism, "grid_on") else width / 1000
    return min(grid / 3, width / 10)


def possible(domain: Numeric, value: float) -> float:
    """Return the truth of a domain that is nearest to a value."""
    if domain.step is None:
        return float(value)
    start = domain.low if math.isfinite(domain.low) else 0.0
    whole = start + domain.step * round((value - start) / domain.step)
    return float(min(max(whole, domain.low), domain.high))


def _worst_categories(mechanism: Mechanism, domain: Categorical) -> Pair:
    mixture = mechanism.mixture(domain)
    if mixture is not None:
        kept, base = mixture
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.abs(np.log((kept + base) / base))
        value = int(np.argmax(np.nan_to_num(ratios, posinf=np.inf)))
        return value, (value + 1) % len(domain)
    if len(domain) ** 2 > MOST_ENTRIES:
        return 0, 1
    return _worst_rows(mechanism.channel(domain).matrix)


def _worst_numbers(mechanism: Mechanism, domain: Numeric) -> list[Pair]:
    if not math.isfinite(domain.width):
        return []
    channel = mechanism.channel(domain)
    assert isinstance(channel.truth, Cells)
    middles: NDArray[Any] = channel.truth.middles
    one, other = _worst_rows(channel.matrix)
    return [(possible(domain, middles[int(one)]), possible(domain, middles[int(other)]))]


def _worst_rows(matrix: NDArray[np.float64]) -> Pair:
    """Return two rows of the greatest ratio, where a report is likely enough to be seen."""
    ratios = matrix.max(axis=0) / np.maximum(matrix.min(axis=0), 1e-4)
    column = int(np.argmax(ratios))
    return int(matrix[:, column].argmax()), int(matrix[:, column].argmin())
