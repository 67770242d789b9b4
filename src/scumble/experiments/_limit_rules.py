"""The rules of the Quest functions with their constants left open."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.experiments._limit_reports import FloatArray, Seen, Unreported

# Intervals by attribute; a record is in a box if it lies in all of them.
Box = Mapping[str, tuple[float, float]]
_INF = np.inf
_K = 1_000.0
_COMMISSION_LIMIT = 75 * _K


class Rule:
    """Which records are in group A, given constants.

    Attributes
    ----------
    constants : array
        The constants of the Quest function.
    ranges : array
        How far each may reasonably be off: the range of its attribute.
    attributes : tuple of str
        The attributes whose reports tell something.
    related : tuple of str
        Those among them that the rule does not look at, but that depend on those that
        it does.
    sample : int
        How many records give the information to some percent in some seconds.
    """

    attributes: tuple[str, ...]
    related: tuple[str, ...] = ()
    sample: int = 100_000
    constants: FloatArray
    ranges: FloatArray

    @abstractmethod
    def share(self, seen: Mapping[str, Seen], constants: FloatArray) -> FloatArray:
        """Return P(A | reports) of records as the generator draws them before balancing."""

    @abstractmethod
    def in_a(self, columns: Mapping[str, NDArray[Any]], constants: FloatArray) -> NDArray[np.bool_]:
        """Return which truths are in group A."""

    def prior(self, constants: FloatArray) -> float:
        """Return P(A) before balancing."""
        nothing = {name: Unreported() for name in self.attributes}
        return float(self.share(nothing, constants)[0])


class BoxRule(Rule):
    """Group A is a union of boxes that do not overlap: functions 1 to 3.

    Examples
    --------
    >>> rule = box_rule(1)
    >>> rule.constants.tolist(), round(rule.prior(rule.constants), 3)
    ([40.0, 60.0], 0.667)
    """

    def __init__(
        self, names: tuple[str, ...], salaries: Sequence[float], boxes: Callable[..., Iterator[Box]]
    ) -> None:
        self.attributes = names
        self.related = tuple(name for name in names if name not in _FACTORS)
        self.constants = np.array([40.0, 60.0, *(_K * salary for salary in salaries)])
        self.ranges = np.array([60.0, 60.0, *(130 * _K for _ in salaries)])
        # A single cheap attribute affords more.
        self.sample = 100_000 if salaries else 200_000
        self._boxes = boxes

    def share(self, seen: Mapping[str, Seen], constants: FloatArray) -> FloatArray:
        known: dict[tuple[str, float, float], FloatArray] = {}

        def factor(name: str, low: float, high: float) -> FloatArray:
            key = name, low, high
            if key not in known:
                known[key] = _FACTORS[name](seen, low, high)
            return known[key]

        inside = sum(
            np.prod([factor(name, *ends) for name, ends in box.items()], axis=0)
            * np.prod([factor(n, -_INF, _INF) for n in self._names if n not in box], axis=0)
            for box in self._boxes(constants)
        )
        total = np.prod([factor(name, -_INF, _INF) for name in self._names], axis=0)
        return np.asarray(inside / total)[:, 0]

    @property
    def _names(self) -> list[str]:
        return [name for name in self.attributes if name in _FACTORS]

    def in_a(self, columns: Mapping[str, NDArray[Any]], constants: FloatArray) -> NDArray[np.bool_]:
        inside = np.zeros(len(next(iter(columns.values()))), dtype=bool)
        for box in self._boxes(constants):
            within = [(low <= columns[n]) & (columns[n] < high) for n, (low, high) in box.items()]
            inside |= np.logical_and.reduce(within)
        return inside


def _age(seen: Mapping[str, Seen], low: float, high: float) -> FloatArray:
    return seen["age"].between(*np.clip([low, high], 20, 80)) / 60


def _elevel(seen: Mapping[str, Seen], low: float, high: float) -> FloatArray:
    return sum((seen["elevel"].at(v) for v in range(5) if low <= v < high), np.zeros(1)) / 5


def _salary(seen: Mapping[str, Seen], low: float, high: float) -> FloatArray:
    """Return the likelihood of the reports of salary and of commission, which tells of it."""
    low, high = np.clip([low, high], 20 * _K, 150 * _K)
    paid = seen["commission"].between(10 * _K, 75 * _K) / (65 * _K)
    none = seen["commission"].at(0.0)
    below = seen["salary"].between(min(low, _COMMISSION_LIMIT), min(high, _COMMISSION_LIMIT))
    above = seen["salary"].between(max(low, _COMMISSION_LIMIT), max(high, _COMMISSION_LIMIT))
    return (paid * below + none * above) / (130 * _K)


_FACTORS: Mapping[str, Callable[[Mapping[str, Seen], float, float], FloatArray]]
_FACTORS = MappingProxyType({"age": _age, "elevel": _elevel, "salary": _salary})


def _ages(constants: FloatArray) -> list[tuple[float, float]]:
    return [(-_INF, constants[0]), (constants[0], constants[1]), (constants[1], _INF)]


def _boxes_1(c: FloatArray) -> Iterator[Box]:
    young, _, old = _ages(c)
    yield from ({"age": young}, {"age": old})


def _boxes_2(c: FloatArray) -> Iterator[Box]:
    for age, ends in zip(_ages(c), c[2:].reshape(3, 2), strict=True):
        yield {"age": age, "salary": (ends[0], ends[1])}


# Levels of education from and below, two boxes in each group of ages.
_LEVELS = ((0, 2), (2, 4), (1, 4), (4, 5), (2, 5), (1, 2))


def _boxes_3(c: FloatArray) -> Iterator[Box]:
    ages = [age for age in _ages(c) for _ in range(2)]
    for age, level, ends in zip(ages, _LEVELS, c[2:].reshape(6, 2), strict=True):
        yield {"age": age, "elevel": level, "salary": (ends[0], ends[1])}


_SALARIES_2 = (50, 100, 75, 125, 25, 75)
_SALARIES_3 = (25, 75, 50, 100, 50, 100, 75, 125, 50, 100, 25, 75)


_BOX_RULES: Mapping[int, tuple[tuple[str, ...], Sequence[float], Callable[..., Iterator[Box]]]]
_BOX_RULES = MappingProxyType(
    {
        1: (("age",), (), _boxes_1),
        2: (("age", "salary", "commission"), _SALARIES_2, _boxes_2),
        3: (("age", "elevel", "salary", "commission"), _SALARIES_3, _boxes_3),
    }
)


def box_rule(function: int) -> BoxRule:
    """Return the rule of function 1, 2 or 3: the ends of every box are free.

    Where function 3 uses an interval of salaries twice, each use has ends of its own.
    Which levels of education a box holds is known.
    """
    return BoxRule(*_BOX_RULES[function])
