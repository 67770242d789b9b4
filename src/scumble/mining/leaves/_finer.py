"""Truth cells cut further, so that thresholds inside them are placed well."""

from dataclasses import replace

import numpy as np

from scumble.population import CodedReports, Factor, Single
from scumble.schema import Cells, CellSet, Channel

_PIECES = 3


def finer(reports: CodedReports) -> CodedReports:
    """Return the same reports with the intervals of noisy numbers cut into three.

    What is known of a truth in part of an interval is taken from all of it; in shorter
    ones that does no harm. The codes of the reports stay as they are.
    """
    factors: list[Factor] = []
    cells = list(reports.cells)
    for factor in reports.factors:
        if isinstance(factor, Single) and is_blurred(factor.channel):
            place, channel = factor.attributes[0], factor.channel
            cells[place] = _cut(channel.truth)
            own = Channel(cells[place], channel.report, channel.rows, channel.mixture)
            factors.append(Single(place, own))
        else:
            factors.append(factor)
    return replace(reports, cells=cells, factors=factors)


def is_blurred(channel: Channel) -> bool:
    """Say whether truths are cut into intervals that reports do not tell apart."""
    truth = channel.truth
    if not isinstance(truth, Cells) or truth.is_point.all():
        return False
    square = len(truth) == len(channel.report)
    return not (square and np.array_equal(channel.matrix, np.eye(len(truth))))


def _cut(cells: CellSet) -> Cells:
    assert isinstance(cells, Cells)
    intervals = ~cells.is_point
    steps = np.arange(1, _PIECES) / _PIECES
    between = cells.lower[intervals] + np.outer(
        steps, cells.upper[intervals] - cells.lower[intervals]
    )
    edges = np.union1d(np.append(cells.lower[intervals], cells.upper[intervals]), between.ravel())
    fine = Cells.between(edges)
    return fine.with_points(cells.lower[cells.is_point]) if cells.is_point.any() else fine
