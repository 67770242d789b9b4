"""Reading the records of a table to declare it: only where that is allowed, and not in silence."""

import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.binarise._sides import Cut
from scumble.columns import as_arrow
from scumble.dates import holds_dates
from scumble.errors import ScumbleWarning, SpecificationError, TableError
from scumble.relevance._classes import class_codes
from scumble.tables import Table


@dataclass(eq=False)
class Look:
    """What may be read of the records, and what was.

    Attributes
    ----------
    table : Table or None
        The records.
    cut : str
        What they are read for.
    allowed : bool
        Whether they may be read.
    class_attribute : str or None
        The class.
    seen : set of str
        The columns that were.
    """

    table: Table | None
    cut: Cut
    allowed: bool
    class_attribute: str | None = None
    seen: set[str] = field(default_factory=set)

    def column(self, name: str) -> Any:
        """Return a column, or say that it may not be read."""
        if self.table is None or name not in self.table.names:
            raise SpecificationError("expected a column of the table; give it, or cut='middle'")
        if not self.allowed:
            raise SpecificationError(
                f"expected infer=True, since cut={self.cut!r} takes the records of this column, "
                "which the specification then tells something of; or declare it in domains, and "
                "take cut='middle'"
            )
        self.seen.add(name)
        return self.table.column(name)

    @cached_property
    def classes(self) -> NDArray[np.intp]:
        """The class of each record, from 0 on."""
        if self.table is None or self.class_attribute not in self.table.names:
            raise SpecificationError(
                "expected a table with the class, for cut='gain'; name it in class_attribute"
            )
        labels = self.column(self.class_attribute)
        try:
            return class_codes(labels)[1]
        except TableError as error:
            raise TableError(f"class_attribute: {error}") from None

    def order(self, name: str) -> list[Any] | None:
        """Return the order of values that a column states, if it states one."""
        if self.table is None or name not in self.table.names:
            return None
        return self.table.value_order(name)

    def categories(self, name: str) -> list[Any]:
        """Return the categories of a column: in an order that it states, or sorted."""
        found = as_arrow(self.column(name)).unique().drop_null().to_pylist()
        order = self.order(name)
        if not found:
            raise SpecificationError(
                "expected some values, got none; declare the domain of this column, or leave it out"
            )
        return sorted(found) if order is None else [value for value in order if value in found]

    def holds_numbers(self, name: str) -> bool:
        """Say whether a column is one of numbers, by its type alone."""
        import pyarrow as pa

        if self.table is None or self.table.lists_values(name):
            return False
        kind = as_arrow(self.table.column(name)).type
        return bool(
            pa.types.is_integer(kind)
            or pa.types.is_floating(kind)
            or pa.types.is_decimal(kind)
            or pa.types.is_null(kind)
        )

    def holds_dates(self, name: str) -> bool:
        """Say whether a column is one of dates, by its type alone."""
        return self.table is not None and holds_dates(as_arrow(self.table.column(name)).type)

    def warn(self) -> None:
        """Warn of what was read."""
        if self.seen and self.table is not None:
            warnings.warn(
                f"binary_specification: {len(self.seen)} of {len(self.table.names)} columns were "
                "read, and the specification tells where they are cut, and which categories they "
                "have; publish it only if that may be known",
                ScumbleWarning,
                stacklevel=3,
            )
