"""Do the rows of two tables go together? Attacks pair them, and a release shuffles its rows."""

import math
import warnings

import numpy as np
from numpy.typing import NDArray

from scumble.audit._two_tables import TwoColumns, TwoTables
from scumble.errors import ScumbleWarning, TableError

FloatArray = NDArray[np.float64]
# So many deviations above chance, which one column in a million exceeds by chance.
_BEYOND_CHANCE = 5.0


def check_paired(both: TwoTables) -> None:
    """Raise where tables have not as many rows; warn where their rows do not go together.

    Raises
    ------
    TableError
        If the tables differ in length.
    """
    if len(both.truth) != len(both.other):
        raise TableError(
            f"{both.called}: expected the {len(both.truth)} records of the truth in the same "
            f"order, got {len(both.other)}; give the rows of the same people"
        )
    # Of few rows nobody can tell.
    if len(both.truth) > 2 * _BEYOND_CHANCE**2 and not goes_together(both):
        warnings.warn(
            f"{both.called}: no column goes with the truth, row by row: either nothing is left of "
            "any, or the rows were shuffled, as a release does, and what pairs them shows nothing; "
            "take the table before its rows were shuffled (shuffle_rows = false)",
            ScumbleWarning,
            stacklevel=3,
        )


def goes_together(both: TwoTables) -> bool:
    """Say whether some column goes with the truth row by row, beyond chance.

    Examples
    --------
    >>> import pyarrow as pa
    >>> truth = pa.table({"age": list(range(100))})
    >>> goes_together(TwoTables(truth, truth))
    True
    >>> mixed = np.random.default_rng(0).permutation(100)
    >>> goes_together(TwoTables(truth, truth.take(mixed)))
    False
    """
    if len(both.truth) != len(both.other):
        return False
    return any(is_paired(column) for column in both.comparable())


def is_paired(column: TwoColumns) -> bool:
    """Say whether the values of a column go with those of the truth row by row, beyond chance.

    Examples
    --------
    >>> truth = np.arange(100.0)
    >>> is_paired(TwoColumns("age", "number", truth, -truth))
    True
    """
    return _beyond_chance(column) > _BEYOND_CHANCE


def _beyond_chance(column: TwoColumns) -> float:
    """Return how far pairs go together, in standard deviations of what random pairs do."""
    known = ~np.isnan(column.truth) & ~np.isnan(column.other)
    truth, other = column.truth[known], column.other[known]
    if len(truth) < 2:
        return 0.0
    # Either way: values in reverse order, or that mostly differ, go together too.
    return abs((_of_numbers if column.is_ordered else _of_codes)(truth, other))


def _of_numbers(truth: FloatArray, other: FloatArray) -> float:
    from scipy.stats import rankdata

    ranks = [rankdata(values) for values in (truth, other)]
    first, second = (own - own.mean() for own in ranks)
    spread = math.sqrt(float(first @ first) * float(second @ second))
    return float(first @ second) / spread * math.sqrt(len(truth) - 1) if spread else 0.0


def _of_codes(truth: FloatArray, other: FloatArray) -> float:
    size = len(truth)
    width = int(max(truth.max(), other.max())) + 1
    a, b = (np.bincount(own.astype(np.int64), minlength=width) / size for own in (truth, other))
    # The variance of the matches under a random order (Hoeffding 1951).
    mean = float(a @ b)
    variance = (mean - float(a @ b**2) - float(a**2 @ b) + mean**2) * size**2 / (size - 1)
    matches = float(np.count_nonzero(truth == other))
    return (matches - size * mean) / math.sqrt(variance) if variance > 1e-9 else 0.0
