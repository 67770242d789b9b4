"""Any table in, the same kind out: pandas, polars, pyarrow or a numpy array.

Columns leave as plain arrays and come back as columns of the kind they came from.
"""

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from scumble.columns import holds_text
from scumble.dates import holds_dates
from scumble.errors import TableError

_KEY = "scumble"


@dataclass(frozen=True)
class Provenance:
    """How a table of reports was made.

    Attributes
    ----------
    digest : str
        The digest of the specification that disguised it.
    seeded : bool
        Whether the noise can be repeated by anyone who knows the seed: such
        reports are for experiments and protect nobody.
    """

    digest: str
    seeded: bool


class Table:
    """A table whose columns are read and replaced by name.

    Parameters
    ----------
    native : DataFrame or array
        Anything that narwhals reads eagerly, or a two-dimensional array.
    names : sequence of str
        What the columns of an array are called; a DataFrame brings its own names.
    """

    def __init__(self, native: Any, *, names: Sequence[str] = ()) -> None:
        self._array = native if isinstance(native, np.ndarray) else None
        if isinstance(native, np.ma.MaskedArray):
            numeric = native.dtype.kind in "biuf"
            kind, missing = (float, np.nan) if numeric else (object, None)
            self._array = np.ma.filled(native.astype(kind), missing)
        if self._array is not None:
            if self._array.ndim != 2 or self._array.shape[1] != len(names):
                raise TableError(
                    f"table: expected an array of {len(names)} columns ({', '.join(names)}), "
                    f"got shape {self._array.shape}"
                )
            self.names = list(names)
            return
        frame = _frame(native)
        if isinstance(frame, str):
            # Raised here and not while a library's error, which may quote a name that
            # is a value, is being handled: it would live on as the context of ours.
            raise TableError(frame)
        self._frame = frame
        self.names = list(self._frame.columns)
        if len(set(self.names)) < len(self.names):
            raise TableError("table: expected each column name once")

    def __len__(self) -> int:
        return len(self._frame if self._array is None else self._array)

    def lists_values(self, name: str) -> bool:
        """Say whether a column carries a list of values, with perhaps more than it uses."""
        if self._array is not None:
            return False
        return self._frame.get_column(name).dtype in (nw.Categorical, nw.Enum)

    def is_numeric(self, name: str) -> bool:
        """Say whether a column holds numbers, or truth values."""
        if self._array is not None:
            return self._array.dtype.kind in "biuf"
        dtype = self._frame.get_column(name).dtype
        return bool(dtype.is_numeric() or dtype == nw.Boolean)

    def rows(self, start: int, stop: int) -> "Table":
        """Return some of the rows, without a copy."""
        if self._array is not None:
            return Table(self._array[start:stop], names=self.names)
        return Table(self._frame[start:stop].to_native())

    def empty(self) -> "Table":
        """Return the same columns without a row, and without a hold on what was in them."""
        if self._array is not None:
            return Table(self._array[:0].copy(), names=self.names)
        native = self._frame.to_native()
        # A slice of an Arrow table keeps all of it in memory.
        return Table(
            native.schema.empty_table()
            if self._frame.implementation.is_pyarrow()
            else self._frame.head(0).clone().to_native()
        )

    def chosen(self, names: Sequence[str]) -> "Table":
        """Return some of the columns."""
        if self._array is not None:
            places = [self.names.index(name) for name in names]
            return Table(self._array[:, places], names=names)
        return Table(self._frame.select(list(names)).to_native())

    def where(self, kept: NDArray[np.bool_]) -> "Table":
        """Return some of the rows."""
        if kept.all():
            return self
        if self._array is not None:
            return Table(self._array[kept], names=self.names)
        return Table(self._frame.filter(kept.tolist()).to_native())

    @property
    def native(self) -> Any:
        """The table itself, as it was given."""
        return self._frame.to_native() if self._array is None else self._array

    def value_order(self, name: str) -> list[Any] | None:
        """Return the values of a column that lists them in an order that means something."""
        if self._array is not None:
            return None
        column = self._frame.get_column(name)
        if isinstance(column.dtype, nw.Enum):
            return list(column.dtype.categories)
        native = column.to_native()
        if getattr(getattr(native, "dtype", None), "ordered", False) is True:
            return list(native.cat.categories)
        return None

    def renamed(self, names: Sequence[Any]) -> "Table":
        """Return the same columns under other names."""
        if self._array is not None:
            return Table(self._array, names=list(names))
        if list(names) == self.names:
            return self
        return Table(self._frame.rename(dict(zip(self.names, names, strict=True))).to_native())

    def column(self, name: str) -> Any:
        """Return a column as its own kind of table has it."""
        if self._array is not None:
            return self._array[:, self.names.index(name)]
        return self._frame.get_column(name).to_native()

    def own_column(self, name: str, values: Any) -> Any:
        """Return new values as a column of the kind that this table has."""
        if values is None or self._array is not None:
            return values
        return self._series(name, values).to_native()

    def replaced(self, columns: Mapping[str, Any]) -> Any:
        """Return a table of the same kind with some columns replaced.

        A column is an array, an Arrow array, or a column of a table of this kind; None
        leaves it out.
        An index of pandas and the metadata of pyarrow stay behind: nothing declares
        them, and they may name the people.
        """
        gone = [name for name, values in columns.items() if values is None]
        given = {name: values for name, values in columns.items() if values is not None}
        if self._array is not None:
            places = {self.names.index(name): own for name, own in given.items()}
            result = _replaced_in_array(self._array, places)
            kept = [place for place, name in enumerate(self.names) if name not in gone]
            return result[:, kept] if gone else result
        frame = nw.maybe_reset_index(self._frame.clone())
        series = [self._series(name, values) for name, values in given.items()]
        frame = frame.with_columns(*series) if series else frame
        return (frame.drop(*gone) if gone else frame).to_native()

    def made_of(self, columns: Mapping[str, Any]) -> Any:
        """Return a table of the same kind that has other columns, all of them new.

        Notes that pandas keeps beside a table stay behind.
        """
        if self._array is not None:
            plain = [v if isinstance(v, np.ndarray) else _objects(v) for v in columns.values()]
            kind = float if all(map(_numeric, plain)) else object
            return np.column_stack([values.astype(kind) for values in plain])
        series = [self._series(name, values) for name, values in columns.items()]
        made = series[0].to_frame().with_columns(*series[1:]).to_native()
        if hasattr(made, "attrs"):
            made.attrs = {}
        return made

    def _series(self, name: str, values: Any) -> nw.Series[Any]:
        import pyarrow as pa

        backend = self._frame.implementation
        if isinstance(values, pa.Array) and backend.is_pandas_like():
            values = _as_pandas(values, self.column(name))
        elif isinstance(values, pa.Array) and backend.is_pyarrow():
            values = pa.chunked_array([values])
        if not isinstance(values, np.ndarray | pa.Array):
            native = nw.from_native(values, series_only=True).alias(name)
            return nw.maybe_reset_index(native)
        if backend.is_pandas_like():
            return nw.new_series(name, values, backend=backend)
        column = values if isinstance(values, pa.Array) else pa.array(values, from_pandas=True)
        if backend.is_pyarrow():
            column = nw.from_native(pa.chunked_array([column]), series_only=True)
        else:
            column = nw.new_series(name, column, backend=backend)
        return cast("nw.Series[Any]", column.alias(name))


