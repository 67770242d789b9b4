"""Any column in, a plain array out: lists, arrays, and the Series of any DataFrame.

An error of a library would quote the value it stumbled over. So errors here are
raised after the library's own is forgotten, not while it is being handled: it must
not live on as the context of ours.
"""

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
        numbers, kind = _series_floats(series), type(series.dtype).__name__
    else:
        numbers, kind = _floats(column), "values of another type"
    if numbers is None:
        raise DomainError(f"expected numbers, got {kind}")
    return numbers


def as_arrow(column: Any, *, coded: bool = False) -> Any:
    """Return a column as an Arrow array of plain values, null where it is missing.

    Parameters
    ----------
    column : Series, array or list
        The column.
    coded : bool
        Whether categories may stay codes beside a list of values, which takes less memory.

    Raises
    ------
    DomainError
        If its values are of several types. What it holds is not shown.
    """
    import pyarrow as pa

    array = _arrow(column)
    if array is None:
        raise DomainError("expected values of one type, got several in one column")
    if coded or not pa.types.is_dictionary(array.type):
        return array
    return array.cast(array.type.value_type)


def holds_text(kind: Any) -> bool:
    """Say whether an Arrow type is one of text.

    Examples
    --------
    >>> import pyarrow as pa
    >>> holds_text(pa.large_string()), holds_text(pa.date32())
    (True, False)
    """
    import pyarrow as pa

    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(is_text(kind) for is_text in texts)


def taken(column: Any, order: NDArray[np.integer[Any]]) -> Any:
    """Return some values of a column, in an order, as a column of the same kind.

    Examples
    --------
    >>> import pyarrow as pa
    >>> taken(pa.chunked_array([["a", "b"]]), np.array([1, 0])).to_pylist()
    ['b', 'a']
    """
    import pyarrow as pa

    if isinstance(column, pa.Array):
        return column.take(pa.array(order))
    series = nw.from_native(column, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return nw.maybe_reset_index(series[order]).to_native()
    return np.asarray(column)[order]


def _series_floats(series: nw.Series[Any]) -> NDArray[np.float64] | None:
    missing = series.is_null()
    if missing.all():
        return np.full(len(series), np.nan)
    if series.dtype.is_integer() and _is_arrow(series):
        # A cast by narwhals refuses numbers that are too long for a float, and shows one.
        return _floats(series.to_arrow())
    if series.dtype.is_numeric() or series.dtype == nw.Boolean:
        return _floats(series.cast(nw.Float64).to_numpy())
    if series.dtype != nw.Object:
        return None
    return _floats(series.to_list())


def _is_arrow(series: nw.Series[Any]) -> bool:
    """Say whether a column is one of Arrow, also within pandas."""
    native = series.to_native()
    return series.implementation.is_pyarrow() or hasattr(native.dtype, "pyarrow_dtype")


def _floats(column: Any) -> NDArray[np.float64] | None:
    """Return the numbers of a column, or None if it is no column of numbers."""
    import pyarrow as pa

    if isinstance(column, np.ndarray) and column.dtype.kind in "biuf":
        numbers = np.ma.filled(column.astype(float, copy=False), np.nan)
        return numbers if numbers.ndim == 1 else None
    array = _arrow(column)
    if array is None or not (
        pa.types.is_integer(array.type)
        or pa.types.is_floating(array.type)
        or pa.types.is_boolean(array.type)
        or pa.types.is_decimal(array.type)
        or pa.types.is_null(array.type)
    ):
        return None
    return np.asarray(array.cast(pa.float64(), safe=False)).astype(float)


def _arrow(column: Any) -> Any:
    import pyarrow as pa

    series = nw.from_native(column, series_only=True, pass_through=True)
    try:
        if isinstance(series, nw.Series):
            return series.to_arrow()
        if isinstance(column, np.ma.MaskedArray):
            return pa.array(column.data, mask=np.ma.getmaskarray(column))
        if isinstance(column, pa.Array | pa.ChunkedArray):
            return column
        return pa.array(column, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return None
