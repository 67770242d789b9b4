"""What a tree is fitted to: a table, what is declared of it, classes and weights."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_sample_weight

from scumble.columns import as_arrow, as_numbers, holds_text
from scumble.dates import holds_dates
from scumble.errors import DomainError, SpecificationError, TableError
from scumble.mining._tree import Tree
from scumble.schema import Categorical, Date, Domain, Numeric, Specification, is_mined
from scumble.tables import Table

FloatArray = NDArray[np.float64]
MOST_VALUES = 10_000
_ANY_NUMBER, _ANY_DATE = Numeric(-np.inf, np.inf), Date(-np.inf, np.inf)
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
    attributes: Mapping[str, Domain]
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
    attributes: Mapping[str, Domain],
    labels: NDArray[np.uint16],
    classes: int,
    sample_weight: Any,
) -> Training:
    """Return the records of a table; those that weigh nothing are left out."""
    if sample_weight is None:
        return Training(table, attributes, labels, classes)
    if np.asarray(sample_weight).dtype.kind in "OUS":
        # scikit-learn would show the weight that it stumbles over.
        sample_weight = as_numbers(sample_weight)
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


def declared_attributes(spec: Specification) -> dict[str, Domain]:
    """Return the attributes of a specification that a tree may test."""
    found = {
        name: attribute
        for name, attribute in spec.attributes.items()
        if name != spec.class_attribute and is_mined(attribute)
    }
    if not found:
        raise SpecificationError(
            "attributes: expected at least one beside the class that is not withheld, and no text"
        )
    return _checked(found)


def inferred_attributes(table: Table) -> dict[str, Domain]:
    """Return what the columns of a table in clear are: numbers, dates, or else categories."""
    return _checked({name: _inferred(table, name) for name in table.names})


def _inferred(table: Table, name: str) -> Domain:
    import pyarrow as pa

    if table.is_numeric(name):
        return _ANY_NUMBER
    values = as_arrow(table.column(name)).unique().drop_null()
    kind = values.type
    numeric = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    if (numeric and not table.lists_values(name)) or not len(values):
        return _ANY_NUMBER
    if holds_dates(kind):
        return _ANY_DATE
    if pa.types.is_floating(kind) or not (numeric or holds_text(kind)):
        raise TableError(
            "table: expected numbers, dates, text or categories, got a column of type "
            f"{str(kind).partition('<')[0]}; convert or drop it"
        )
    order, found = table.value_order(name), set(values.to_pylist())
    known = sorted(found) if order is None else [value for value in order if value in found]
    if len(known) == 1:
        # A category needs two values; the second one never occurs.
        only = known[0]
        known.append(f"not {only}" if isinstance(only, str) else type(only)(not only))
    return Categorical(tuple(known), ordered=order is not None)


def _checked(attributes: dict[str, Domain]) -> dict[str, Domain]:
    for name, attribute in attributes.items():
        if isinstance(attribute, Categorical) and len(attribute) > MOST_VALUES:
            raise SpecificationError(
                f"attributes.{name}: a tree takes at most {MOST_VALUES:,} values, got "
                f"{len(attribute):,}; group them"
            )
    return attributes


def truth_column(
    table: Table, name: str, attribute: Domain, *, lenient: bool = False
) -> FloatArray:
    """Return a column of truths as a tree reads them: numbers or places of values.

    With `lenient`, a category that is not in the list counts as missing.
    """
    try:
        if isinstance(attribute, Numeric):
            numbers = attribute.numbers(table.column(name))
            if np.isinf(numbers).any():
                raise DomainError("expected finite numbers, got infinity")
            return numbers
        look_up = attribute.places if lenient else attribute.conform
        codes = look_up(table.column(name))
    except DomainError as error:
        raise DomainError(f"column {name!r}: {error}") from None
    return np.where(codes < 0, np.nan, codes)


def truth_blocks(table: Table, tree: Tree, *, lenient: bool = False) -> Iterator[FloatArray]:
    """Yield the records of a table as rows of numbers, block by block.

    What a tree does not test is not read.
    """
    for start in range(0, max(1, len(table)), _BLOCK):
        part = table.rows(start, start + _BLOCK)
        block = np.full((len(part), len(tree.names)), np.nan)
        for j, (name, attribute) in enumerate(tree.attributes.items()):
            if j in tree.tested:
                block[:, j] = truth_column(part, name, attribute, lenient=lenient)
        yield block


def plain_numbers(X: Any) -> Any:
    """Return a list or an array as numbers where that takes a conversion.

    scikit-learn's own conversion would show the value that it stumbles over.
    """
    if not isinstance(X, list | tuple | np.ndarray):
        return X
    try:
        array = np.asarray(X)
    except ValueError:  # rows of several lengths
        return X
    if np.iscomplexobj(array):
        raise TableError("Complex data not supported")
    if array.dtype.kind not in "OUS":
        return array
    try:
        return array.astype(float)
    except (TypeError, ValueError) as error:
        wrong: type[Exception] = type(error)
    if issubclass(wrong, TypeError):
        raise TypeError("argument must be a string or a number: the table holds neither")
    raise TableError(
        "table: expected numbers, got text; categories need a DataFrame or a specification"
    )
