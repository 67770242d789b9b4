"""What a tree is fitted to: a table, what is declared of it, classes and weights."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_sample_weight

from scumble.columns import as_arrow, as_numbers
from scumble.errors import DomainError, SpecificationError, TableError
from scumble.schema import Attribute, Categorical, Numeric, Specification
from scumble.tables import Table

FloatArray = NDArray[np.float64]
MOST_VALUES = 10_000
_ANY_NUMBER = Numeric(-np.inf, np.inf)
_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class Training:
    """The records that a tree learns from.

    Attributes
    ----------
    table : Table
        The columns.
    attributes : mapping of str to Numeric or Categorical
        What is known of the columns that a tree may test.
    labels : array of uint16
        The class of each record, as its place among the classes.
    classes : int
        The number of classes.
    weights : array of float, optional
        The weight of each record.
    kept : array of bool, optional
        Which rows of the table are records; the others weigh nothing.
    """

    table: Table
    attributes: Mapping[str, Attribute]
    labels: NDArray[np.uint16]
    classes: int
    weights: FloatArray | None = None
    kept: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def weight(self) -> float:
        """The weight of all records."""
        return float(len(self) if self.weights is None else self.weights.sum())

    def rows_of(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the values of a column that belong to records."""
        return values if self.kept is None else values[self.kept]


def training_records(
    table: Table,
    attributes: Mapping[str, Attribute],
    labels: NDArray[np.uint16],
    classes: int,
    sample_weight: Any,
) -> Training:
    """Return the records of a table; those that weigh nothing are left out."""
    if sample_weight is None:
        return Training(table, attributes, labels, classes)
    # A copy, since the grower moves weights about.
    weights = _check_sample_weight(
        sample_weight, labels, dtype=np.float64, copy=True, ensure_non_negative=True
    )
    if not weights.any():
        raise TableError("Sample weights must contain at least one non-zero number.")
    kept = weights > 0
    # Weights above one say how many records a record stands for. Weights that sum to one,
    # say, do not mean that there is but one record: then each stands for one on average.
    weights /= min(1.0, weights[kept].mean())
    if kept.all():
        return Training(table, attributes, labels, classes, weights)
    return Training(table, attributes, labels[kept], classes, weights[kept], kept)


def declared_attributes(spec: Specification) -> dict[str, Attribute]:
    """Return the attributes of a specification that a tree may test."""
    found = {
        name: attribute
        for name, attribute in spec.attributes.items()
        if name != spec.class_attribute and attribute.sensitivity != "withheld"
    }
    if not found:
        raise SpecificationError(
            "attributes: expected at least one beside the class that is not withheld"
        )
    return _checked(found)


def inferred_attributes(table: Table) -> dict[str, Attribute]:
    """Return what the columns of a table in clear are: numbers, or else categories.

    A column of a single category tells nothing and is left out.
    """
    found: dict[str, Attribute] = {}
    for name in table.names:
        attribute = _inferred(table, name)
        if attribute is not None:
            found[name] = attribute
    return _checked(found)


def _inferred(table: Table, name: str) -> Attribute | None:
    import pyarrow as pa

    if table.is_numeric(name):
        return _ANY_NUMBER
    column = as_arrow(table.column(name)).unique().drop_null()
    kind = column.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
        return _ANY_NUMBER
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    if len(column) and not any(is_text(kind) for is_text in texts):
        raise TableError(
            "table: expected numbers, text or categories, got a column of type "
            f"{str(kind).partition('<')[0]}; convert or drop it"
        )
    return Categorical(tuple(sorted(column.to_pylist()))) if len(column) > 1 else None


def _checked(attributes: dict[str, Attribute]) -> dict[str, Attribute]:
    for name, attribute in attributes.items():
        if isinstance(attribute, Categorical) and len(attribute) > MOST_VALUES:
            raise SpecificationError(
                f"attributes.{name}: a tree takes at most {MOST_VALUES:,} values, got "
                f"{len(attribute):,}; group them"
            )
    return attributes


def truth_column(
    table: Table, name: str, attribute: Attribute, *, lenient: bool = False
) -> FloatArray:
    """Return a column of truths as a tree reads them: numbers or places of values.

    With `lenient`, a category that is not in the list counts as missing.
    """
    try:
        if isinstance(attribute, Numeric):
            numbers = as_numbers(table.column(name))
            if np.isinf(numbers).any():
                raise DomainError("expected finite numbers, got infinity")
            return numbers
        look_up = attribute.places if lenient else attribute.conform
        codes = look_up(table.column(name))
    except DomainError as error:
        raise DomainError(f"column {name!r}: {error}") from None
    return np.where(codes < 0, np.nan, codes)


def truth_blocks(
    table: Table, attributes: Mapping[str, Attribute], *, lenient: bool = False
) -> Iterator[FloatArray]:
    """Yield the records of a table as rows of numbers, block by block."""
    for start in range(0, len(table), _BLOCK):
        part = table.rows(start, start + _BLOCK)
        yield np.column_stack(
            [truth_column(part, name, a, lenient=lenient) for name, a in attributes.items()]
        )
