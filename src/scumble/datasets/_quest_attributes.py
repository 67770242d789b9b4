"""The nine Quest attributes: their domains, and their values given scores."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.datasets._quest_scores import Scores
from scumble.schema import Mechanism, Numeric, Specification, with_mechanism

# Whoever earns this much gets no commission.
_COMMISSION_LIMIT = 75_000
_COMMISSION_LOW = 10_000
_HOUSE_UNIT = 100_000

QUEST_DOMAINS: Mapping[str, Numeric] = MappingProxyType(
    {
        "salary": Numeric(20_000, 150_000),
        "commission": Numeric(0, 75_000, atoms=(0.0,)),
        "age": Numeric(20, 80),
        "elevel": Numeric(0, 4, step=1),
        "car": Numeric(1, 20, step=1),
        "zipcode": Numeric(1, 9, step=1),
        "hvalue": Numeric(50_000, 1_350_000),
        "hyears": Numeric(1, 30),
        "loan": Numeric(0, 500_000),
    }
)
"""The declared domains of the Quest attributes, in the order of the table."""


def quest_specification(mechanism: Mechanism) -> Specification:
    """Return the specification of the Quest table with one mechanism on every attribute.

    Discrete attributes are treated as numbers too, as AS do; the class is in clear.

    Examples
    --------
    >>> from scumble.datasets import quest_specification
    >>> from scumble.mechanisms import GaussianNoise
    >>> spec = quest_specification(GaussianNoise(privacy=1.0))
    >>> spec.class_attribute, len(spec)
    ('group', 9)
    """
    attributes = {name: with_mechanism(d, mechanism) for name, d in QUEST_DOMAINS.items()}
    return Specification(attributes, class_attribute="group")


def attributes_from_scores(scores: Scores) -> dict[str, NDArray[Any]]:
    """Return the attributes of the records whose scores in [0, 1] are given."""
    salary = _on_range("salary", scores)
    zipcode = _among_integers("zipcode", scores)
    return {
        "salary": salary,
        "commission": _commission(salary, scores["commission"]),
        "age": _on_range("age", scores),
        "elevel": _among_integers("elevel", scores),
        "car": _among_integers("car", scores),
        "zipcode": zipcode,
        "hvalue": zipcode * _HOUSE_UNIT * (0.5 + scores["hvalue"]),
        "hyears": _on_range("hyears", scores),
        "loan": _on_range("loan", scores),
    }


def _on_range(name: str, scores: Scores) -> NDArray[np.float64]:
    low, high = QUEST_DOMAINS[name].low, QUEST_DOMAINS[name].high
    return low + (high - low) * scores[name]


def _among_integers(name: str, scores: Scores) -> NDArray[np.int64]:
    low, high = int(QUEST_DOMAINS[name].low), int(QUEST_DOMAINS[name].high)
    steps = (scores[name] * (high - low + 1)).astype(np.int64)
    # A score may round up to exactly 1, which would lie one step too far.
    return low + np.minimum(steps, high - low)


def _commission(salary: NDArray[np.float64], score: NDArray[np.float64]) -> NDArray[np.float64]:
    paid = _COMMISSION_LOW + (QUEST_DOMAINS["commission"].high - _COMMISSION_LOW) * score
    return np.where(salary >= _COMMISSION_LIMIT, 0.0, paid)
