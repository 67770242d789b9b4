"""Any column in, a plain array out: lists, arrays, and the Series of any DataFrame."""

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from scumble.errors import DomainError


def as_numbers(column: Any) -> NDArray[np.float64]:
    """Return a column as floats, nan where it is missing.

    Examples
    --------
    >>> as_numbers([1, None, 2.5]).tolist()
    [1.0, nan, 2.5]

    Raises
    ------
    DomainError
        If it does not hold numbers. What it holds is not shown.
    """
    series = nw.from_native(column, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        if series.dtype.is_numeric() or series.dtype == nw.Boolean:
            column = series.cast(nw.Float64).to_numpy()
        elif series.dtype != nw.Object:
            raise DomainError(f"expected numbers, got a column of type {series.dtype}")
    try:
        return np.asarray(column, dtype=float)
    except (TypeError, ValueError):
        # The cause would quote a value of the column.
        raise DomainError("expected numbers, got values of another type") from None


def as_arrow(column: Any) -> Any:
    """Return a column as an Arrow array of plain values, null where it is missing.

    Raises
    ------
    DomainError
        If its values are of several types. What it holds is not shown.
    """
    import pyarrow as pa

    series = nw.from_native(column, series_only=True, pass_through=True)
    try:
        array = series.to_arrow() if isinstance(series, nw.Series) else column
        if not isinstance(array, pa.Array | pa.ChunkedArray):
            array = pa.array(array, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError):
        raise DomainError("expected values of one type, got several in one column") from None
    return array.cast(array.type.value_type) if pa.types.is_dictionary(array.type) else array
