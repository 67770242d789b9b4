"""Values that keep their rank: who knows how the truths are spread reads them off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scumble.audit._attack import AttackResult, attack_result
from scumble.audit._paired_rows import check_paired
from scumble.audit._two_tables import FloatArray, TwoColumns, TwoTables, drawn_rows, table_of
from scumble.errors import SpecificationError
from scumble.schema._parameters import probability


@dataclass(frozen=True, kw_only=True)
class RankResult(AttackResult):
    """The result of an attack by ranks.

    Attributes
    ----------
    rank_correlation : float
        Of the true and the released values (Spearman); 1 where every rank is kept.

    Examples
    --------
    >>> from scumble.audit import RankResult
    >>> RankResult(attack="ranks", attribute="age", success=1.0, base=0.1, low=0.9, high=1.0,
    ...     records=10, explanation="A.", rank_correlation=1.0).to_dict()["rank_correlation"]
    1.0
    """

    rank_correlation: float


def rank_attack(
    truth: Any,
    released: Any,
    *,
    names: Sequence[str] | None = None,
    population: Any = None,
    tolerance: float = 0.01,
    records: int = 10_000,
    seed: int | None = None,
) -> list[RankResult]:
    """Guess that the value of each rank is the true value of this rank.

    Parameters
    ----------
    truth, released : DataFrame or array
        The auditor's truth and what was released of it, in the same order.
    names : sequence of str, optional
        Which numbers or dates to attack; by default all.
    population : DataFrame or array, optional
        Other records of the same population, from which the intruder knows how values are
        spread. None: the intruder knows the true values themselves, but not whose they are.
    tolerance : float
        How far off a guess may be, as a share of the range of the truth; 0: not at all.
    records : int
        How many records are attacked, at the most, drawn at random.
    seed : int, optional
        Makes the sample repeatable.

    Returns
    -------
    list of RankResult
        One for each attribute. The base is the rate of the best guess that is the same for
        everyone.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from scumble.audit import rank_attack
    >>> from scumble.treatments import Distribution, Treat
    >>> incomes = pd.DataFrame({"income": np.random.default_rng(0).lognormal(3, 1, 500)})
    >>> released = Treat({"income": Distribution()}).fit_transform(incomes)
    >>> found, = rank_attack(incomes, released)
    >>> found.success, round(found.rank_correlation, 6)
    (1.0, 1.0)

    Notes
    -----
    The guess for a released value at rank r of n is the quantile of the known values at
    (r - 1/2) / n; equal released values have their mean rank. A shuffled column gives it
    nothing: then it guesses like somebody who draws a value.
    """
    both = TwoTables(truth, released)
    check_paired(both)
    probability("tolerance", tolerance)
    columns = _chosen(both, names)
    others = None if population is None else TwoTables(truth, table_of(population).native)
    rows = drawn_rows(len(both.truth), records=records, seed=seed)
    return [
        _attacked(
            column,
            rows,
            None if others is None else others[column.name].other,
            tolerance=tolerance,
        )
        for column in columns
    ]


def _chosen(both: TwoTables, names: Sequence[str] | None) -> list[TwoColumns]:
    if names is not None:
        columns = [both[name] for name in both.chosen(names, where="names")]
        for column in columns:
            if not column.is_ordered:
                raise SpecificationError(
                    f"names: expected numbers or dates, got {column.name!r}, which is a category "
                    "and has no ranks"
                )
        return columns
    return [column for column in both.comparable() if column.is_ordered]


def _attacked(
    column: TwoColumns, rows: Any, population: FloatArray | None, *, tolerance: float
) -> RankResult:
    told = ~np.isnan(column.truth) & ~np.isnan(column.other)
    truth, released = column.truth[told], column.other[told]
    sample = np.isin(np.flatnonzero(told), rows)
    known = truth if population is None else population[~np.isnan(population)]
    near = tolerance * float(np.ptp(truth)) * (1 + 1e-9) if len(truth) else 0.0
    right = np.abs(rank_guesses(released, known) - truth) <= near if len(known) else sample[:0]
    whose = "all true values" if population is None else "how the values of the population lie"
    succeeds = "the true value" if not tolerance else f"within {100 * tolerance:g} % of the range"
    result = attack_result(
        int(np.count_nonzero(right[sample])) if len(right) else 0,
        int(np.count_nonzero(sample)),
        attack="ranks",
        attribute=column.name,
        base=most_in_window(truth, 2 * near),
        explanation=(
            f"An intruder who knows {whose} of {column.name!r}, but not whose they are, gives "
            f"the smallest to the smallest released one and so on; a guess succeeds if it is "
            f"{succeeds}."
        ),
    )
    return RankResult(**result.to_dict(), rank_correlation=rank_correlation(truth, released))


def rank_guesses(released: FloatArray, known: FloatArray) -> FloatArray:
    """Return the quantile of the known values at the rank of each released one.

    Examples
    --------
    >>> rank_guesses(np.array([0.3, 0.1, 0.2]), np.array([10.0, 20.0, 30.0])).tolist()
    [30.0, 10.0, 20.0]
    """
    from scipy.stats import rankdata

    shares = (rankdata(released) - 0.5) / len(released)
    # A rank half-way between two values, of ties, takes the lower one.
    places = np.ceil(shares * len(known) - 1e-9).astype(np.int64) - 1
    return np.asarray(np.sort(known)[places.clip(0, len(known) - 1)])


def most_in_window(values: FloatArray, width: float) -> float:
    """Return the largest share of values that lie in one window.

    Examples
    --------
    >>> most_in_window(np.array([1.0, 2.0, 3.0, 9.0]), 2.0)
    0.75
    """
    ascending = np.sort(values)
    ends = np.searchsorted(ascending, ascending + width, side="right")
    inside = ends - np.arange(len(values))
    return float(inside.max(initial=0) / max(1, len(values)))


def rank_correlation(first: FloatArray, second: FloatArray) -> float:
    """Return the correlation of the ranks; 0 where one of them does not vary.

    Examples
    --------
    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([9.0, 4.0, 1.0]))
    -1.0
    """
    from scipy.stats import rankdata

    ranks = [rankdata(values) for values in (first, second)]
    centred = [rank - rank.mean() for rank in ranks if len(rank)]
    scale = float(np.sqrt(np.prod([np.sum(rank**2) for rank in centred]))) if centred else 0.0
    return round(float(centred[0] @ centred[1]) / scale, 12) if scale > 0 else 0.0
