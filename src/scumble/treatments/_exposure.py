"""What an intruder who sees a treated attribute can still tell of it."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.integer[Any]]
FloatArray = NDArray[np.float64]
_POSSIBLE = 1e-9
_UNLIKELY = 0.05


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """How exposed the values of one attribute are in a released table.

    The intruder knows how often each value occurs and how the table was treated, sees
    what was released of a record in this attribute, and names the likeliest value.

    Attributes
    ----------
    identified : float
        The probability that the guess is right (the Bayes vulnerability).
    base : float
        The same for an intruder who sees nothing of the record: the share of the most
        frequent value.
    disclosed : int
        The number of records whose value is certain. Where each report is drawn at random, how
        many are expected, rounded up; none where the chance that there is one is below 5 %.
    group : int
        The least number of records that look alike; where each report is drawn at random,
        all of them. Records whose value is missing look alike where that is seen.
    records : int
        The number of records that have a value.
    """

    identified: float
    base: float
    disclosed: int
    group: int
    records: int


def exposure_of_groups(truths: IntArray, seen: IntArray) -> Exposure:
    """Return the exposure where all that is seen of a record is a group that it belongs to.

    Parameters
    ----------
    truths : array of int
        The value of each record, as a code; negative where it is missing.
    seen : array of int
        The group of each record; negative where it is seen that the value is missing.

    Examples
    --------
    >>> exposure_of_groups(np.array([0, 0, 1, 2]), np.array([0, 0, 1, 1]))
    Exposure(identified=0.75, base=0.5, disclosed=2, group=2, records=4)
    """
    known, missing = truths >= 0, 0
    if not known.all():
        missing = int(np.count_nonzero(seen[~known] < 0))
        truths, seen = truths[known], seen[known]
    if not len(truths):
        return Exposure(identified=0.0, base=0.0, disclosed=0, group=0, records=0)
    width = int(truths.max()) + 1
    owner, counts = _pairs(seen, truths, width)
    starts = np.flatnonzero(np.diff(owner, prepend=owner[0] - 1))
    sizes = np.add.reduceat(counts, starts)
    alone = np.diff(np.append(starts, len(owner))) == 1
    return Exposure(
        identified=float(np.maximum.reduceat(counts, starts).sum() / len(truths)),
        base=float(np.bincount(truths, minlength=width).max() / len(truths)),
        disclosed=int(sizes[alone].sum()),
        group=smallest(int(sizes.min()), missing),
        records=len(truths),
    )


def smallest(group: int, missing: int) -> int:
    """Return the size of the smallest group, that of the missing values among them.

    Examples
    --------
    >>> smallest(30, 2), smallest(30, 0)
    (2, 30)
    """
    return min(group, missing) if missing else group


def certain(expected: float) -> int:
    """Return how many records count as disclosed where so many are expected to be.

    Examples
    --------
    >>> certain(0.01), certain(0.3), certain(41.0)
    (0, 1, 41)
    """
    return 0 if expected < _UNLIKELY else math.ceil(expected - _POSSIBLE)


def _pairs(seen: IntArray, truths: IntArray, width: int) -> tuple[IntArray, IntArray]:
    """Return how many records have each group and value: the groups in order, and the counts."""
    joint = seen.astype(np.int64) * width
    joint += truths
    if joint.min() >= 0 and joint.max() < 2 * len(joint):
        counts = np.bincount(joint)
        pairs = np.flatnonzero(counts)
        return pairs // width, counts[pairs]
    # In place, since columns are long: the table is not to be held many times.
    joint.sort()
    starts = np.flatnonzero(np.diff(joint, prepend=joint[0] - 1))
    return joint[starts] // width, np.diff(np.append(starts, len(joint)))


def exposure_through(counts: FloatArray, matrix: FloatArray, *, missing: int = 0) -> Exposure:
    """Return the exposure where a report is drawn at random given the value.

    Parameters
    ----------
    counts : array of float
        The number of records of each value.
    matrix : array of float, (values, reports)
        P(report | value).
    missing : int
        The number of records whose value is missing, and seen to be.

    Examples
    --------
    >>> exposure_through(np.array([50.0, 50.0]), np.array([[0.8, 0.2], [0.2, 0.8]]))
    Exposure(identified=0.8, base=0.5, disclosed=0, group=100, records=100)
    """
    total = counts.sum()
    if not total:
        return Exposure(identified=0.0, base=0.0, disclosed=0, group=0, records=0)
    joint = counts[:, None] * matrix
    possible = (joint > _POSSIBLE * joint.sum(axis=0)).sum(axis=0)
    return Exposure(
        identified=float(joint.max(axis=0).sum() / total),
        base=float(counts.max() / total),
        disclosed=certain(float(joint[:, possible == 1].sum())),
        group=smallest(int(total), missing),
        records=int(total),
    )
