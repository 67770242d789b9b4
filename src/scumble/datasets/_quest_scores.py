"""Nine scores in [0, 1] per record, from which the Quest attributes are read off.

A score says how far up its range an attribute lies. Uniform and independent scores
give the published generator; other laws of the scores give harder populations on
the same ranges, with nothing else changed.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Scores: TypeAlias = dict[str, NDArray[np.float64]]

ATTRIBUTES = (
    "salary",
    "commission",
    "age",
    "elevel",
    "car",
    "zipcode",
    "hvalue",
    "hyears",
    "loan",
)

# Parameters (a, b) of the Beta law of each score: most with a long upper tail, car
# and zip code leaning the other way, none close to uniform.
SKEWED_SHAPES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "salary": (2.0, 4.0),
        "commission": (1.5, 4.0),
        "age": (2.0, 3.0),
        "elevel": (2.0, 3.0),
        "car": (3.0, 1.5),
        "zipcode": (2.5, 1.5),
        "hvalue": (2.0, 5.0),
        "hyears": (1.5, 3.0),
        "loan": (1.5, 4.0),
    }
)

# Correlations of the Gaussian copula; pairs that are not named have none.
DEPENDENT_CORRELATIONS: Mapping[tuple[str, str], float] = MappingProxyType(
    {
        ("salary", "age"): 0.4,
        ("salary", "elevel"): 0.5,
        ("salary", "zipcode"): 0.4,
        ("salary", "car"): 0.3,
        ("salary", "loan"): 0.4,
        ("zipcode", "loan"): 0.3,
        ("hvalue", "loan"): 0.3,
        ("age", "hyears"): 0.5,
    }
)


def draw_scores(law: str, *, n: int, rng: np.random.Generator) -> Scores:
    """Return n scores per attribute from the named law."""
    return LAWS[law](n, rng)


def _uniform(n: int, rng: np.random.Generator) -> Scores:
    return {name: rng.random(n) for name in ATTRIBUTES}


def _skewed(n: int, rng: np.random.Generator) -> Scores:
    return {name: rng.beta(*SKEWED_SHAPES[name], n) for name in ATTRIBUTES}


def _dependent(n: int, rng: np.random.Generator) -> Scores:
    """Draw from a Gaussian copula: each score uniform, together dependent."""
    from scipy.special import ndtr

    normal = np.linalg.cholesky(correlation_matrix()) @ rng.standard_normal((len(ATTRIBUTES), n))
    return dict(zip(ATTRIBUTES, ndtr(normal), strict=True))


def correlation_matrix() -> NDArray[np.float64]:
    """Return the correlation matrix of the dependent law, in the order of ATTRIBUTES."""
    matrix = np.eye(len(ATTRIBUTES))
    for (one, other), value in DEPENDENT_CORRELATIONS.items():
        i, j = ATTRIBUTES.index(one), ATTRIBUTES.index(other)
        matrix[i, j] = matrix[j, i] = value
    return matrix


LAWS: Mapping[str, Callable[[int, np.random.Generator], Scores]] = MappingProxyType(
    {"uniform": _uniform, "skewed": _skewed, "dependent": _dependent}
)
