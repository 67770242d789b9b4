"""From the reports of one column to what they tell about each record."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scumble.audit._coded_column import CodedColumn
from scumble.audit._pinning import narrowest_widths, window_masses
from scumble.audit._posterior_row import AttributePosterior, Spread
from scumble.audit._unchanged import unchanged_share
from scumble.audit._value_posterior import greatest_posteriors, report_chances
from scumble.engines import count_codes
from scumble.schema import Cells, Channel, Numeric

FloatArray = NDArray[np.float64]
CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False)
class ColumnPosterior:
    """A row of the result, and for each report code what it tells; the missing code comes first.

    Attributes
    ----------
    row : AttributePosterior
        The row.
    guesses : array
        The probability of the best guess.
    widths : array or None
        Of numbers, the width of the narrowest interval as a share of the range.
    """

    row: AttributePosterior
    guesses: FloatArray
    widths: FloatArray | None


def column_posterior(column: CodedColumn, *, within: float, minimum: int) -> ColumnPosterior:
    """Return what the reports of a column tell; only report cells that occur are worked out.

    Parameters
    ----------
    column : CodedColumn
        The reports.
    within : float
        A number is guessed where it is known to so much of the range.
    minimum : int
        Groups of fewer equal reports are small.
    """
    counted = count_codes(column.codes, size=len(column.channel.report))
    seen = np.flatnonzero(counted.cells)
    counts = counted.cells[seen]
    guesses, widths = _told(column, seen, within)
    whole = column.domain.width if isinstance(column.domain, Numeric) else None
    smallest, in_small = _groups(column.channel, counts, minimum)
    row = AttributePosterior(
        name=column.name,
        kind=column.domain.kind,
        records=counted.total,
        missing=counted.missing,
        unchanged=unchanged_share(column.domain, column.mechanism, column.channel, column.shares),
        base_guess=float(guesses[0]),
        within=within,
        smallest_group=smallest,
        in_small_groups=in_small,
        guesses=Spread(values=guesses[1:], counts=counts),
        widths=None if widths is None else Spread(values=widths[1:], counts=counts),
        range_width=whole,
    )
    by_code = _by_code(guesses, seen, len(column.channel.report))
    if widths is None or whole is None:
        return ColumnPosterior(row, by_code, None)
    return ColumnPosterior(row, by_code, _by_code(widths / whole, seen, len(column.channel.report)))


def expected_exposure(channel: Channel, shares: FloatArray, *, width: float) -> float:
    """Return the share of records that a channel would pin down to less than a width.

    No reports are needed: the shares of the truths say which will come.
    """
    chance = report_chances(channel, shares)
    possible = np.flatnonzero(chance > 0)
    joint = shares[:, None] * channel.matrix[:, possible]
    widths = narrowest_widths(
        cast("Cells", channel.truth), joint / chance[possible], confidence=CONFIDENCE
    )
    return float(chance[possible][widths < width].sum())


def _told(
    column: CodedColumn, seen: NDArray[np.intp], within: float
) -> tuple[FloatArray, FloatArray | None]:
    """Return the best guess and the narrowest interval, before any report and behind each."""
    if not isinstance(column.domain, Numeric):
        told = greatest_posteriors(column.channel, column.shares)[seen]
        return np.append(column.shares.max(), told), None
    cells, joint = column.channel.truth, column.shares[:, None] * column.channel.matrix[:, seen]
    assert isinstance(cells, Cells)
    behind = np.column_stack((column.shares, joint / np.maximum(joint.sum(axis=0), 1e-300)))
    guesses = window_masses(cells, behind, width=within * column.domain.width)
    return guesses, narrowest_widths(cells, behind, confidence=CONFIDENCE)


def _groups(
    channel: Channel, counts: NDArray[np.int64], minimum: int
) -> tuple[int | None, int | None]:
    """Return the least group of equal reports, and how many records are in small ones.

    Where reports are classes of truths; noise makes no groups.
    """
    if not isinstance(channel.report, Cells) or not channel.report.is_point.all():
        return None, None
    return int(counts.min()), int(counts[counts < minimum].sum())


def _by_code(values: FloatArray, seen: NDArray[np.intp], size: int) -> FloatArray:
    """Return values by code from 0, the missing one, on; those that do not occur are nan."""
    table = np.full(size + 1, np.nan)
    table[0], table[seen + 1] = values[0], values[1:]
    return table
