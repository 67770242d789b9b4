"""The labels of a model as plain values and the type that holds them, and back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.errors import ModelError
from scumble.mining._labels import MOST_CLASSES
from scumble.mining.export._file_parts import check_keys, listed, wrong

# Truth values, whole numbers, floats, text, and any of them as Python has it.
_KINDS = "biufUO"


def classes_to_dict(classes: NDArray[Any]) -> dict[str, Any]:
    """Return labels as plain values.

    Examples
    --------
    >>> classes_to_dict(np.array(["no", "yes"]))
    {'dtype': '<U3', 'values': ['no', 'yes']}
    """
    values = classes.tolist()
    plain = all(type(value) in (bool, int, float, str) for value in values)
    if classes.dtype.kind not in _KINDS or not plain:
        raise ModelError(
            f"classes: expected text, numbers or truth values, got {classes.dtype.name}; "
            "fit the tree to such labels"
        )
    return {"dtype": classes.dtype.str, "values": values}


def classes_from_dict(given: Any) -> NDArray[Any]:
    """Return the labels that plain values describe.

    Raises
    ------
    ModelError
        If the values are not of the type, or not each once in ascending order.
    """
    check_keys(given, "classes", needed=("dtype", "values"))
    values = listed(given["values"], "classes.values")
    if not 0 < len(values) <= MOST_CLASSES:
        raise wrong("classes.values", f"from 1 to {MOST_CLASSES} labels", len(values))
    if any(type(value) not in (bool, int, float, str) for value in values):
        raise wrong("classes.values", "text, numbers or truth values", values)
    dtype = _dtype(given["dtype"])
    try:
        classes = np.array(values, dtype=dtype)
        ascending = bool((classes[1:] > classes[:-1]).all())
    except (TypeError, ValueError, OverflowError):
        raise wrong("classes.values", f"labels of type {dtype}", values) from None
    # A type that is too short would cut labels off without a word.
    same = [(type(value), value) for value in classes.tolist()]
    if same != [(type(value), value) for value in values] or not ascending:
        raise wrong("classes.values", f"labels of type {dtype} in ascending order", values)
    return classes


def _dtype(given: Any) -> np.dtype[Any]:
    try:
        dtype = np.dtype(given) if isinstance(given, str) else None
    except (TypeError, ValueError, SyntaxError):
        dtype = None
    # As short as can be, so that no file asks for a label of a million letters.
    if dtype is None or dtype.kind not in _KINDS or dtype.itemsize > 4 * 10_000:
        raise wrong("classes.dtype", "a numpy type of text, numbers or truth values", given)
    return dtype
