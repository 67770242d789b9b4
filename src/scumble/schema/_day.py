"""Days: dates among the parameters of a specification."""

from collections.abc import Iterable
from typing import Any

from scumble.dates import day_of, iso
from scumble.errors import SpecificationError
from scumble.schema._parameters import numbers


class Day(float):
    """A date as its number of days since 1970-01-01: a number that reads as a date.

    Examples
    --------
    >>> born = Day(5174)
    >>> born, born + 1, f"{born:g}"
    (1984-03-02, 5175.0, '1984-03-02')
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return iso(self)

    def __str__(self) -> str:
        return iso(self)

    def __format__(self, spec: str) -> str:
        # However a number would be written: a date is written in one way.
        return iso(self)


def day(name: str, value: Any) -> Day:
    """Return a parameter as a day, or say that it is no date.

    Examples
    --------
    >>> day("low", "1990-01-01")
    1990-01-01
    """
    if isinstance(value, Day):
        return value
    if isinstance(value, float | str) and str(value) in ("inf", "-inf"):
        return Day(value)
    found = day_of(value)
    if found is None:
        raise SpecificationError(f"{name}: expected a date such as 1990-01-01, got {value!r}")
    return Day(found)


def bounds(name: str, values: Any) -> tuple[float, ...]:
    """Return a parameter that must be a list of numbers, or one of dates.

    Examples
    --------
    >>> bounds("cuts", [30, 50]), bounds("cuts", ["1990-01-01"])
    ((30.0, 50.0), (1990-01-01,))
    """
    if not isinstance(values, str) and isinstance(values, Iterable):
        values = list(values)
        if are_days(values) or any(day_of(value) is not None for value in values):
            return tuple(day(name, value) for value in values)
    return numbers(name, values)


def are_days(values: Iterable[float]) -> bool:
    """Say whether bounds are days and not just numbers."""
    return any(isinstance(value, Day) for value in values)


def plain_bounds(values: Iterable[float]) -> list[float | str]:
    """Return bounds as a file has them: numbers, or dates as text.

    Examples
    --------
    >>> plain_bounds([30.0]), plain_bounds([Day(0)])
    ([30.0], ['1970-01-01'])
    """
    return [str(value) if isinstance(value, Day) else value for value in values]
