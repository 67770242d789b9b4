"""Cases of other laws: smooth ones, exclusive ones, copies, long tails, mixed channels."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from scumble.experiments._generality_case import GeneralityCase, Truths
from scumble.mechanisms import (
    GaussianNoise,
    LaplaceNoise,
    RandomizedResponse,
    UniformNoise,
    Warner,
)
from scumble.schema import Attribute, Categorical, Mechanism, Numeric, Specification

FloatArray = NDArray[np.float64]
Columns = Mapping[str, NDArray[Any]]
# Shapes of Beta laws, all of them skewed.
_SHAPES = ((1.0, 4.0), (2.0, 5.0), (5.0, 2.0), (0.7, 2.0), (4.0, 1.5), (1.5, 3.0))


def law_cases() -> list[GeneralityCase]:
    """Return the cases.

    Examples
    --------
    >>> [case.name for case in law_cases()[:2]]
    ['logistic', 'quadratic']
    """
    return [
        GeneralityCase("logistic", "no boxes, classes overlap", _logistic),
        GeneralityCase("quadratic", "a bent boundary, classes overlap", _quadratic),
        GeneralityCase("n = 1000, logistic", "very few records, classes overlap", _logistic, 1_000),
        GeneralityCase("exclusive or", "no attribute tells anything alone", _exclusive),
        GeneralityCase("copies", "attributes that say the same twice", _copies),
        GeneralityCase("long tail", "most truths in a small part of the domain", _long_tail),
        GeneralityCase("6 clusters", "many classes in no order", _clusters),
        GeneralityCase("40 categories", "randomized values, many of them", _many_categories),
        GeneralityCase("mixed", "every kind of channel in one table, values missing", _mixed),
        GeneralityCase(
            "mixed, class too", "the same, and the class is randomized", _mixed_class_too
        ),
    ]


def _in_two(score: FloatArray, rng: np.random.Generator) -> NDArray[np.str_]:
    """Draw classes whose log-odds are the score."""
    return np.where(rng.random(len(score)) < expit(score), "A", "B")


def _numbers(columns: Columns, y: NDArray[Any], mechanism: Mechanism) -> Truths:
    """Return columns of numbers from 0 to 1, all disguised alike."""
    return _table(columns, y, {name: Numeric(0, 1, mechanism=mechanism) for name in columns})


def _table(columns: Columns, y: NDArray[Any], attributes: Mapping[str, Attribute]) -> Truths:
    import pyarrow as pa

    return Truths(pa.table(dict(columns)), y, Specification(attributes, class_attribute="group"))


def _skewed(n: int, rng: np.random.Generator) -> FloatArray:
    return np.stack([rng.beta(*shape, n) for shape in _SHAPES])


def _logistic(n: int, seed: int) -> Truths:
    rng = np.random.default_rng(seed)
    x = _skewed(n, rng)
    score = np.array([8.0, -6.0, 4.0, 3.0, 0.0, 0.0]) @ (x - x.mean(axis=1, keepdims=True))
    return _numbers(_named(x), _in_two(score, rng), GaussianNoise(privacy=0.5))


def _quadratic(n: int, seed: int) -> Truths:
    rng = np.random.default_rng(seed)
    x = _skewed(n, rng)
    score = 3 - 40 * (x[0] - 0.2) ** 2 - 30 * (x[1] - 0.3) ** 2 + 12 * (x[2] - 0.7) * (x[3] - 0.25)
    return _numbers(_named(x), _in_two(2 * score, rng), UniformNoise(privacy=0.5))


def _named(rows: FloatArray) -> dict[str, FloatArray]:
    return {f"x{j}": values for j, values in enumerate(rows)}


def _exclusive(n: int, seed: int) -> Truths:
    x = np.random.default_rng(seed).random((8, n))
    y = np.where((x[0] > 0.5) ^ (x[1] > 0.4), "A", "B")
    return _numbers(_named(x), y, UniformNoise(privacy=1.0))


def _copies(n: int, seed: int) -> Truths:
    """Make eight near copies of one number; the class needs it and another one."""
    rng = np.random.default_rng(seed)
    common, other = rng.beta(2.0, 3.0, n), rng.random(n)
    columns = {f"copy{j}": 0.9 * common + 0.1 * rng.random(n) for j in range(8)}
    y = np.where((common > 0.45) & (other > 0.3), "A", "B")
    return _numbers({**columns, "other": other}, y, GaussianNoise(privacy=1.0))


def _long_tail(n: int, seed: int) -> Truths:
    rng = np.random.default_rng(seed)
    amounts = np.minimum(np.exp(rng.normal(8.5, 1.2, (3, n))), 200_000.0)
    # Half have none of the third: an atom, as gains from capital are.
    amounts[2] *= rng.random(n) < 0.5
    y = np.where((amounts[0] > 6_000) & ((amounts[1] < 8_000) | (amounts[2] > 0)), "A", "B")
    noise = GaussianNoise(sd=4_000.0)
    plain = Numeric(0, 200_000, mechanism=noise)
    atom = Numeric(0, 200_000, atoms=(0.0,), mechanism=noise)
    return _table(_named(amounts), y, {"x0": plain, "x1": plain, "x2": atom})


def _clusters(n: int, seed: int) -> Truths:
    """Draw six round clouds in four dimensions; their places are the same for every seed."""
    centres = np.random.default_rng(6).uniform(0.15, 0.85, (4, 6))
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, 6, n)
    x = np.clip(centres[:, cluster] + rng.normal(0, 0.15, (4, n)), 0, 1)
    labels = np.array([f"cloud {k}" for k in range(6)])
    return _numbers(_named(x), labels[cluster], UniformNoise(privacy=0.5))


def _many_categories(n: int, seed: int) -> Truths:
    towns = tuple(f"town {k}" for k in range(40))
    trades = tuple(f"trade {k}" for k in range(12))
    effects = np.random.default_rng(40)
    of_town, of_trade = effects.normal(0, 2, 40), effects.normal(0, 2, 12)
    rng = np.random.default_rng(seed)
    town, trade = (rng.beta(1, 2, n) * 40).astype(int), rng.integers(0, 12, n)
    age = rng.uniform(20, 80, n)
    score = of_town[town] + of_trade[trade] + np.where(age > 50, 2.0, -2.0)
    columns = {"town": np.array(towns)[town], "trade": np.array(trades)[trade], "age": age}
    attributes: dict[str, Attribute] = {
        "town": Categorical(towns, mechanism=RandomizedResponse(keep=0.5)),
        "trade": Categorical(trades, mechanism=RandomizedResponse(keep=0.5)),
        "age": Numeric(20, 80, mechanism=GaussianNoise(privacy=0.5)),
    }
    return _table(columns, _in_two(score, rng), attributes)


_ANSWER = ("no", "yes")
_REGIONS = ("north", "east", "south", "west", "centre", "coast")
_MIXED: Mapping[str, Attribute] = {
    "age": Numeric(18, 90, mechanism=GaussianNoise(privacy=0.5)),
    "income": Numeric(0, 150_000, mechanism=LaplaceNoise(privacy=0.5)),
    "schooling": Numeric(0, 6, step=1, mechanism=UniformNoise(privacy=0.5)),
    "region": Categorical(_REGIONS, mechanism=RandomizedResponse(keep=0.6)),
    **{
        name: Categorical(_ANSWER, mechanism=Warner(keep=0.8, group="health"))
        for name in ("smoker", "drinker", "diabetic")
    },
    "employed": Categorical(_ANSWER),
    "children": Numeric(0, 8, step=1),
}


def _mixed(n: int, seed: int) -> Truths:
    """Draw persons whose attributes hang together; a tenth of some columns is missing."""
    rng = np.random.default_rng(seed)
    age, region = 18 + 72 * rng.beta(1.5, 2.0, n), rng.integers(0, 6, n)
    schooling = np.clip(np.rint(rng.normal(3.5 - 0.02 * (age - 50), 1.3, n)), 0, 6)
    income = np.clip(np.exp(rng.normal(9.6 + 0.18 * schooling, 0.5, n)), 0, 150_000)
    smoker = rng.random(n) < 0.5 - 0.05 * schooling
    drinker = rng.random(n) < 0.2 + 0.3 * smoker
    diabetic = rng.random(n) < expit((age - 65) / 8)
    employed = rng.random(n) < np.where(age < 65, 0.8, 0.1)
    children = rng.poisson(1.5, n).clip(0, 8)
    score = (age - 52) / 8 + 2.0 * smoker + 2.0 * diabetic - 2.5 * employed * (income > 30_000)
    score += np.where(region < 2, 1.5, -0.75)
    columns = {
        "age": _with_gaps(age, rng),
        "income": _with_gaps(income, rng),
        "schooling": schooling,
        "region": _with_gaps(np.array(_REGIONS)[region], rng),
        "smoker": _answers(smoker),
        "drinker": _answers(drinker),
        "diabetic": _answers(diabetic),
        "employed": _with_gaps(_answers(employed), rng),
        "children": children,
    }
    return _table(columns, _in_two(1.5 * score, rng), _MIXED)


def _mixed_class_too(n: int, seed: int) -> Truths:
    plain = _mixed(n, seed)
    group = Categorical(("A", "B"), mechanism=RandomizedResponse(keep=0.85))
    spec = Specification({**plain.spec.attributes, "group": group}, class_attribute="group")
    return Truths(plain.X, plain.y, spec)


def _answers(flags: NDArray[np.bool_]) -> NDArray[np.str_]:
    return np.where(flags, "yes", "no")


def _with_gaps(values: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    """Leave a tenth out at random."""
    numeric = values.dtype.kind == "f"
    kept = values.copy() if numeric else values.astype(object)
    kept[rng.random(len(values)) < 0.1] = np.nan if numeric else None
    return kept
