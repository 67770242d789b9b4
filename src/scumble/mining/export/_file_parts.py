"""The parts of a model file: looked up, checked, and named where they are wrong."""

import math
from collections.abc import Collection
from typing import Any

from scumble.errors import ModelError
from scumble.schema._named import suggestion

_LONGEST = 40
_AGAIN = "write the model again with to_json"


def wrong(where: str, expected: str, got: Any) -> ModelError:
    """Return the error that a part of a file is not what it should be.

    Examples
    --------
    >>> print(wrong("version", "a whole number", "one"))
    version: expected a whole number, got 'one'; write the model again with to_json
    """
    shown = repr(got)
    shown = shown if len(shown) <= _LONGEST else shown[:_LONGEST] + "..."
    return ModelError(f"{where}: expected {expected}, got {shown}; {_AGAIN}")


def check_keys(
    given: Any, where: str, *, needed: Collection[str], known: Collection[str] = ()
) -> None:
    """Raise unless a part is a table with all keys that are needed and no unknown one."""
    if not isinstance(given, dict):
        raise wrong(where, "a table", given)
    for key in needed:
        if key not in given:
            raise ModelError(f"{where}: expected a key {key!r}, got none; {_AGAIN}")
    for key in given:
        if key not in needed and key not in known:
            meant = suggestion(key, [*needed, *known])
            raise ModelError(f"{where}: unknown key {key!r}{meant}")


def listed(given: Any, where: str) -> list[Any]:
    """Return a part that must be a list."""
    if not isinstance(given, list):
        raise wrong(where, "a list", given)
    return given


def whole(given: Any, where: str, *, least: int, below: int | None = None) -> int:
    """Return a part that must be a whole number in a range."""
    fits = type(given) is int and least <= given and (below is None or given < below)
    if not fits:
        upper = "" if below is None else f" to {below - 1}"
        raise wrong(where, f"a whole number from {least}{upper}", given)
    return int(given)


def number_to_json(value: float) -> float | str:
    """Return a number as JSON has it, which knows no infinity.

    Examples
    --------
    >>> number_to_json(0.1), number_to_json(math.inf)
    (0.1, 'inf')
    """
    return value if math.isfinite(value) else str(value)


def number_from_json(given: Any, where: str) -> float:
    """Return a part that must be a number; infinite ones are spelled."""
    if isinstance(given, str) and given in ("inf", "-inf"):
        return float(given)
    try:
        value = float(given) if type(given) in (int, float) else math.nan
    except OverflowError:
        value = math.nan
    if math.isnan(value):
        raise wrong(where, "a number", given)
    return value
