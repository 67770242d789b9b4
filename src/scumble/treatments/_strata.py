"""Records put together that are alike: the strata within which values may change places."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.errors import DomainError
from scumble.treatments._records import Records

IntArray = NDArray[np.integer[Any]]
Ranks = NDArray[np.float32]
_FEWEST = 20


def strata(
    records: Records, *, within: Sequence[str], like: Sequence[str], block: int | None
) -> IntArray:
    """Return the stratum of each record.

    Parameters
    ----------
    records : Records
        The records.
    within : sequence of str
        Attributes in which the records of a stratum are equal.
    like : sequence of str
        Attributes in which they are similar.
    block : int, optional
        The least number of records of a stratum of similar ones; by default the square
        root of all, and at least 20.
    """
    found = equal_in(records, within)
    if not like:
        return found
    ranks = np.column_stack([_ranks(records, name) for name in like])
    least = block or max(_FEWEST, round(len(records) ** 0.5))
    members = np.argsort(found, kind="stable")
    result = np.empty(len(records), dtype=np.int32)
    stratum = 0
    for part in np.split(members, np.cumsum(np.bincount(found))[:-1]):
        for rows in _blocks(ranks, part, least):
            result[rows] = stratum
            stratum += 1
    return result


def equal_in(records: Records, names: Sequence[str]) -> IntArray:
    """Return a code for each record: the same for records that are equal in some attributes."""
    found: IntArray = np.zeros(len(records), dtype=np.int32)
    for name in names:
        places = records.places(name)
        found = found.astype(np.int64) * (int(places.max(initial=0)) + 2)
        found += places
        found += 1
        found = compact(found)
    return found


def compact(codes: IntArray) -> IntArray:
    """Return codes from 0 on without gaps, in the same order.

    Examples
    --------
    >>> compact(np.array([7, 3, 7])).tolist()
    [1, 0, 1]
    """
    if len(codes) and codes.min() >= 0 and codes.max() < 2 * len(codes):
        seen = np.bincount(codes) > 0
        return np.asarray((np.cumsum(seen, dtype=np.int32) - 1)[codes])
    return np.unique(codes, return_inverse=True)[1].ravel().astype(np.int32)


def _ranks(records: Records, name: str) -> Ranks:
    """Return where each value stands among all: numbers in their order, others by frequency.

    Equal values have one rank, and ranks of all attributes run from 0 to 1. A missing value
    stands above all others.
    """
    try:
        values = records.numbers(name)
    except DomainError:
        places = records.places(name)
        counts = np.bincount(places[places >= 0])
        # The frequent values get blocks of their own, the rare ones share.
        values = np.append(np.argsort(np.argsort(-counts, kind="stable")), -1)[places].astype(float)
    order = np.argsort(values)
    ascending = values[order]
    # Missing ones, which are sorted last, are equal to each other too.
    differs = (ascending[1:] != ascending[:-1]) & ~np.isnan(ascending[:-1])
    del ascending
    ends = np.append(np.flatnonzero(differs) + 1, len(values))
    sizes = np.diff(ends, prepend=0)
    ranks = np.empty(len(values), dtype=np.float32)
    ranks[order] = np.repeat((ends - sizes / 2) / max(1, len(values)), sizes)
    return ranks


def _blocks(ranks: Ranks, rows: IntArray, least: int) -> Iterator[IntArray]:
    """Yield blocks of similar records: cut in halves where they differ most, while both are full.

    Notes
    -----
    A k-d tree (Bentley 1975) whose cuts lie between different values, so that records that
    are equal in these attributes stay together.
    """
    waiting = [rows]
    while waiting:
        part = waiting.pop()
        left = _half(ranks[part], least) if len(part) >= 2 * least else None
        if left is None:
            yield part
        else:
            waiting += [part[~left], part[left]]


def _half(ranks: Ranks, least: int) -> NDArray[np.bool_] | None:
    """Say which records are the lower half in the attribute in which they differ most."""
    for j in np.argsort(-np.ptp(ranks, axis=0), kind="stable"):
        values, counts = np.unique(ranks[:, j], return_counts=True)
        below = np.cumsum(counts)[:-1]
        allowed = np.flatnonzero((below >= least) & (len(ranks) - below >= least))
        if len(allowed):
            cut = allowed[np.abs(below[allowed] - len(ranks) / 2).argmin()]
            return np.asarray(ranks[:, j] <= values[cut])
    return None
