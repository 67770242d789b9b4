"""What fields report, how likely that is, and what a field costs: compiled loops.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numba
import numpy as np

from scumble.mining.fields._state import AT_A_TIME

# Not fastmath: the order of sums would depend on where in memory numbers lie. What is compiled is
# kept on disk by file: after a change here, delete what was kept of `_moves.py`.
compiled = numba.njit(nogil=True, cache=True)
_LANES = 16
_LEAST_SHARE = 1e-7
_NEVER = -1e300
_FLOOR = np.float32(1e-12)
_LN2 = np.float32(np.log(2.0))
# The logarithm of numbers from 1 to 2, to 1e-6.
_NODES = 1.5 + 0.5 * np.cos(np.pi * (np.arange(200) + 0.5) / 200)
_LOG = np.polynomial.polynomial.polyfit(_NODES - 1, np.log(_NODES), 7).astype(np.float32)


@compiled
def fill(table: Any, value: float) -> None:
    """Set all of a table; by a loop, since slices are long to compile."""
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            table[i, j] = value


@compiled
def log_likelihood(seen: Any, state: Any, change: Any, shares: Any, error: Any, room: Any) -> Any:
    """Return the log-likelihood of a state with some change.

    Some reports at a time, so that what is worked on stays at hand.
    """
    classes, reports = state.masses.shape
    for c in range(classes):
        if shares[c] < _LEAST_SHARE:
            return _NEVER
    total = 0.0
    for label in range(seen.given.shape[1]):
        counts = seen.counts[label]
        for start in range(0, reports, AT_A_TIME):
            size = min(AT_A_TIME, reports - start)
            found = room.likelihoods
            for w in range(size):
                found[w] = _FLOOR
            for c in range(classes):
                if seen.given[c, label] == 0:
                    continue
                weight = seen.given[c, label] * seen.classes[c]
                weight /= (1 - error) * shares[c] + error / classes
                own, other = np.float32(weight * (1 - error)), np.float32(weight * error / classes)
                masses, more, whole = state.masses[c], change[c], seen.whole
                for w in range(size):
                    mass = max(masses[start + w] + more[start + w], np.float32(0))
                    found[w] += own * mass + other * whole[start + w]
            total += _sum_of_logs(counts, start, size, room)
    return total


@compiled
def _sum_of_logs(counts: Any, start: int, size: int, room: Any) -> Any:
    """Return the sum of counts times the logarithms of likelihoods.

    A logarithm is read from the bits of a number, so that eight are taken at once.
    """
    a, b, c, d, e, f, g, h = _LOG
    for i in range(size):
        bits = room.bits[i]
        room.exponents[i] = np.float32((bits >> 23) - 127)
        room.mantissa_bits[i] = (bits & 0x7FFFFF) | 0x3F800000
    for i in range(size):
        x = room.mantissas[i] - np.float32(1)
        log = a + x * (b + x * (c + x * (d + x * (e + x * (f + x * (g + x * h))))))
        room.exponents[i] = counts[start + i] * (room.exponents[i] * _LN2 + log)
    for i in range(size, AT_A_TIME):
        room.exponents[i] = 0
    for i in range(_LANES, AT_A_TIME, _LANES):
        for lane in range(_LANES):
            room.exponents[lane] += room.exponents[i + lane]
    total = 0.0
    for lane in range(_LANES):
        total += room.exponents[lane]
    return total


@compiled
def slab_of(axes: Any, axis: int, low: int, high: int) -> Any:
    return axes.below[axis][high] - axes.below[axis][low]


@compiled
def share_of(axes: Any, axis: int, low: int, high: int) -> Any:
    return axes.shares[axis][high] - axes.shares[axis][low]


@compiled
def outer(a: Any, b: Any, c: Any, out: Any) -> None:
    size = len(c)
    for i in range(len(a)):
        for j in range(len(b)):
            start, both = (i * len(b) + j) * size, a[i] * b[j]
            for k in range(size):
                out[start + k] = both * c[k]


@compiled
def cost_of(cells: Any, low: Any, high: Any, classes: int, alike: float) -> Any:
    """Return minus the logarithm of the prior of the classes of a block of cells.

    Cells are told in order; each is like those told before that it touches, with that
    chance for each of them.
    """
    total = 0.0
    unlike = (1 - alike) / (classes - 1)
    for i in range(low[0], high[0]):
        for j in range(low[1], high[1]):
            row = 1.0
            for k in range(low[2], high[2]):
                own, norm = 1.0, 0.0
                for c in range(classes):
                    chance = 1.0
                    if i > 0:
                        chance *= alike if cells[i - 1, j, k] == c else unlike
                    if j > 0:
                        chance *= alike if cells[i, j - 1, k] == c else unlike
                    if k > 0:
                        chance *= alike if cells[i, j, k - 1] == c else unlike
                    norm += chance
                    if c == cells[i, j, k]:
                        own = chance
                row *= own / norm
            total -= np.log(row)
    return total


@compiled
def set_masses(axes: Any, state: Any, part: Any) -> None:
    """Set what each class reports and how many are of it, from lines and cells."""
    lines, slabs, cells = state.lines, state.slabs, state.cells
    fill(state.masses, 0)
    for c in range(len(state.shares)):
        state.shares[c] = 0
    for i in range(slabs[0]):
        first = slab_of(axes, 0, lines[0, i], lines[0, i + 1])
        for j in range(slabs[1]):
            second = slab_of(axes, 1, lines[1, j], lines[1, j + 1])
            both = share_of(axes, 0, lines[0, i], lines[0, i + 1])
            both *= share_of(axes, 1, lines[1, j], lines[1, j + 1])
            start = 0
            while start < slabs[2]:
                end = start + 1
                while end < slabs[2] and cells[i, j, end] == cells[i, j, start]:
                    end += 1
                third = slab_of(axes, 2, lines[2, start], lines[2, end])
                outer(first, second, third, part)
                c = cells[i, j, start]
                own = state.masses[c]
                for w in range(len(part)):
                    own[w] += part[w]
                state.shares[c] += both * share_of(axes, 2, lines[2, start], lines[2, end])
                start = end


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
