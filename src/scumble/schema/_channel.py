"""A mechanism seen through cells: P(report cell | truth cell)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scumble.errors import SpecificationError
from scumble.schema._cells import CellSet

MOST_ENTRIES = 50_000_000
Mixture = tuple[float, NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Channel:
    """Which report cell a truth cell leads to, and how often.

    Parameters
    ----------
    truth, report : CellSet
        The cells on either side.
    rows : callable
        Returns P(report cell | truth cell) for any truth cells, one row for each.
    mixture : (float, array), optional
        a and b where P(report | truth) = a [report = truth] + b[report], so that
        the matrix need not be written down.
    """

    truth: CellSet
    report: CellSet
    rows: Callable[[CellSet], NDArray[np.float64]]
    mixture: Mixture | None = None

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """P(report cell | truth cell): one row for each truth, which sums to one."""
        if len(self.truth) * len(self.report) > MOST_ENTRIES:
            raise SpecificationError(
                f"channel: a matrix of {len(self.truth):,} by {len(self.report):,} cells would not "
                "fit in memory; group the values of this attribute into fewer"
            )
        return self.rows(self.truth)
