"""The ten Quest functions: which records belong to group A."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scumble.errors import SpecificationError

Column: TypeAlias = NDArray[Any]
Flags: TypeAlias = NDArray[np.bool_]
Columns: TypeAlias = Mapping[str, Column]


def quest_group(columns: Mapping[str, ArrayLike], *, function: int) -> NDArray[np.str_]:
    """Return the group, "A" or "B", that a Quest function assigns to each record.

    Parameters
    ----------
    columns : mapping of str to array
        The Quest attributes by name; a function looks only at those it needs.
    function : int
        1 to 10.

    Returns
    -------
    array of str
        "A" where the condition of the function holds, "B" elsewhere.

    Examples
    --------
    >>> from scumble.datasets import quest_group
    >>> quest_group({"age": [39, 40, 59, 60]}, function=1).tolist()
    ['A', 'B', 'B', 'A']

    Notes
    -----
    Functions 1 to 5 are those of Agrawal and Srikant (2000, Table 3), with its
    misprints read as meant: salary from 75K to 125K in the second line of function
    2, and the pairs of education levels as ranges. Functions 6 to 10 are the
    functions of the same number in Agrawal, Ghosh, Imielinski, Iyer and Swami
    (1992). The two papers number differently: functions 3, 4 and 5 here are not the
    third to fifth of 1992.

    Intervals are closed; a record on the boundary of a linear function is in B.
    """
    arrays = {name: np.asarray(values) for name, values in columns.items()}
    return np.where(in_group_a(arrays, function=function), "A", "B")


def in_group_a(columns: Columns, *, function: int) -> Flags:
    """Return where the condition of a Quest function holds."""
    return _GROUP_A[checked_function(function)](columns)


def checked_function(function: int) -> int:
    """Return the number of a Quest function, or raise."""
    if isinstance(function, bool) or function not in _GROUP_A:
        raise SpecificationError(
            f"function: expected an integer from 1 to 10, got {function!r}; "
            "choose one of the ten Quest functions"
        )
    return function


def _within(values: Column, low: float, high: float) -> Flags:
    return (low <= values) & (values <= high)


def _by_age(age: Column, *, young: Flags, middle: Flags, old: Flags) -> Flags:
    """Choose the flag of the record's age: below 40, 40 to below 60, 60 and over."""
    return np.where(age < 40, young, np.where(age < 60, middle, old))


def _salary_by_age(age: Column, salary: Column) -> Flags:
    return _by_age(
        age,
        young=_within(salary, 50_000, 100_000),
        middle=_within(salary, 75_000, 125_000),
        old=_within(salary, 25_000, 75_000),
    )


def _education_and_salary_by_age(c: Columns) -> Flags:
    elevel, salary = c["elevel"], c["salary"]
    low = _within(salary, 25_000, 75_000)
    medium = _within(salary, 50_000, 100_000)
    high = _within(salary, 75_000, 125_000)
    return _by_age(
        c["age"],
        young=(_within(elevel, 0, 1) & low) | (_within(elevel, 2, 3) & medium),
        middle=(_within(elevel, 1, 3) & medium) | ((elevel == 4) & high),
        old=(_within(elevel, 2, 4) & medium) | ((elevel == 1) & low),
    )


def _income(c: Columns) -> Column:
    return c["salary"] + c["commission"]


def _equity(c: Columns) -> Column:
    """Return the part of the house that is paid off: it grows after twenty years."""
    equity: Column = 0.1 * c["hvalue"] * np.maximum(c["hyears"] - 20, 0)
    return equity


def _positive(values: Column) -> Flags:
    return values > 0


_GROUP_A: Mapping[int, Callable[[Columns], Flags]] = MappingProxyType(
    {
        1: lambda c: (c["age"] < 40) | (c["age"] >= 60),
        2: lambda c: _salary_by_age(c["age"], c["salary"]),
        3: _education_and_salary_by_age,
        4: lambda c: _positive(0.67 * _income(c) - 0.2 * c["loan"] - 10_000),
        5: lambda c: _positive(0.67 * _income(c) - 0.2 * c["loan"] + 0.2 * _equity(c) - 10_000),
        6: lambda c: _salary_by_age(c["age"], _income(c)),
        7: lambda c: _positive(0.67 * _income(c) - 0.2 * c["loan"] - 20_000),
        8: lambda c: _positive(0.67 * _income(c) - 5_000 * c["elevel"] - 20_000),
        9: lambda c: _positive(0.67 * _income(c) - 5_000 * c["elevel"] - 0.2 * c["loan"] - 10_000),
        10: lambda c: _positive(
            0.67 * _income(c) - 5_000 * c["elevel"] + 0.2 * _equity(c) - 10_000
        ),
    }
)
