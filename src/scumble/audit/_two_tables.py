"""A truth and another table, column beside column."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scumble.columns import as_arrow, as_numbers
from scumble.dates import as_days, holds_dates
from scumble.errors import DomainError, SpecificationError, TableError
from scumble.schema._named import suggestion
from scumble.tables import Table

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.integer[Any]]
ColumnKind = Literal["number", "date", "category"]


@dataclass(frozen=True, eq=False)
class TwoColumns:
    """One attribute in both tables.

    Attributes
    ----------
    name : str
        The attribute.
    kind : {"number", "date", "category"}
        What both hold.
    truth, other : array of float
        Numbers, days since 1970, or codes that mean the same category in both; nan where
        missing.
    """

    name: str
    kind: ColumnKind
    truth: FloatArray
    other: FloatArray

    @property
    def is_ordered(self) -> bool:
        """Whether values are numbers or dates."""
        return self.kind != "category"

    @cached_property
    def categories(self) -> int:
        """How many different values occur in either, where they are categories."""
        if self.is_ordered:
            return 0
        return (
            int(max(column.max(initial=-1, where=~np.isnan(column)) for column in self._both)) + 1
        )

    @property
    def _both(self) -> tuple[FloatArray, FloatArray]:
        return self.truth, self.other


class TwoTables:
    """A truth and a table that was made of it, by release or by recovery.

    Parameters
    ----------
    truth, other : DataFrame or array
        The tables; the columns of an array are called x0, x1 and so on.
    called : str
        What the other table is called in errors.

    Examples
    --------
    >>> import pyarrow as pa
    >>> both = TwoTables(pa.table({"size": ["s", "m"]}), pa.table({"size": ["m", None]}))
    >>> both["size"].kind, both["size"].truth.tolist(), both["size"].other.tolist()
    ('category', [0.0, 1.0], [1.0, nan])
    """

    def __init__(self, truth: Any, other: Any, *, called: str = "released") -> None:
        self.truth, self.other, self.called = table_of(truth), table_of(other), called
        for table, which in ((self.truth, "truth"), (self.other, called)):
            if not len(table):
                raise TableError(f"{which}: expected at least one record, got none")

    @property
    def names(self) -> list[str]:
        """The columns that both have, in the order of the truth."""
        return [name for name in self.truth.names if name in self.other.names]

    def chosen(self, names: Sequence[str], *, where: str) -> list[str]:
        """Return names, checked to be columns of both tables."""
        if isinstance(names, str) or not len(names):
            raise SpecificationError(f"{where}: expected a list of names of columns")
        for name in names:
            if name not in self.names:
                raise SpecificationError(
                    f"{where}: expected columns of the truth and of the {self.called} table, got "
                    f"{name!r}{suggestion(name, self.names)}"
                )
        return list(names)

    def comparable(self) -> Iterator[TwoColumns]:
        """Yield the columns that hold the same kind of values in both."""
        for name in self.names:
            kinds = _kind(self.truth, name), _kind(self.other, name)
            if None in kinds or kinds[0] == kinds[1]:
                yield self[name]

    def __getitem__(self, name: str) -> TwoColumns:
        kinds = [kind for kind in map(_kind, (self.truth, self.other), (name, name)) if kind]
        if len(set(kinds)) > 1:
            raise DomainError(
                f"column {name!r}: expected the same kind of values in both tables, got {kinds[0]} "
                f"in the truth and {kinds[1]} in the {self.called} one; leave it out"
            )
        kind: ColumnKind = kinds[0] if kinds else "number"
        columns = self.truth.column(name), self.other.column(name)
        if kind == "category":
            return TwoColumns(name, kind, *_shared_codes(*columns))
        read = as_days if kind == "date" else as_numbers
        truth, other = map(read, columns)
        return TwoColumns(name, kind, truth, other)


def table_of(given: Any) -> Table:
    """Return a table; columns without names are called x0, x1 and so on."""
    if isinstance(given, list):
        given = np.asarray(given)
    width = given.shape[1] if getattr(given, "ndim", 0) == 2 else 0
    return Table(given, names=[f"x{j}" for j in range(width)])


def drawn_rows(size: int, *, records: int, seed: int | None) -> NDArray[np.int64]:
    """Return the places of some records, drawn at random, in order.

    Examples
    --------
    >>> drawn_rows(3, records=10, seed=None).tolist()
    [0, 1, 2]
    """
    if isinstance(records, bool) or not isinstance(records, int) or records < 1:
        raise SpecificationError(f"records: expected a whole number above 0, got {records!r}")
    if size <= records:
        return np.arange(size)
    return np.sort(np.random.default_rng(seed).choice(size, records, replace=False))


def _kind(table: Table, name: str) -> ColumnKind | None:
    """Return what a column holds; None where it holds nothing."""
    import pyarrow as pa

    array = as_arrow(table.column(name))
    if array.null_count == len(array):
        return None
    if holds_dates(array.type):
        return "date"
    numeric = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    if any(holds(array.type) for holds in numeric) and not table.lists_values(name):
        return "number"
    return "category"


def _shared_codes(truth: Any, other: Any) -> tuple[FloatArray, FloatArray]:
    """Return two columns of categories as codes, the same for the same category."""
    import pyarrow as pa

    arrays = [as_arrow(column) for column in (truth, other)]
    parts = [array.combine_chunks() if hasattr(array, "chunks") else array for array in arrays]
    if parts[0].type != parts[1].type:
        parts = [part.cast(pa.string()) for part in parts]
    coded = pa.chunked_array(parts).dictionary_encode().combine_chunks().indices
    codes = np.asarray(coded.cast(pa.float64()).fill_null(np.nan)).astype(float)
    return codes[: len(parts[0])], codes[len(parts[0]) :]
