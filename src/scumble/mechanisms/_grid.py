"""The declared grid on which numeric reports are released.

A sum of two floats keeps traces of both in its low bits, and an adversary who
looks at them can tell truths apart that the noise should have hidden (Mironov
2012). A report that is rounded to a coarse grid has no such bits.
"""

import math

import numpy as np
from numpy.typing import NDArray

from scumble.errors import SpecificationError
from scumble.schema import Numeric

_FINENESS = 1000
# A float has 52 bits; the twelve below the grid are those that rounding must swallow.
_FINEST = 2.0**-40


def default_grid(extent: float, *, largest: float) -> float:
    """Return the power of ten that is at most a thousandth of an extent.

    It is coarser where reports are so large that floats could not hide behind it.

    Examples
    --------
    >>> default_grid(60, largest=100), default_grid(33163, largest=1e6)
    (0.01, 10.0)
    >>> default_grid(1e-9, largest=1e6)
    1e-06
    """
    grid: float = 10.0 ** math.floor(math.log10(extent / _FINENESS))
    if grid < _FINEST * largest:
        grid = 10.0 ** math.ceil(math.log10(_FINEST * largest))
    return grid


def check_grid(grid: float | None, *, largest: float) -> None:
    """Raise where a declared grid is too fine to hide the low bits of a report."""
    if grid is not None and grid < _FINEST * largest:
        raise SpecificationError(
            f"mechanism.grid: expected at least {_FINEST * largest:.2g}, got {grid:g}; on a finer "
            "one the low bits of a report would tell the truth"
        )


def check_unit(grid: float | None, domain: Numeric, *, reports: Numeric) -> None:
    """Raise where reports would be no values of their kind: parts of days, or no dates at all."""
    if grid is not None and domain.unit is not None and grid % domain.unit:
        raise SpecificationError(
            f"mechanism.grid: expected a multiple of {domain.unit:g}, since a report is a "
            f"{domain.kind}, got {grid:g}"
        )
    all_there_are = domain.between(*domain.extent)
    low, high = all_there_are.low, all_there_are.high
    # Noise that does not end is cut off there, in the open cells of the reports.
    if math.isfinite(reports.width) and not low <= reports.low <= reports.high <= high:
        raise SpecificationError(
            f"mechanism: expected reports from {low:g} to {high:g}, got {domain.kind}s beyond; "
            "take less noise"
        )


def snap(values: NDArray[np.float64], grid: float) -> NDArray[np.float64]:
    """Round values to multiples of the grid, in place.

    A multiple is always computed from its whole number in the same way, so that
    two equal multiples are equal to the last bit.
    """
    per_unit = round(1 / grid)
    if per_unit >= 1 and math.isclose(per_unit * grid, 1, rel_tol=1e-12):
        # Dividing by a whole number gives the float nearest to the decimal.
        values *= per_unit
        np.rint(values, out=values)
        values /= per_unit
    else:
        values /= grid
        np.rint(values, out=values)
        values *= grid
    values += 0.0  # -0.0 becomes 0.0: a sign of zero would tell the side
    return values


def half_way(values: NDArray[np.float64], grid: float) -> NDArray[np.float64]:
    """Return the half-way points of the grid next below values.

    Cells whose edges lie half-way between reports are hit exactly as often as the
    noise before rounding hits them, so a channel on them needs no correction.
    """
    return (np.floor(values / grid) + 0.5) * grid
