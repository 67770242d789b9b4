"""What fields report and how likely that is: compiled loops.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numpy as np

from scumble.mining.fields._rows import (
    add_likelihoods,
    compiled,
    set_difference,
    set_logs,
    set_row,
    set_scaled,
    sum_of,
)

_LEAST_SHARE = 1e-7
_FEW = 0.02
_NEVER = -1e300
_FLOOR = np.float32(1e-12)


@compiled
def log_likelihood(seen: Any, state: Any, shares: Any, error: Any, room: Any) -> Any:
    """Return the log-likelihood of a state with the change that is in the room.

    A class without a cell comes from errors alone, as often in one place as in another. That
    may only be one of few people: more would be no errors.
    """
    classes, total = len(shares), 0.0
    for c in range(classes):
        if shares[c] < _LEAST_SHARE and seen.classes[c] > _FEW:
            return _NEVER
    found = room.likelihoods
    for label in range(seen.given.shape[1]):
        set_row(found, _FLOOR)
        last = classes - 1
        while last > 0 and seen.given[last, label] == 0:
            last -= 1
        for c in range(last + 1):
            if seen.given[c, label] == 0:
                continue
            weight = seen.given[c, label] * seen.classes[c]
            weight /= (1 - error) * max(shares[c], 0.0) + error / classes
            own, other = np.float32(weight * (1 - error)), np.float32(weight * error / classes)
            masses, change = state.masses[c], room.change[c]
            if c < last:
                add_likelihoods(found, masses, change, seen.whole, own, other)
            else:
                set_logs(found, seen.counts[label], masses, change, seen.whole, own, other)
        total += sum_of(found)
    return total


@compiled
def set_slab(axes: Any, axis: int, low: int, high: int, room: Any) -> None:
    """Set what truths between two lines report, in room for one of each axis."""
    below = axes.below[axis]
    set_difference(room.slabs[axis][: below.shape[1]], below[high], below[low])


@compiled
def share_of(axes: Any, axis: int, low: int, high: int) -> Any:
    return axes.shares[axis][high] - axes.shares[axis][low]


@compiled
def set_outer(first: Any, plane: Any, out: Any) -> None:
    """Set the product of what the first axis reports and what the two others do."""
    size = len(plane)
    for i in range(len(first)):
        set_scaled(out[i * size : (i + 1) * size], plane, first[i])


@compiled
def add_outer(first: Any, second: Any, sign: Any, out: Any) -> None:
    """Add the product of what two axes report, or take it away.

    Rows are short here: to cut each out as an array of its own would take longer than to add it.
    """
    table = out.reshape(len(first), len(second))
    for i in range(len(first)):
        by = sign * first[i]
        for j in range(len(second)):
            table[i, j] += by * second[j]


@compiled
def set_masses(axes: Any, state: Any, room: Any) -> None:
    """Set what each class reports and how many are of it, from lines and cells."""
    lines, slabs, cells = state.lines, state.slabs, state.cells
    classes, one = len(state.shares), np.float32(1)
    first = room.slabs[0][: axes.below[0].shape[1]]
    second = room.slabs[1][: axes.below[1].shape[1]]
    third = room.slabs[2][: axes.below[2].shape[1]]
    size = len(second) * len(third)
    for c in range(classes):
        set_row(state.masses[c], 0)
        state.shares[c] = 0
    for i in range(slabs[0]):
        for c in range(classes):
            set_row(room.beside[c][:size], 0)
        for j in range(slabs[1]):
            set_slab(axes, 1, lines[1, j], lines[1, j + 1], room)
            both = share_of(axes, 0, lines[0, i], lines[0, i + 1])
            both *= share_of(axes, 1, lines[1, j], lines[1, j + 1])
            start = 0
            while start < slabs[2]:
                c, end = cells[i, j, start], start + 1
                while end < slabs[2] and cells[i, j, end] == c:
                    end += 1
                set_slab(axes, 2, lines[2, start], lines[2, end], room)
                add_outer(second, third, one, room.beside[c][:size])
                state.shares[c] += both * share_of(axes, 2, lines[2, start], lines[2, end])
                start = end
        set_slab(axes, 0, lines[0, i], lines[0, i + 1], room)
        for c in range(classes):
            add_outer(first, room.beside[c][:size], one, state.masses[c])


@compiled
def add_chances(codes: Any, slabs: Any, cells: Any, chances: Any, found: Any) -> None:
    """Add what each field says of each record.

    codes is (records, axes); slabs (fields, axes, codes) the slab of each code; chances
    (fields, classes, classes) what a field says of a cell of each class.
    """
    for i in range(len(codes)):
        a, b, c = codes[i]
        for f in range(len(cells)):
            own = chances[f, cells[f, slabs[f, 0, a], slabs[f, 1, b], slabs[f, 2, c]]]
            for k in range(len(own)):
                found[i, k] += own[k]