def _as_pandas(values: Any, column: Any) -> Any:
    """Return an Arrow array as a column of pandas; dates as it had them before."""
    if not holds_dates(values.type) and not holds_text(values.type):
        return values.to_pandas()
    if hasattr(column.dtype, "pyarrow_dtype"):
        return type(column)(type(column.array)(values))
    return values.to_pandas() if column.dtype.kind == "M" else _objects(values)


def _objects(values: Any) -> NDArray[np.object_]:
    """Return the values of an Arrow array as Python has them, None where missing."""
    plain = np.empty(len(values), dtype=object)
    plain[:] = values.to_pylist()
    return plain


def _replaced_in_array(array: NDArray[Any], columns: Mapping[int, Any]) -> NDArray[Any]:
    """Return an array with some columns replaced: of numbers, of dates, or of any objects."""
    own = {j: v if isinstance(v, np.ndarray) else _objects(v) for j, v in columns.items()}
    if array.dtype.kind == "M":
        # As objects, times in nanoseconds would be whole numbers.
        array = array.astype("datetime64[us]")
    numeric = all(map(_numeric, (array, *own.values())))
    result = array.astype(float if numeric else object)
    for j, values in own.items():
        result[:, j] = values
    return result.astype(array.dtype) if array.dtype.kind == "M" and _dated(own) else result


def _dated(columns: Mapping[int, NDArray[Any]]) -> bool:
    """Say whether columns hold nothing but dates and missing values."""
    return all(
        value is None or isinstance(value, datetime.date)
        for values in columns.values()
        for value in values
    )


def _numeric(values: NDArray[Any]) -> bool:
    """Say whether an array holds nothing but numbers, or such and missing values."""
    if values.dtype.kind == "O" and values.ndim == 1:
        return not any(isinstance(value, str | datetime.date) for value in values)
    return values.dtype.kind in "biuf"


def _frame(native: Any) -> "nw.DataFrame[Any] | str":
    """Return a table as narwhals sees it, or why it is none."""
    try:
        frame: nw.DataFrame[Any] = nw.from_native(native, eager_only=True)
        return frame
    except TypeError:
        return (
            "table: expected a pandas, polars or pyarrow table or a two-dimensional array, "
            f"got {type(native).__name__}"
        )
    except (ValueError, nw.exceptions.NarwhalsError):
        return "table: expected each column name once"


def stamped(table: Any, provenance: Provenance) -> Any:
    """Return the table with a note of how it was made, where its kind can carry one."""
    if hasattr(table, "replace_schema_metadata"):
        import pyarrow as pa

        fields = [field.remove_metadata() for field in table.schema]
        note = {_KEY: json.dumps(asdict(provenance))}
        return pa.Table.from_arrays(table.columns, schema=pa.schema(fields, metadata=note))
    if hasattr(table, "attrs"):
        table = table.rename_axis(columns=None)
        table.attrs = {_KEY: asdict(provenance)}
    return table


def provenance(reports: Any) -> Provenance | None:
    """Return how a table of reports was made, or None where it does not say.

    pyarrow carries the note in its schema (and so into Parquet), pandas in `attrs`;
    polars and plain arrays have no place for it.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Numeric, Specification, disguise, provenance
    >>> from scumble.mechanisms import GaussianNoise
    >>> spec = Specification({"age": Numeric(20, 80, mechanism=GaussianNoise(privacy=1.0))})
    >>> reports = disguise(pa.table({"age": [34, 51]}), spec, seed=1)
    >>> provenance(reports).seeded, provenance(reports).digest == spec.digest
    (True, True)
    """
    note: Any = None
    if hasattr(reports, "replace_schema_metadata"):
        metadata = reports.schema.metadata or {}
        stored = metadata.get(_KEY.encode())
        # What pandas wrote to Parquet has its attrs there.
        attrs = json.loads(metadata.get(b"PANDAS_ATTRS", b"{}"))
        note = attrs.get(_KEY) if stored is None else json.loads(stored)
    elif hasattr(reports, "attrs"):
        note = reports.attrs.get(_KEY)
    return None if note is None else Provenance(**note)
