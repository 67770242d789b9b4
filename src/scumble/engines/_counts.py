"""Counting reports in memory."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.errors import DomainError
from scumble.schema import Categorical, CellSet, Domain


@dataclass(frozen=True, eq=False)
class Counts:
    """How many reports fell into each cell, and how many were missing.

    Counts of parts of a table add up to the counts of the table.

    Examples
    --------
    >>> part = Counts(np.array([2, 3]), missing=1)
    >>> whole = part + part
    >>> whole.cells.tolist(), whole.missing, whole.total
    ([4, 6], 2, 10)
    """

    cells: NDArray[np.int64]
    missing: int

    @property
    def total(self) -> int:
        """The number of reports that were not missing."""
        return int(self.cells.sum())

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.cells + other.cells, self.missing + other.missing)


def count_codes(codes: NDArray[np.int32], *, size: int) -> Counts:
    """Count codes from 0 to size - 1; a negative one is missing."""
    # Shifted by one, the missing fall into a bin of their own: one pass, no mask.
    counts = np.bincount(codes + 1, minlength=size + 1)
    return Counts(counts[1:], missing=int(counts[0]))


def count_reports(reports: Any, *, domain: Domain, cells: CellSet) -> Counts:
    """Count the reports of one attribute.

    Parameters
    ----------
    reports : array, Series or list
        The reports.
    domain : Numeric or Categorical
        The domain of the reports.
    cells : CellSet
        The cells to count in.

    Raises
    ------
    DomainError
        If reports lie outside their domain, or in no cell of it.
    """
    values = domain.conform(reports)
    counts = count_codes(cells.codes(values), size=len(cells))
    missing = values < 0 if isinstance(domain, Categorical) else np.isnan(values)
    stray = counts.missing - int(np.count_nonzero(missing))
    if stray:
        raise DomainError(
            f"{stray} of {len(values)} reports are of no kind that this mechanism makes; they come "
            "from another mechanism or another specification"
        )
    return counts
