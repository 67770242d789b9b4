"""Where an attribute is cut in two, and what the sides are called."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scumble.errors import SpecificationError
from scumble.schema import Categorical, Coding, Day

Cut = Literal["middle", "median", "values", "gain"]
PlainCut = Literal["middle", "median", "values"]


def cut_of_numbers(numbers: NDArray[np.float64], *, cut: PlainCut) -> float:
    """Return where numbers are cut in two, so that some lie on each side if that can be.

    Examples
    --------
    >>> ages = np.array([20.0, 20.0, 20.0, 30.0, 80.0])
    >>> [cut_of_numbers(ages, cut=rule) for rule in ("middle", "median", "values")]
    [50.0, 20.0, 30.0]
    >>> cut_of_numbers(np.array([0.0, 1.0, 1.0]), cut="median")
    0.0
    """
    known = numbers[np.isfinite(numbers)]
    if not len(known):
        raise SpecificationError(
            "expected some values, got none; declare the domain of this column, or leave it out"
        )
    if cut == "middle":
        place = known.min() / 2 + known.max() / 2
    else:
        place = np.median(known if cut == "median" else np.unique(known))
    below = known[known < place]
    # A cut above all would leave one side empty: cut below the greatest values instead.
    return float(below.max() if len(below) and not (known > place).any() else place)


def cut_of_days(days: NDArray[np.float64], *, cut: PlainCut) -> Day:
    """Return where dates are cut in two, as a date.

    Examples
    --------
    >>> cut_of_days(np.array([0.0, 31.0]), cut="middle")
    1970-01-16
    """
    return Day(np.floor(cut_of_numbers(days, cut=cut)))


def sides_of_numbers(place: float, *, missing: bool) -> Categorical:
    """Return an attribute that tells on which side of a cut a number, or a date, lies.

    Examples
    --------
    >>> sides_of_numbers(37.5, missing=True).values
    ('<= 37.5', '> 37.5')
    >>> sides_of_numbers(Day(0), missing=True).values
    ('<= 1970-01-01', '> 1970-01-01')
    """
    return _coded((f"<= {place:g}", f"> {place:g}"), missing, cuts=(place,))


def sides_of_categories(order: Sequence[Any], count: int, *, missing: bool) -> Categorical:
    """Return an attribute that tells whether a category is among the first of an order.

    Parameters
    ----------
    order : sequence of str, int or bool
        The categories.
    count : int
        How many of them are on the first side.
    missing : bool
        Whether a missing one counts as the first side.

    Examples
    --------
    >>> sides_of_categories(["s", "m", "l"], 2, missing=True).values
    ('s..m', 'l')
    """
    lists = (tuple(order[:count]), tuple(order[count:]))
    return _sides(lists, [f"{own[0]}..{own[-1]}" if own else "" for own in lists], missing)


def sides_of_lists(first: Sequence[Any], second: Sequence[Any], *, missing: bool) -> Categorical:
    """Return an attribute that tells in which of two lists, without an order, a category is.

    Examples
    --------
    >>> sides_of_lists(["Rome", "Oslo"], ["Bergen", "Paris", "Nice"], missing=True).values
    ('Rome or Oslo', 'Bergen or 2 others')
    """
    lists = (tuple(first), tuple(second))
    return _sides(lists, [_either(own) for own in lists], missing)


def _either(own: tuple[Any, ...]) -> str:
    return f"{own[0]} or " + (str(own[-1]) if len(own) == 2 else f"{len(own) - 1} others")


def _sides(
    lists: tuple[tuple[Any, ...], tuple[Any, ...]], names: Sequence[str], missing: bool
) -> Categorical:
    """Return two sides; one category alone has its own name."""
    if max(map(len, lists)) == 1:
        return _coded(_both(lists), missing, lists=lists)
    first, second = (
        str(own[0]) if len(own) == 1 else name for own, name in zip(lists, names, strict=True)
    )
    if first == second:
        first, second = f"{first} (first)", f"{second} (second)"
    return _coded((first, second), missing, lists=lists)


def _both(lists: tuple[tuple[Any, ...], ...]) -> tuple[Any, Any]:
    """Return one category of each side as it is; where there is but one, it and its opposite."""
    if all(lists):
        return lists[0][0], lists[1][0]
    (only,) = lists[0] or lists[1]
    opposite = f"not {only}" if isinstance(only, str) else type(only)(not only)
    return only, opposite


def _coded(values: tuple[Any, Any], missing: bool, **behind: Any) -> Categorical:
    return Categorical(values, coding=Coding(**behind, missing=values[0] if missing else None))
