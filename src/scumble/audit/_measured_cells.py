"""Cells so fine that what a narrow noise hides can be seen in them."""

import math
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scumble.audit._information import settled_shares
from scumble.schema import Cells, CellSet, Channel, Domain, Mechanism, Numeric

FloatArray = NDArray[np.float64]
_CELLS, _MOST_CELLS = 100, 1000
# So many cells within the interval at 95 %; fewer would blur what a report tells.
_WITHIN = 50


def measured_channel(
    domain: Domain, mechanism: Mechanism, shares: Any, *, most: int = _MOST_CELLS
) -> tuple[Channel, FloatArray]:
    """Return the channel on cells that suit its noise, and the shares of the truths on them.

    Parameters
    ----------
    domain : Numeric, Date or Categorical
        The domain.
    mechanism : Mechanism
        What disguises it.
    shares : array or None
        Shares of the domain's own cells; within a cell truths are taken to be uniform.
    most : int
        The greatest number of cells.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import GaussianNoise
    >>> [len(measured_channel(Numeric(0, 1), GaussianNoise(privacy=p), None)[1])
    ...     for p in (1.0, 0.05)]
    [100, 1000]
    """
    if not isinstance(domain, Numeric):
        return mechanism.channel(domain), settled_shares(shares, size=len(domain))
    own = domain.cells()
    prior = settled_shares(shares, size=len(own))
    width = mechanism.interval_privacy(domain) or domain.width
    # The end of a division may be off by a rounding.
    count = math.ceil(_WITHIN * domain.width / width - 1e-6)
    count = min(max(count, _CELLS), most)
    finer = domain.cells(count)
    # Where nothing is known of the shares, an atom is no more than what surrounds it.
    spread = _uniform(domain, finer) if shares is None else _spread(prior, own, finer)
    return _finely_reported(domain, mechanism, finer, count), spread


def _finely_reported(domain: Numeric, mechanism: Mechanism, truth: Cells, count: int) -> Channel:
    """Return the channel on cells, with reports counted finely also where truths are few points.

    Between two possible truths a report tells how far it is from either.
    """
    channel = mechanism.channel(domain, truth)
    if not truth.is_point.all() or mechanism.name == "identity":
        return channel
    along = Cells.between(np.linspace(domain.low, domain.high, count + 1))
    report = mechanism.report_cells(domain, along)
    return Channel(truth, report, partial(mechanism.matrix, domain, report=report))


def measured_widths(domain: Numeric, cells: CellSet) -> FloatArray:
    """Return how much room each cell stands for: a point for a step, an atom for a usual cell."""
    cells = cast("Cells", cells)
    widths = cells.upper - cells.lower
    usual = domain.step if cells.is_point.all() and domain.step else float(np.median(widths))
    return np.where(cells.is_point, usual, widths)


def _uniform(domain: Numeric, cells: Cells) -> FloatArray:
    widths = measured_widths(domain, cells)
    return np.asarray(widths / widths.sum())


def _spread(shares: FloatArray, cells: Cells, finer: Cells) -> FloatArray:
    """Return the shares of finer cells, whose points are the same."""
    found = np.empty(len(finer))
    found[finer.is_point] = shares[cells.is_point]
    along = ~cells.is_point
    if along.any():
        edges = np.append(cells.lower[along], cells.upper[along][-1])
        below = np.append(0.0, np.cumsum(shares[along]))
        inner = ~finer.is_point
        ends = np.append(finer.lower[inner], finer.upper[inner][-1])
        found[inner] = np.diff(np.interp(ends, edges, below))
    return np.asarray(found / found.sum())
