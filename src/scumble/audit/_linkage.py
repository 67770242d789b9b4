"""Whose record is it? An intruder who knows some attributes of a person looks for the record."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._attack import AttackResult, attack_result
from scumble.audit._laws import Costs, Lattice, Noise, costs_by_distance, costs_by_law
from scumble.audit._paired_rows import check_paired
from scumble.audit._two_tables import FloatArray, IntArray, TwoTables, drawn_rows
from scumble.errors import SpecificationError, TableError

_TIE = 1e-9
_FIRST_LOOK = 500
_BACKGROUND = 500


def link_records(
    truth: Any,
    released: Any,
    *,
    known: Sequence[str],
    noise: Noise | None = None,
    population: bool = False,
    alignment: Any = None,
    records: int = 2_000,
    seed: int | None = None,
) -> AttackResult:
    """Look for the released records of persons of whom some attributes are known.

    Parameters
    ----------
    truth, released : DataFrame or array
        The auditor's truth and what was released of it.
    known : sequence of str
        The attributes whose true values the intruder knows.
    noise : Specification or mapping, optional
        The law of the noise, where the intruder knows it: a specification, or for each
        attribute one with its mechanism, `InnocentNoise`, a `Lattice`, or a function of a
        truth and an array of reports that returns their densities. An attribute without a
        law is released as it is. None: the intruder takes the nearest record.
    population : bool
        With `noise`: whether the intruder knows also how the known attributes are spread, and
        so which released records are rare. It finds more.
    alignment : array of int, optional
        The released row of each true record, -1 where it was not released; by default both
        tables have the same order.
    records : int
        How many persons are sought, at the most, drawn at random.
    seed : int, optional
        Makes the sample repeatable.

    Returns
    -------
    AttackResult
        How often the named record is the person's own; of several that are equally good one
        is drawn. The base is that of a record drawn from all.

    Raises
    ------
    TableError, SpecificationError
        If tables, names and laws do not belong together.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Numeric
    >>> from scumble.audit import link_records
    >>> from scumble.mechanisms import UniformNoise
    >>> truth = pa.table({"age": [20, 50, 80]})
    >>> released = pa.table({"age": [24.0, 46.0, 83.0]})
    >>> link_records(truth, released, known=["age"]).success
    1.0
    >>> noise = {"age": Numeric(0, 100, mechanism=UniformNoise(half_width=30))}
    >>> round(link_records(truth, released, known=["age"], noise=noise).success, 3)
    0.667

    Notes
    -----
    p(X -> Y) is the product over the known attributes of P(report | truth) (Islam and
    Brankovic, 3.2). Better is p(X -> Y) / p(Y), the likelihood ratio: a record that anyone may
    have made is no good guess. With `population`, p(Y) is the mean over 500 true records at
    the most. Attributes that share a coin are taken as if they did not. Without the law,
    distances are squared, in standard deviations of the truth; a category that differs counts
    as much as two random records do on average, a value that is missing in one of two as one.

    A person whose record the law cannot have made is not found.
    """
    both = TwoTables(truth, released)
    names = both.chosen(known, where="known")
    own = _own_rows(both, alignment)
    people = np.flatnonzero(own >= 0)
    people = people[drawn_rows(len(people), records=records, seed=seed)]
    if population and noise is None:
        raise SpecificationError("population: expected the law of the noise beside it, got none")
    crowd = (
        drawn_rows(len(both.truth), records=_BACKGROUND, seed=seed) if population else people[:0]
    )
    asked = np.union1d(people, crowd)
    costs: list[Costs] = [
        costs_by_distance(both[name]) if noise is None else costs_by_law(both, name, noise, asked)
        for name in names
    ]
    if population:
        costs.append(_commonness(costs, crowd, len(both.other)))
    found = found_by(costs, people=people, own=own[people], size=len(both.other), seed=seed)
    how, does = _words(noise, population)
    return attack_result(
        float(found.sum()),
        len(people),
        attack=f"linkage {how}",
        base=1 / len(both.other),
        explanation=(
            f"An intruder who knows the true values of {len(names)} attribute"
            f"{'s' if len(names) > 1 else ''} of a person {does}; it succeeds if the record is "
            "the person's own, and then learns everything else in it."
        ),
    )


def found_by(
    costs: Sequence[Costs], *, people: IntArray, own: IntArray, size: int, seed: int | None = None
) -> FloatArray:
    """Return for each person the probability that the own record is named.

    Parameters
    ----------
    costs : sequence of callable
        For each known attribute, what the released values cost a person, from zero on.
    people, own : array of int
        The persons, and the row of each in the released table.
    size : int
        The number of released records.
    seed : int, optional
        For which records are looked at first; the result does not depend on it.
    """
    look = np.random.default_rng(seed).permutation(size)[:_FIRST_LOOK]
    pairs = zip(people.tolist(), own.tolist(), strict=True)
    return np.array([_found(costs, person, row, look) for person, row in pairs], dtype=float)


def _found(costs: Sequence[Costs], person: int, row: int, look: IntArray) -> float:
    """Return the probability that one person's record is named: 0 if another is better.

    Costs only grow from attribute to attribute, so that records which cost more than the own
    one are done with; and a few records often hold a better one, which settles it.
    """
    own = sum(float(cost.of(person, np.array([row]))[0]) for cost in costs)
    if not np.isfinite(own):
        return 0.0
    rows: slice | IntArray
    left: IntArray
    for rows in (look, slice(None)):
        total = costs[0].of(person, rows)
        left = np.flatnonzero(total <= own + _TIE)
        total = total[left]
        left = left if isinstance(rows, slice) else rows[left]
        for cost in costs[1:]:
            total = total + cost.of(person, left)
            stays = total <= own + _TIE
            left, total = left[stays], total[stays]
        if (total < own - _TIE).any():
            return 0.0
    return 1 / len(left)


def _own_rows(both: TwoTables, alignment: Any) -> NDArray[np.int64]:
    """Return the released row of each true record."""
    size = len(both.truth)
    if alignment is None:
        check_paired(both)
        return np.arange(size)
    rows = np.asarray(alignment)
    if rows.shape != (size,) or rows.dtype.kind not in "iu":
        raise TableError(f"alignment: expected a row for each of {size} true records")
    if not ((rows >= -1) & (rows < len(both.other))).all():
        raise TableError(f"alignment: expected rows from 0 to {len(both.other) - 1}, or -1")
    if not (rows >= 0).any():
        raise TableError("alignment: expected at least one record that was released")
    return rows.astype(np.int64)


def _commonness(costs: Sequence[Costs], crowd: IntArray, size: int) -> Costs:
    """Return as a further cost how likely anyone makes each released record: log p(Y)."""
    total = np.full(size, -np.inf)
    for person in crowd.tolist():
        logs = np.zeros(size)
        for cost in costs:
            logs -= cost.of(person, slice(None)) + cost.shift(person)
        total = np.logaddexp(total, logs)
    # A record that nobody of the crowd can have made is as rare as the rarest other.
    finite = total[np.isfinite(total)]
    least = float(finite.min()) if len(finite) else 0.0
    excess = np.maximum(total, least) - least
    return Costs(lambda _, rows: np.asarray(excess[rows]))


def _words(noise: Noise | None, population: bool) -> tuple[str, str]:
    """Return how records are linked, and what the intruder does."""
    if noise is None:
        return "to the nearest record", "names the released record that is nearest to them"
    laws = () if not isinstance(noise, dict) else tuple(noise.values())
    if laws and all(isinstance(law, Lattice) and law.chances is None for law in laws):
        return (
            "on a lattice",
            "and the few factors of the noise names a released record that fits exactly",
        )
    if population:
        return (
            "by the law of the noise and the population",
            "and the law of the noise and how these attributes are spread names the released "
            "record that is most likely the person's",
        )
    return (
        "by the law of the noise",
        "and the law of the noise names the released record that the person makes most likely",
    )
