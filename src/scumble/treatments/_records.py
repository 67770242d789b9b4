"""A table in clear, as treatments read it."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble._disguise import public_column
from scumble.columns import as_arrow, as_numbers
from scumble.dates import as_days, holds_dates
from scumble.errors import DomainError, TableError
from scumble.schema import Attribute, Date, Numeric, is_mined
from scumble.tables import Table
from scumble.treatments._guide import Guide, guide_of

IntArray = NDArray[np.integer[Any]]
FloatArray = NDArray[np.float64]


class Records:
    """The records of a custodian: columns by name, and which of them is the class.

    Parameters
    ----------
    table : Table
        The columns.
    attributes : mapping of str to attribute
        What is declared of some of them.
    class_name : str, optional
        The class.
    labels : array or Series, optional
        The classes, where the table does not hold them.
    """

    def __init__(
        self,
        table: Table,
        *,
        attributes: Mapping[str, Attribute] | None = None,
        class_name: str | None = None,
        labels: Any = None,
    ) -> None:
        self.table, self.class_name = table, class_name
        self.attributes = dict(attributes or {})
        self._labels = labels

    def __len__(self) -> int:
        return len(self.table)

    def column(self, name: str) -> Any:
        """Return a column as its own kind of table has it."""
        if name in self.table.names:
            return self.table.column(name)
        if name == self.class_name and self._labels is not None:
            return self._labels
        raise TableError(
            f"table: no column {name!r}, which a treatment reads; hand over the table with it"
        )

    def told(self, name: str) -> Any:
        """Return a column with what is declared of it and no more, to be passed on.

        A list of values of which some are not used, or the time of a day, is left behind.

        Raises
        ------
        DomainError
            If values lie outside the declared domain; it tells how many.
        """
        attribute = self.attributes.get(name)
        if attribute is None or name not in self.table.names:
            return self.column(name)
        return public_column(self.table, name, attribute).get(name, self.column(name))

    def numbers(self, name: str) -> FloatArray:
        """Return a column of numbers, nan where missing; days where it holds dates."""
        try:
            attribute = self.attributes.get(name)
            if isinstance(attribute, Numeric):
                return attribute.conform(self.column(name))
            column = self.column(name)
            return as_days(column) if self.is_date(name) else as_numbers(column)
        except DomainError as error:
            raise DomainError(f"column {name!r}: {error}") from None

    def is_date(self, name: str) -> bool:
        """Say whether a column holds dates, by what is declared or else by its type."""
        if name in self.attributes:
            return isinstance(self.attributes[name], Date)
        return holds_dates(as_arrow(self.column(name)).type)

    def places(self, name: str) -> IntArray:
        """Return a code for each record: the same for equal values, -1 where missing."""
        return places_of(self.column(name))

    def truths(self, name: str) -> IntArray:
        """Return what an intruder wants to know, as codes: the value, or its cell.

        Of a number whose domain is declared it is the cell (a hundredth of the domain, or
        one of its steps): nobody needs the last digit.
        """
        attribute = self.attributes.get(name)
        if isinstance(attribute, Numeric) and np.isfinite(attribute.width):
            return attribute.cells().codes(self.numbers(name))
        return self.places(name)

    def forget(self, name: str) -> None:
        """Let go of a column that nobody will ask for again."""
        self.table = self.table.chosen([other for other in self.table.names if other != name])

    @cached_property
    def classes(self) -> IntArray:
        """The class of each record, as a code."""
        if self.class_name is None:
            raise TableError(
                "table: expected a class, which a treatment reads; name the class attribute"
            )
        return self.places(self.class_name)

    @cached_property
    def guide(self) -> Guide:
        """What a C4.5 tree of these records says, for noise that must keep its rules."""
        from scumble.mining import C45Classifier

        names = [name for name in self.table.names if self._is_minable(name)]
        if not names:
            raise TableError("table: expected an attribute beside the class for a tree to test")
        known = self.classes >= 0
        table = self.table.chosen(names)
        model = C45Classifier().fit(table.where(known).native, self.classes[known])
        missing = np.zeros(len(self), dtype=bool)
        for place in model.tree_.tested:
            missing |= self.places(model.tree_.names[place]) < 0
        return guide_of(model, table.native, self.classes, missing=missing)

    def _is_minable(self, name: str) -> bool:
        attribute = self.attributes.get(name)
        if attribute is None:
            return name != self.class_name
        # As every miner's tree does, it leaves text alone.
        return name != self.class_name and is_mined(attribute)


def places_of(column: Any) -> IntArray:
    """Return a code for each value of a column: the same for equal values, -1 where missing.

    Examples
    --------
    >>> places_of(np.array(["no", "yes", None, "no"], dtype=object)).tolist()
    [0, 1, -1, 0]
    """
    import pyarrow as pa

    array = as_arrow(column, coded=True)
    if isinstance(array, pa.ChunkedArray):
        array = array.unify_dictionaries().combine_chunks()
    try:
        if pa.types.is_dictionary(array.type):
            # A list of values may hold one twice.
            codes = array.dictionary.dictionary_encode().indices.take(array.indices)
        else:
            codes = array.dictionary_encode().indices
    except pa.ArrowNotImplementedError:
        # Pictures, say: no two are taken to be the same.
        codes = pa.array(np.arange(len(array)), mask=~np.asarray(array.is_valid()))
    if codes.null_count:
        codes = codes.fill_null(-1)
    return np.asarray(codes)
