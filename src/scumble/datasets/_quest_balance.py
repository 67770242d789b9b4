"""Equally many records of two groups, by rejection in batches."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scumble.errors import DatasetError

Records: TypeAlias = dict[str, NDArray[Any]]
Flags: TypeAlias = NDArray[np.bool_]

_SMALLEST_BATCH = 1 << 10
_LARGEST_BATCH = 1 << 20
# Draws before a group's share is judged, and draws that are too many: some minutes.
_TRIAL = 10_000_000
_LIMIT = 500_000_000


def draw_balanced(
    draw: Callable[[int], Records],
    *,
    in_group_a: Callable[[Records], Flags],
    n: int,
    rng: np.random.Generator,
) -> tuple[Records, Flags]:
    """Return n records, half of them in group A (one more if n is odd), shuffled.

    Each group is an independent sample of the population given that group: records
    that its quota has no more room for are thrown away.

    Raises
    ------
    DatasetError
        If a group is so rare that ten million draws brought none of it, or that
        filling its half would take more than 500 million.
    """
    quota = np.array([n // 2, n - n // 2])
    found, drawn = np.zeros(2, dtype=np.int64), 0
    parts: list[Records] = []
    flags: list[Flags] = []
    size = _clipped(n)
    while (found < quota).any():
        records = draw(size)
        in_a = in_group_a(records)
        kept = _first_of_each(in_a, quota - found)
        parts.append({name: values[kept] for name, values in records.items()})
        flags.append(in_a[kept])
        found += np.bincount(flags[-1], minlength=2)
        drawn += size
        size = _next_size(quota - found, found=found, drawn=drawn)
    order = rng.permutation(n)
    joined = {name: np.concatenate([part[name] for part in parts])[order] for name in parts[0]}
    return joined, np.concatenate(flags)[order]


def _first_of_each(in_a: Flags, room: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.flatnonzero(~in_a)[: room[0]], np.flatnonzero(in_a)[: room[1]]])


def _next_size(room: NDArray[np.int64], *, found: NDArray[np.int64], drawn: int) -> int:
    """Return how many draws will probably fill the room that is left."""
    # Of an unfilled group every record was kept, so `found` estimates its share.
    needed = int((room * drawn / (found + 1)).max())
    if drawn >= _TRIAL and (drawn + needed > _LIMIT or (found == 0)[room > 0].any()):
        raise DatasetError(
            f"balanced records: expected to fill both groups within {_LIMIT:,} draws, "
            f"got {int(found.min())} records of the rarer group in {drawn:,}; "
            "pass balanced=False, a smaller n or another function"
        )
    return _clipped(int(1.05 * needed))


def _clipped(size: int) -> int:
    return min(max(size, _SMALLEST_BATCH), _LARGEST_BATCH)
