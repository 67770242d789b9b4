"""Lists of values: what may stand in one, and the place of each value of a column."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.errors import DomainError, SpecificationError
from scumble.schema._cells import MISSING


def plain_values(name: str, values: Any) -> tuple[Any, ...]:
    """Return a parameter that must be a list of values: all of one type, each once.

    Examples
    --------
    >>> plain_values("values", ["no", "yes"])
    ('no', 'yes')
    """
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise SpecificationError(f"{name}: expected a list, got {values!r}")
    plain = tuple(v.item() if isinstance(v, np.generic) else v for v in values)
    types = {type(value) for value in plain}
    if len(types) > 1 or not types <= {str, int, bool, tuple}:
        raise SpecificationError(f"{name}: expected all text, all whole numbers or all booleans")
    if types == {int} and not -(2**63) <= min(plain) <= max(plain) < 2**63:
        raise SpecificationError(f"{name}: expected whole numbers of at most 64 bits")
    if len(set(plain)) < len(plain):
        raise SpecificationError(f"{name}: expected each value once, got some more than once")
    return plain


def look_up(column: Any, values: Any) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Return the place of each value of a column in a list, and which are missing.

    Parameters
    ----------
    column : Arrow array
        The column, as `as_arrow` gives it.
    values : Arrow array
        The list.

    Returns
    -------
    places, missing
        A place is -1 where a value is missing or not in the list.

    Raises
    ------
    DomainError
        If the column is of a type that cannot be compared with the list.
    """
    import pyarrow.compute as pc

    kind = str(column.type).partition("<")[0]
    missing = np.asarray(pc.is_null(column, nan_is_null=True))
    if missing.all():
        # Whatever its type: a column without a value has that of an empty cell.
        return np.full(len(missing), MISSING, dtype=np.int32), missing
    value_set = _matching(values, column.type)
    column = None if value_set is None else _cast(column, value_set.type)
    if column is None:
        raise DomainError(
            f"expected values of type {type(values[0].as_py()).__name__}, "
            f"got a column of type {kind}"
        )
    places = pc.fill_null(pc.index_in(column, value_set=value_set), MISSING)
    result = np.asarray(places).astype(np.int32)
    result[missing] = MISSING
    return result, missing


def _cast(column: Any, kind: Any) -> Any:
    """Return a column in another type, or None: the library's error would quote a value."""
    import pyarrow as pa

    try:
        return column if column.type == kind else column.cast(kind)
    except pa.ArrowException:
        return None


def _matching(values: Any, column: Any) -> Any:
    """Return declared values in a type in which a column can be compared with them.

    Numbers are compared as numbers, so that 1, 1.0 and true are the same and 5 is not
    true; whole numbers may stand for text that spells them. Else None.
    """
    import pyarrow as pa

    def numeric(kind: Any) -> bool:
        return bool(
            pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
        )

    if column == values.type or pa.types.is_null(column):
        return values
    if numeric(values.type) and numeric(column):
        whole = values.cast(pa.int64())
        return _cast(whole, pa.float64()) if pa.types.is_floating(column) else whole
    text = pa.types.is_string(values.type)
    if text and (pa.types.is_large_string(column) or pa.types.is_string_view(column)):
        return values
    return values if text and pa.types.is_integer(column) else None
