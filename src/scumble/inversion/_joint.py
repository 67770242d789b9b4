"""The joint distribution of a few attributes: the table that a node, or a rule, needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scumble.declared import declared_table
from scumble.errors import SpecificationError, TableError
from scumble.inversion._factors import InvertedFactor, category_count, inverse_factors
from scumble.inversion._probability import category_codes
from scumble.reconstruction._inversion import onto_simplex
from scumble.schema import Specification
from scumble.schema._named import suggestion

FloatArray = NDArray[np.float64]
JointMethod = Literal["inversion", "projection", "likelihood"]
JOINT_METHODS = ("inversion", "projection", "likelihood")
MOST_CELLS = 1_000_000
# EM stops when a step gains less log-likelihood and moves a smaller share of the truths.
_GAIN, _MOVEMENT, _MOST_STEPS = 1e-3, 1e-6, 100_000


@dataclass(frozen=True, eq=False)
class JointTable:
    """The joint distribution of several attributes.

    Attributes
    ----------
    names : tuple of str
        The attributes, one for each axis.
    shares : array
        How often each combination of values is true; they are not negative and sum to one.
    solution : array
        The plain inversion: unbiased, and sometimes negative.
    errors : array
        The standard errors of the plain inversion.
    records : int
        The number of records without a missing answer; the others are left aside.
    """

    names: tuple[str, ...]
    shares: FloatArray
    solution: FloatArray
    errors: FloatArray
    records: int


def joint_table(
    reports: Any, spec: Specification, names: Sequence[str], *, method: JointMethod = "likelihood"
) -> JointTable:
    """Estimate the joint distribution of a few categorical attributes from reports.

    Parameters
    ----------
    reports : DataFrame or array
        The reports.
    spec : Specification
        What disguised them.
    names : sequence of str
        The attributes.
    method : {"likelihood", "projection", "inversion"}
        How negative shares are avoided: by maximum likelihood of this very table; by the
        nearest distribution; or, as published, by setting them to zero and scaling the rest.

    Examples
    --------
    >>> import pandas as pd
    >>> from scumble import Categorical, Specification, disguise
    >>> from scumble.inversion import joint_table
    >>> from scumble.mechanisms import Warner
    >>> answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.8, group="health"))
    >>> spec = Specification({"smoker": answer, "drinker": answer})
    >>> people = pd.DataFrame({"smoker": ["yes"] * 3000 + ["no"] * 7000, "drinker": "yes"})
    >>> found = joint_table(disguise(people, spec, seed=1), spec, ["smoker", "drinker"])
    >>> found.shares.round(1).tolist()
    [[0.0, 0.7], [0.0, 0.3]]

    Notes
    -----
    Only the table asked for is estimated, through the groups of its own attributes. To
    make a larger table non-negative and add it up would be worse than plain inversion.
    """
    if method not in JOINT_METHODS:
        raise SpecificationError(f"method: unknown {method!r}{suggestion(method, JOINT_METHODS)}")
    sizes = _sizes(spec, names)
    table = declared_table(reports, spec, withheld=False)
    codes = category_codes(table, spec, names)
    codes = codes[(codes > 0).all(axis=1)]
    if not len(codes):
        raise TableError("table: expected records without a missing answer, got none")
    # The missing cell is kept until the end: matrices have it.
    shape = tuple(size + 1 for size in sizes)
    places = np.ravel_multi_index(tuple(codes.T.astype(np.int64)), shape)
    reported = np.bincount(places, minlength=int(np.prod(shape))).reshape(shape) / len(codes)
    factors = inverse_factors(spec, names, sizes)
    answered = tuple(slice(1, None) for _ in names)
    solution, squares = reported, reported
    for factor in factors:
        solution = factor.inverse.spread(solution, factor.members)
        squares = factor.inverse.squared().spread(squares, factor.members)
    errors = np.sqrt(np.maximum(squares - solution**2, 0) / len(codes))[answered]
    if method == "likelihood":
        shares = _likeliest(reported * len(codes), factors)[answered]
    else:
        shares = _non_negative(solution[answered], method)
    return JointTable(tuple(names), shares, solution[answered], errors, len(codes))


def _sizes(spec: Specification, names: Sequence[str]) -> list[int]:
    if not names or len(set(names)) < len(names):
        raise SpecificationError("names: expected at least one attribute, and each once")
    sizes = [category_count(name, spec) for name in names]
    cells = int(np.prod([float(size + 1) for size in sizes]))
    if cells > MOST_CELLS:
        raise SpecificationError(
            f"names: expected a table of at most {MOST_CELLS:,} cells, got {cells:,}; "
            "ask for fewer attributes, or for single probabilities"
        )
    return sizes


def _non_negative(solution: FloatArray, method: JointMethod) -> FloatArray:
    if method == "projection":
        return onto_simplex(solution.ravel()).reshape(solution.shape)
    clipped = np.maximum(solution, 0)
    return np.asarray(clipped / clipped.sum())


def _likeliest(counts: FloatArray, factors: Sequence[InvertedFactor]) -> FloatArray:
    """Return the table under which the reports are most probable, by EM from equal shares."""
    # A truth that is missing gives a missing report, and none is.
    shares = np.zeros(counts.shape)
    shares[tuple(slice(1, None) for _ in counts.shape)] = 1
    shares /= shares.sum()
    level = -np.inf
    for _ in range(_MOST_STEPS):
        expected = shares
        for factor in factors:
            expected = factor.channel.expected(expected, factor.members)
        expected = np.maximum(expected, 1e-300)
        back = counts / expected
        for factor in factors:
            back = factor.channel.spread(back, factor.members)
        before, level = level, float((counts * np.log(expected)).sum())
        moved = shares * back / counts.sum() - shares
        shares = shares + moved
        if level - before < _GAIN and np.abs(moved).sum() < 2 * _MOVEMENT:
            break
    return shares
