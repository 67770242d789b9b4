"""What an adversary may look at in a report: ways to sort reports into a few codes."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scumble.mechanisms._grid import snap

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
_BINS = 400
_ULPS = 100

EXACT = "the exact value of the report"
LENGTH = "the length of the report as text"
MISSING = "whether the report is missing"
PLACE = "where the report lies"
TAILS = "how far out the report lies"
BITS = "the last bits of the report"
OFF_GRID = "what is left of the report beside its grid"


class View(NamedTuple):
    """A code for each of the distinct reports.

    With `ordered`, events are the codes from one end; else any set of codes.
    """

    name: str
    codes: IntArray
    ordered: bool = False


def distinct(reports: NDArray[Any]) -> tuple[NDArray[Any], IntArray]:
    """Return the reports that differ, to the last bit, and the place of each report.

    By their bits: zero and minus zero differ, and so do two ways to write nan.
    """
    bits = np.ascontiguousarray(reports).view(f"i{reports.dtype.itemsize}")
    found, places = np.unique(bits, return_inverse=True)
    return found.view(reports.dtype), places


def views(values: NDArray[Any], weights: FloatArray, *, grid: float | None) -> Iterator[View]:
    """Return all that an adversary may look at.

    Parameters
    ----------
    values : array
        The distinct reports.
    weights : array
        How often each was seen where events are chosen: cells hold equally many.
    grid : float, optional
        The declared grid of the reports.
    """
    yield View(EXACT, _seen_again(weights))
    if values.dtype.kind != "f":
        yield View(MISSING, (values < 0).astype(np.int64))
        return
    place = cells_of(values, weights, bins=_BINS)
    yield View(MISSING, np.isnan(values).astype(np.int64))
    yield View(PLACE, place)
    yield View(TAILS, place, ordered=True)
    yield View(BITS, values.view(np.int64) & 0xFF)
    yield View(LENGTH, _lengths(values))
    if grid is not None:
        yield View(OFF_GRID, _off_grid(values, grid))


def _seen_again(weights: FloatArray) -> IntArray:
    """Return a code for each value that was seen twice, and one for all others."""
    again = weights > 1
    codes: IntArray = np.where(again, np.cumsum(again), 0)
    return codes


def cells_of(values: NDArray[Any], weights: FloatArray, *, bins: int) -> IntArray:
    """Return a cell for each value, in order, of about equal weight; missing values come last."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order]) - weights[order] / 2
    cells = np.empty(len(values), dtype=np.int64)
    cells[order] = (below * (bins / max(weights.sum(), 1))).astype(np.int64).clip(max=bins - 1)
    cells[values != values] = bins
    return cells


def _lengths(values: FloatArray) -> IntArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    lengths: IntArray = pc.utf8_length(pa.array(values).cast(pa.string())).to_numpy()
    return lengths.astype(np.int64)


def _off_grid(values: FloatArray, grid: float) -> IntArray:
    """Return how many of the smallest steps of a float each value is off its grid."""
    nearest = snap(values.copy(), grid)
    with np.errstate(invalid="ignore"):
        ulps = np.rint((values - nearest) / np.spacing(np.maximum(np.abs(nearest), grid)))
        parts = np.floor((values - nearest) / grid * 64)
    far = np.abs(ulps) > _ULPS
    code = np.where(far, 1000 + parts, ulps + _ULPS)
    return np.where(np.isnan(values), 2000, np.nan_to_num(code)).astype(np.int64)
