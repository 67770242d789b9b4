"""Report cells joined, so that there are fewer patterns to search in."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scumble.mining._cell_starts import cell_starts, is_noisy
from scumble.mining.leaves._patterns import Patterns, counted
from scumble.population import CodedReports, Factor, Single
from scumble.schema import Cells, CellSet, Channel

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
MOST_CELLS = 30


def coarser(patterns: Patterns, *, most: int = MOST_CELLS) -> Patterns:
    """Return the same reports of noisy numbers in fewer cells: about so many.

    Under noise that says nearly as much, in a fraction of the time. Reports far out, which
    are very rare, share a cell.
    """
    return counted(in_fewer_cells(patterns.reports, patterns.counts, most=most), patterns.counts)


def in_fewer_cells(
    reports: CodedReports, counts: NDArray[np.float32] | None = None, *, most: int
) -> CodedReports:
    """Return the same for records one by one, or for patterns with their counts."""
    factors: list[Factor] = list(reports.factors)
    codes = reports.codes.copy()
    for f, factor in enumerate(reports.factors):
        if not isinstance(factor, Single) or not is_noisy(factor.channel):
            continue
        report = factor.channel.report
        assert isinstance(report, Cells)
        seen = np.bincount(codes[:, f], weights=counts, minlength=factor.size)
        starts = cell_starts(seen[1:].astype(float), factor.channel.matrix, most)
        if len(starts) < len(report):
            factors[f] = Single(factor.attributes[0], _joined(factor.channel, report, starts))
            places = np.searchsorted(starts, np.arange(len(report)), side="right")
            codes[:, f] = np.append(0, places)[codes[:, f]]
    return replace(reports, factors=factors, codes=codes)


def _joined(channel: Channel, report: Cells, starts: IntArray) -> Channel:
    last = np.append(starts[1:], len(report)) - 1

    def rows(truth: CellSet) -> FloatArray:
        return np.asarray(np.add.reduceat(channel.rows(truth), starts, axis=1))

    return Channel(channel.truth, Cells(report.lower[starts], report.upper[last]), rows)
