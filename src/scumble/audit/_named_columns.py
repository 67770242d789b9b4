"""A table whose columns have the names that the specification gives them."""

from collections.abc import Sequence
from typing import Any

from scumble.columns import as_arrow
from scumble.declared import declared_table
from scumble.schema import Specification


def named_columns(X: Any, spec: Specification, names: Sequence[str]) -> Any:
    """Return some columns of a table, of an array too, as an Arrow table.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble import Numeric
    >>> spec = Specification({"age": Numeric(0, 90), "pulse": Numeric(30, 200)})
    >>> named_columns(np.array([[30.0, 70.0]]), spec, ["pulse"]).to_pydict()
    {'pulse': [70.0]}
    """
    import pyarrow as pa

    table = declared_table(X, spec, withheld=False)
    return pa.table({name: as_arrow(table.column(name)) for name in names})
