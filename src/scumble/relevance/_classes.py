"""The class of each record, as a place in a sorted list of classes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.columns import as_arrow
from scumble.errors import DomainError, TableError

MOST_CLASSES = 1000


def class_codes(y: Any) -> tuple[tuple[Any, ...], NDArray[np.intp]]:
    """Return the classes in ascending order, and the place of each label among them.

    Parameters
    ----------
    y : array, list or Series
        The labels.

    Raises
    ------
    TableError
        If a label is missing, or they are no classes.

    Examples
    --------
    >>> classes, codes = class_codes(["no", "yes", "no"])
    >>> classes, codes.tolist()
    (('no', 'yes'), [0, 1, 0])
    """
    labels = _labels(y)
    if labels.null_count:
        raise TableError(
            f"y: expected a class for each record, got none for {labels.null_count} of "
            f"{len(labels)}; drop these records, or give them a class of their own"
        )
    coded = labels.dictionary_encode()
    coded = coded.combine_chunks() if hasattr(coded, "combine_chunks") else coded
    found = coded.dictionary.to_pylist()
    _check(found)
    classes = sorted(found)
    places = {value: place for place, value in enumerate(classes)}
    place = np.array([places[value] for value in found], dtype=np.intp)
    return tuple(classes), place[np.asarray(coded.indices)]


def _labels(y: Any) -> Any:
    if isinstance(y, np.ndarray) and y.ndim != 1:
        raise TableError(f"y: expected one column of classes, got shape {y.shape}")
    try:
        labels = as_arrow(y)
    except DomainError as error:
        raise TableError(f"y: {error}; make them classes of one type") from None
    import pyarrow as pa

    if pa.types.is_nested(labels.type):
        raise TableError("y: expected one column of classes, got several values for a record")
    if pa.types.is_floating(labels.type):
        # nan is a label that is missing, in every kind of table.
        numbers = np.asarray(labels).astype(float)
        return pa.array(numbers, from_pandas=True)
    return labels


def _check(found: list[Any]) -> None:
    if any(isinstance(value, float) and value % 1 != 0 for value in found):
        raise TableError(
            "y: expected classes, got numbers with a fraction; cut the class into a few "
            "first, such as low and high"
        )
    if not found:
        raise TableError("y: expected classes, got none; has the table records with a class?")
    if not 0 < len(found) <= MOST_CLASSES:
        raise TableError(
            f"y: expected from 1 to {MOST_CLASSES} classes, got {len(found)}; is it a class?"
        )
