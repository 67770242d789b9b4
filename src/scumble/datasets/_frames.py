"""Tables of the kind the caller asked for."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import narwhals as nw
from numpy.typing import NDArray

from scumble.errors import DatasetError, SpecificationError

if TYPE_CHECKING:
    import pyarrow as pa

_EAGER = ("pyarrow", "pandas", "polars", "modin", "cudf")


def frame_from_columns(columns: Mapping[str, NDArray[Any]], *, backend: str) -> Any:
    """Return a native table of these columns."""
    return nw.from_dict(dict(columns), backend=_implementation(backend)).to_native()


def frame_from_arrow(table: "pa.Table", *, backend: str) -> Any:
    """Return a native table with the content of an Arrow table; nulls stay nulls."""
    return nw.from_arrow(table, backend=_implementation(backend)).to_native()


def checked_backend(backend: str) -> str:
    """Return the name of a back end that is installed, or raise.

    Meant to be called first, so that a typing error does not cost the making of a
    table.
    """
    if backend not in _EAGER:
        raise SpecificationError(
            f"backend: expected one of {', '.join(_EAGER)}, got {backend!r}; choose one"
        )
    try:
        import_module(backend)
    except ImportError:
        raise DatasetError(
            f"backend: expected {backend} to be installed, got no such package; "
            f"install {backend} or choose another back end"
        ) from None
    return backend


def _implementation(backend: str) -> Any:
    return nw.Implementation.from_string(checked_backend(backend))
