"""Whose record is it? An intruder who knows some attributes of a person looks for the record."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._attack import AttackResult, attack_result
from scumble.audit._laws import Costs, Lattice, Noise, costs_by_distance, costs_by_law
from scumble.audit._two_tables import FloatArray, IntArray, TwoTables, drawn_rows
from scumble.errors import TableError

_TIE = 1e-9
_FIRST_LOOK = 500


def link_records(
    truth: Any,
    released: Any,
    *,
    known: Sequence[str],
    noise: Noise | None = None,
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
    Brankovic, 3.2). It is the best that can be done where noise is independent; attributes
    that share a coin are taken as if they did not. Without the law, distances are squared,
    in standard deviations of the truth; see `costs_by_distance` for categories.

    A person whose record the law cannot have made is not found.
    """
    both = TwoTables(truth, released)
    names = both.chosen(known, where="known")
    own = _own_rows(both, alignment)
    people = np.flatnonzero(own >= 0)
    people = people[drawn_rows(len(people), records=records, seed=seed)]
    costs: list[Costs] = [
        costs_by_distance(both[name]) if noise is None else costs_by_law(both, name, noise, people)
        for name in names
    ]
    found = found_by(costs, people=people, own=own[people], size=len(both.other), seed=seed)
    how, does = _words(noise)
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
    own = sum(float(cost(person, np.array([row]))[0]) for cost in costs)
    if not np.isfinite(own):
        return 0.0
    rows: slice | IntArray
    left: IntArray
    for rows in (look, slice(None)):
        total = costs[0](person, rows)
        left = np.flatnonzero(total <= own + _TIE)
        total = total[left]
        left = left if isinstance(rows, slice) else rows[left]
        for cost in costs[1:]:
            total = total + cost(person, left)
            stays = total <= own + _TIE
            left, total = left[stays], total[stays]
        if (total < own - _TIE).any():
            return 0.0
    return 1 / len(left)


def _own_rows(both: TwoTables, alignment: Any) -> NDArray[np.int64]:
    """Return the released row of each true record."""
    size = len(both.truth)
    if alignment is None:
        if len(both.other) != size:
            raise TableError(
                f"released: expected the {size} records of the truth in the same order, got "
                f"{len(both.other)}; give the alignment"
            )
        return np.arange(size)
    rows = np.asarray(alignment)
    if rows.shape != (size,) or rows.dtype.kind not in "iu":
        raise TableError(f"alignment: expected a row for each of {size} true records")
    if not ((rows >= -1) & (rows < len(both.other))).all():
        raise TableError(f"alignment: expected rows from 0 to {len(both.other) - 1}, or -1")
    if not (rows >= 0).any():
        raise TableError("alignment: expected at least one record that was released")
    return rows.astype(np.int64)


def _words(noise: Noise | None) -> tuple[str, str]:
    """Return how records are linked, and what the intruder does."""
    if noise is None:
        return "to the nearest record", "names the released record that is nearest to them"
    laws = () if not isinstance(noise, dict) else tuple(noise.values())
    if laws and all(isinstance(law, Lattice) and law.chances is None for law in laws):
        return (
            "on a lattice",
            "and the few factors of the noise names a released record that fits exactly",
        )
    return (
        "by the law of the noise",
        "and the law of the noise names the released record that is most likely the person's",
    )
