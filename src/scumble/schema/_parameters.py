"""Checks that a parameter is what it claims to be."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from scumble.errors import SpecificationError


def number(name: str, value: Any) -> float:
    """Return a parameter as a float, or say that it is none."""
    if isinstance(value, str) and value in ("inf", "-inf"):  # JSON has no infinity of its own
        return float(value)
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise SpecificationError(f"{name}: expected a number, got {value!r}")
    try:
        result = float(value) + 0.0  # -0.0 becomes 0.0: equal numbers look equal
    except (TypeError, OverflowError):
        raise SpecificationError(f"{name}: expected a number that a float can hold") from None
    if math.isnan(result):
        raise SpecificationError(f"{name}: expected a number, got nan")
    return result


def numbers(name: str, values: Any) -> tuple[float, ...]:
    """Return a parameter that must be a list of numbers."""
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise SpecificationError(f"{name}: expected a list of numbers, got {values!r}")
    return tuple(number(name, value) for value in values)


def budget(name: str, value: Any) -> float:
    """Return a parameter that must be an epsilon: positive, and small enough to mean something."""
    result = positive(name, value)
    if not 1e-6 <= result <= 100:
        raise SpecificationError(f"{name}: expected a number from 1e-6 to 100, got {value!r}")
    return result


def text(name: str, value: Any) -> str:
    """Return a parameter that must be text."""
    if not isinstance(value, str) or not value:
        raise SpecificationError(f"{name}: expected text, got {value!r}")
    return value


def positive(name: str, value: Any) -> float:
    """Return a parameter that must be a finite number above zero."""
    result = number(name, value)
    if not 1e-100 < result < 1e100:
        raise SpecificationError(
            f"{name}: expected a positive number of a sensible size, got {value!r}"
        )
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
