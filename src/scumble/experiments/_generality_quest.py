"""Cases made of the Quest generator: its functions where the plain one is too kind."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from scumble.datasets import make_quest, quest_specification
from scumble.experiments._generality_case import GeneralityCase, Truths
from scumble.mechanisms import GaussianNoise, RandomizedResponse, UniformNoise
from scumble.schema import Categorical, Mechanism, Numeric, Specification

_HALF = GaussianNoise(privacy=0.5)
_SCORE = (("salary", 0.67), ("commission", 0.67), ("loan", -0.2))


def quest_cases() -> list[GeneralityCase]:
    """Return the cases, the ten functions first.

    Examples
    --------
    >>> quest_cases()[10].name
    'dependent F1'
    """
    return [
        *(_other_law("skewed", function, _HALF) for function in range(1, 11)),
        *(
            _other_law("dependent", function, UniformNoise(privacy=1.0))
            for function in range(1, 11)
        ),
        GeneralityCase(
            "20 irrelevant", "attributes that hang together but tell nothing", _with_irrelevant
        ),
        GeneralityCase("7 classes", "many classes in an order", _score_classes),
        GeneralityCase("class disguised", "the class is reported wrongly too", _class_disguised),
        GeneralityCase("one in 20", "one class is rare", _unbalanced),
        GeneralityCase("nothing to learn", "the class has nothing to do with it", _nothing),
        GeneralityCase("n = 5000", "few records", partial(_quest, function=2), n=5_000),
        GeneralityCase("n = 1000", "very few records", partial(_quest, function=2), n=1_000),
        GeneralityCase(
            "n = 1000, diagonal", "very few records", partial(_quest, function=4), n=1_000
        ),
    ]


def _other_law(law: str, function: int, mechanism: Mechanism) -> GeneralityCase:
    draw = partial(_quest, function=function, attributes=law, mechanism=mechanism)
    return GeneralityCase(f"{law} F{function}", f"attributes are {law}", draw)


def _quest(
    n: int, seed: int, *, function: int, attributes: str = "uniform", mechanism: Mechanism = _HALF
) -> Truths:
    X, y = make_quest(function, n=n, seed=seed, attributes=attributes)
    return Truths(X, y, quest_specification(mechanism))


def _with_irrelevant(n: int, seed: int) -> Truths:
    """Add 20 numbers in four families, alike within a family."""
    plain = _quest(n, seed, function=2)
    rng = np.random.default_rng([seed, 1])
    X, attributes = plain.X, dict(plain.spec.attributes)
    for family in range(4):
        common = rng.beta(1.0 + family, 2.0, n)
        for member in range(5):
            name = f"other{family}{member}"
            X = X.append_column(name, [0.8 * common + 0.2 * rng.random(n)])
            attributes[name] = Numeric(0, 1, mechanism=_HALF)
    return Truths(X, plain.y, Specification(attributes, class_attribute="group"))


def _score_classes(n: int, seed: int) -> Truths:
    """Cut a linear score into seven classes of equal size."""
    plain = _quest(n, seed, function=4, attributes="dependent")
    score = sum(weight * plain.X[name].to_numpy() for name, weight in _SCORE)
    bounds = np.quantile(score, np.arange(1, 7) / 7)
    labels = np.array([f"class {k}" for k in range(7)])
    return replace(plain, y=labels[np.searchsorted(bounds, score)])


def _class_disguised(n: int, seed: int) -> Truths:
    plain = _quest(n, seed, function=2)
    group = Categorical(("A", "B"), mechanism=RandomizedResponse(keep=0.8))
    attributes: dict[str, Any] = {**plain.spec.attributes, "group": group}
    return replace(plain, spec=Specification(attributes, class_attribute="group"))


def _unbalanced(n: int, seed: int) -> Truths:
    """Leave of group A as many as make one record in 20."""
    wide = _quest(2 * n, seed, function=2)
    rare = round(n / 20)
    kept = np.concatenate(
        [np.flatnonzero(wide.y == "A")[:rare], np.flatnonzero(wide.y == "B")[: n - rare]]
    )
    kept = np.random.default_rng([seed, 1]).permutation(kept)
    return Truths(wide.X.take(kept), wide.y[kept], wide.spec)


def _nothing(n: int, seed: int) -> Truths:
    """Draw classes of 60 and 40 % whatever the attributes: guessing at random costs points."""
    plain = _quest(n, seed, function=2, attributes="dependent")
    y = np.where(np.random.default_rng([seed, 1]).random(n) < 0.6, "A", "B")
    return replace(plain, y=y)
