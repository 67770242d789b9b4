"""How a raw column becomes one of a few declared values."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.columns import as_arrow, as_numbers
from scumble.dates import as_days
from scumble.errors import SpecificationError
from scumble.schema._cells import MISSING
from scumble.schema._day import are_days, bounds, plain_bounds
from scumble.schema._named import suggestion
from scumble.schema._parameters import exactly_one
from scumble.schema._value_list import look_up, plain_values

Places = tuple[NDArray[np.int32], NDArray[np.bool_]]
_KEYS = ("cuts", "lists", "missing")


@dataclass(frozen=True, kw_only=True)
class Coding:
    """Which raw values count as each declared value of a `Categorical`.

    A respondent answers with what the own table has, an age or a town; what is
    disguised, counted and mined is which of a few declared values that is.

    Parameters
    ----------
    cuts : sequence of float or date
        For numbers or dates, in ascending order: up to and including the first cut is the first
        declared value, above it and up to the second cut the second, and so on.
    lists : sequence of sequences of str, int or bool
        For categories, instead of `cuts`: the raw values that count as each declared
        value. A list may be empty.
    missing : str, int or bool, optional
        The declared value that a missing raw value counts as; by default it stays
        missing.

    Examples
    --------
    >>> from scumble import Categorical, Coding
    >>> age = Categorical(["young", "old"], coding=Coding(cuts=[37], missing="young"))
    >>> age.conform([37, 37.5, None]).tolist()
    [0, 1, 0]
    >>> home = Coding(lists=[["Oslo", "Bergen"], ["Rome"]])
    >>> Categorical(["north", "south"], coding=home).conform(["Rome", None]).tolist()
    [1, -1]

    Notes
    -----
    A coding is no mechanism: it tells less than the raw value, and what it tells is true.
    It is declared, so that everyone can see what stands behind a value; cuts or lists
    that were read off private data tell something of them.
    """

    cuts: tuple[float, ...] | None = None
    lists: tuple[tuple[Any, ...], ...] | None = None
    missing: Any = None

    def __post_init__(self) -> None:
        if exactly_one(cuts=self.cuts, lists=self.lists) == "cuts":
            cuts = bounds("cuts", self.cuts)
            finite = all(math.isfinite(cut) for cut in cuts)
            if not cuts or not finite or any(a >= b for a, b in pairwise(cuts)):
                raise SpecificationError("cuts: expected finite numbers in ascending order")
            object.__setattr__(self, "cuts", cuts)
        else:
            object.__setattr__(self, "lists", _plain_lists(self.lists))
        if isinstance(self.missing, np.generic):
            object.__setattr__(self, "missing", self.missing.item())

    def __len__(self) -> int:
        return len(self.cuts or ()) + 1 if self.lists is None else len(self.lists)

    @property
    def elsewhere(self) -> str:
        """What is wrong with raw values that count as no declared value, and what to do."""
        if self.lists is None:
            return "infinite; give them as missing"
        return "in no list of their coding; add them to one"

    def check(self, values: tuple[Any, ...]) -> None:
        """Raise a SpecificationError where this does not lead to the declared values."""
        if len(self) != len(values):
            what, fewer = ("cuts", 1) if self.lists is None else ("lists", 0)
            raise SpecificationError(
                f"coding.{what}: expected {len(values) - fewer} for {len(values)} values, "
                f"got {len(self) - fewer}"
            )
        known = [value for value in values if type(value) is type(self.missing)]
        if self.missing is not None and self.missing not in known:
            raise SpecificationError(
                f"coding.missing: expected one of the declared values, got {self.missing!r}"
            )

    def places(self, column: Any) -> Places:
        """Return which declared value each raw value counts as, and which are missing.

        The place is -1 where a raw value is missing, in no list, or no finite number.
        """
        if self.cuts is not None:
            given = as_days(column) if are_days(self.cuts) else as_numbers(column)
            places = np.searchsorted(self.cuts, given, side="left").astype(np.int32)
            places[~np.isfinite(given)] = MISSING
            return places, np.isnan(given)
        places, missing = look_up(as_arrow(column), self._arrow_values)
        return self._owners[places], missing

    def behind(self, place: int) -> tuple[Any, ...]:
        """Return the raw values that count as a declared value, given by its place.

        For cuts, the number that they lie above and the one that they do not exceed;
        for lists, the values.

        Examples
        --------
        >>> from scumble.schema import Coding
        >>> Coding(cuts=[37, 65]).behind(1)
        (37.0, 65.0)
        >>> Coding(lists=[["Oslo", "Bergen"], ["Rome"]]).behind(0)
        ('Oslo', 'Bergen')
        """
        if self.lists is not None:
            return self.lists[place]
        edges = (-math.inf, *(self.cuts or ()), math.inf)
        return tuple(pairwise(edges))[place]

    def to_dict(self) -> dict[str, Any]:
        """Return the coding as a table of a specification."""
        given: dict[str, Any] = {}
        if self.cuts is not None:
            given["cuts"] = plain_bounds(self.cuts)
        if self.lists is not None:
            given["lists"] = [list(values) for values in self.lists]
        return given if self.missing is None else given | {"missing": self.missing}

    @classmethod
    def from_dict(cls, given: Any) -> "Coding":
        """Return the coding that a table of a specification describes."""
        if not isinstance(given, dict):
            raise SpecificationError("expected a table, such as { cuts = [37] }")
        for key in given:
            if key not in _KEYS:
                raise SpecificationError(f"{key}: unknown key{suggestion(key, _KEYS)}")
        return cls(**given)

    @cached_property
    def _arrow_values(self) -> Any:
        import pyarrow as pa

        return pa.array([value for values in self.lists or () for value in values])

    @cached_property
    def _owners(self) -> NDArray[np.int32]:
        """The declared value of each raw value, and at the end what is in no list."""
        sizes = [len(values) for values in self.lists or ()]
        return np.append(np.repeat(np.arange(len(sizes)), sizes), MISSING).astype(np.int32)


def _plain_lists(lists: Any) -> tuple[tuple[Any, ...], ...]:
    """Return lists of raw values, checked to hold each value once."""
    if isinstance(lists, str | Mapping) or not isinstance(lists, Iterable):
        raise SpecificationError("lists: expected a list of lists, one for each declared value")
    plain = tuple(plain_values("lists", values) for values in lists)
    together = plain_values("lists", [value for values in plain for value in values])
    if not together or isinstance(together[0], tuple):
        raise SpecificationError("lists: expected at least one value in one of them")
    return plain
