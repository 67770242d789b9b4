"""Results as plain values, for JSON."""

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def plain_table(value: Any) -> dict[str, Any]:
    """Return a result as a plain table of what it shows."""
    shown = [field.name for field in fields(value) if field.repr]
    return {name: plain(getattr(value, name)) for name in shown}


def plain(value: Any) -> Any:
    """Return a value as plain Python has it: numbers, text, lists and tables.

    JSON knows no infinity: it becomes the text "inf". A number that is none becomes None.

    Examples
    --------
    >>> plain({0.95: np.float64(3.0), "worst": math.inf, "of": (1, None)})
    {'0.95': 3.0, 'worst': 'inf', 'of': [1, None]}
    """
    if is_dataclass(value) and not isinstance(value, type):
        return plain_table(value)
    if isinstance(value, Mapping):
        return {str(key): plain(own) for key, own in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(own) for own in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value
