"""Report cells joined, so that there are fewer patterns to search in."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves._patterns import Patterns, counted
from scumble.population import CodedReports, Factor, Single
from scumble.schema import Cells, CellSet, Channel

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
MOST_CELLS = 30
# At either end, cells are one until they hold this part of what a cell would on average.
_RARE = 0.05


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
        if not isinstance(factor, Single) or not _is_noisy(factor.channel):
            continue
        report = factor.channel.report
        assert isinstance(report, Cells)
        seen = np.bincount(codes[:, f], weights=counts, minlength=factor.size)
        starts = _starts(seen[1:].astype(float), factor.channel.matrix, most)
        if len(starts) < len(report):
            factors[f] = Single(factor.attributes[0], _joined(factor.channel, report, starts))
            places = np.searchsorted(starts, np.arange(len(report)), side="right")
            codes[:, f] = np.append(0, places)[codes[:, f]]
    return replace(reports, factors=factors, codes=codes)


def _is_noisy(channel: Channel) -> bool:
    """Say whether reports are numbers that do not tell the truth as it is."""
    if not isinstance(channel.report, Cells) or not isinstance(channel.truth, Cells):
        return False
    square = len(channel.truth) == len(channel.report)
    return not (square and np.array_equal(channel.matrix, np.eye(len(channel.truth))))


def _starts(counts: FloatArray, matrix: FloatArray, most: int) -> IntArray:
    """Return where cells begin that are to be one up to the next.

    They hold the same of the cube roots of reports times the squares of how far neighbours
    are apart in what they tell of the truth: so least is lost, as with steps of a signal
    (Panter and Dite 1951). Of wide uniform noise the middle tells nothing, and is one cell.

    Parameters
    ----------
    counts : array, (reports,)
        How often each report occurs.
    matrix : array, (truths, reports)
        P(report | truth).
    most : int
        About so many cells there are to be.
    """
    if len(counts) <= most:
        return np.arange(len(counts))
    told = np.sqrt(matrix / np.maximum(matrix.sum(axis=0), 1e-300))
    apart = np.pad((np.diff(told, axis=1) ** 2).sum(axis=0), 1)
    held = np.cbrt(counts * (apart[1:] + apart[:-1]))
    if not held.any():
        return np.zeros(1, dtype=np.int64)
    middles = (held.cumsum() - held / 2) / held.sum()
    places = np.floor(most * middles)
    starts = np.append(0, 1 + np.flatnonzero(np.diff(places)))
    below = np.append(0, counts.cumsum())[starts] / max(1.0, float(counts.sum()))
    rare = _RARE / most
    inner = starts[(below >= rare) & (below <= 1 - rare)]
    return np.append(0, inner[inner > 0])


def _joined(channel: Channel, report: Cells, starts: IntArray) -> Channel:
    last = np.append(starts[1:], len(report)) - 1

    def rows(truth: CellSet) -> FloatArray:
        return np.asarray(np.add.reduceat(channel.rows(truth), starts, axis=1))

    return Channel(channel.truth, Cells(report.lower[starts], report.upper[last]), rows)
