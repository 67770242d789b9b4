"""Checks that a parameter is what it claims to be."""

import math
from typing import Any

from scumble.errors import SpecificationError


def number(name: str, value: Any) -> float:
    """Return a parameter as a float, or say that it is none."""
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise SpecificationError(f"{name}: expected a number, got {value!r}")
    result = float(value)
    if math.isnan(result):
        raise SpecificationError(f"{name}: expected a number, got nan")
    return result


def positive(name: str, value: Any) -> float:
    """Return a parameter that must be a finite number above zero."""
    result = number(name, value)
    if not 0 < result < math.inf:
        raise SpecificationError(f"{name}: expected a positive number, got {value!r}")
    return result


def share(name: str, value: Any) -> float:
    """Return a parameter that must lie strictly between 0 and 1."""
    result = number(name, value)
    if not 0 < result < 1:
        raise SpecificationError(f"{name}: expected a number between 0 and 1, got {value!r}")
    return result


def probability(name: str, value: Any) -> float:
    """Return a parameter that must lie between 0 and 1, ends included."""
    result = number(name, value)
    if not 0 <= result <= 1:
        raise SpecificationError(f"{name}: expected a probability from 0 to 1, got {value!r}")
    return result


def exactly_one(**given: Any) -> str:
    """Return the name of the only parameter that is not None."""
    names = [name for name, value in given.items() if value is not None]
    if len(names) != 1:
        got = " and ".join(names) if names else "none of them"
        raise SpecificationError(f"expected exactly one of {', '.join(given)}, got {got}")
    return names[0]
