"""The walk through fields, compiled.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any, NamedTuple

import numba
import numpy as np

compiled = numba.njit(nogil=True, cache=True, fastmath=True)
AXES = 3
MOST_SLABS = 14
# How often each step is tried: a class of a block, a line that comes or goes, one that moves;
# else how often a class departs from its rule.
_BLOCK, _LINE, _MOVE = 0.55, 0.75, 0.99
_LARGE_BLOCK = 0.3
_LARGEST_BLOCK = 3
# How far lines are moved, in parts of their axis, and how often so far at the most.
_FAR = ((0.5, 0.01), (0.8, 0.03), (1.0, 0.1))
_ERRORS = (1e-4, 0.5)
_ERROR_STEP = 0.5
_LEAST_SHARE = 1e-7
_NEVER = -1e300
_FLOOR = np.float32(1e-12)
_LN2 = np.float32(np.log(2.0))
# The logarithm of numbers from 1 to 2, to 1e-6.
_NODES = 1.5 + 0.5 * np.cos(np.pi * (np.arange(200) + 0.5) / 200)
_LOG = np.polynomial.polynomial.polyfit(_NODES - 1, np.log(_NODES), 7).astype(np.float32)
_AT_A_TIME = 256


class Axes(NamedTuple):
    """The three axes of a grid; those that there are not have one cell.

    below[a][place, code] is P(code and truth below that place), over what the code is worth;
    shares[a][place] is P(truth below that place).
    """

    below: Any
    shares: Any


class Seen(NamedTuple):
    """What was reported: how often each label with each report, and what that says.

    counts is (labels, reports); whole (reports,) is what all truths together would report;
    given (classes, labels) is P(label | class); classes (classes,) the share of each.
    """

    counts: Any
    whole: Any
    given: Any
    classes: Any


class State(NamedTuple):
    """One field: lines (axes, places), slabs (axes,), a class for each cell; what follows.

    masses (classes, reports) is what each class reports, shares (classes,) how many are of it;
    numbers holds the log-likelihood, the cost of the field, and how often a class departs
    from its rule.
    """

    lines: Any
    slabs: Any
    cells: Any
    masses: Any
    shares: Any
    numbers: Any


class Room(NamedTuple):
    """Room to work in: a change of the masses and of the shares, and likelihoods."""

    change: Any
    beside: Any
    shares: Any
    part: Any
    likelihoods: Any
    bits: Any
    exponents: Any
    mantissas: Any
    mantissa_bits: Any


@compiled
def _log_likelihood(seen: Any, state: Any, change: Any, shares: Any, error: Any, room: Any) -> Any:
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
        for start in range(0, reports, _AT_A_TIME):
            size = min(_AT_A_TIME, reports - start)
            found = room.likelihoods[:size]
            found[:] = _FLOOR
            for c in range(classes):
                if seen.given[c, label] == 0:
                    continue
                weight = seen.given[c, label] * seen.classes[c]
                weight /= (1 - error) * shares[c] + error / classes
                own, other = np.float32(weight * (1 - error)), np.float32(weight * error / classes)
                masses, more = state.masses[c, start:], change[c, start:]
                whole = seen.whole[start:]
                for w in range(size):
                    mass = max(masses[w] + more[w], np.float32(0))
                    found[w] += own * mass + other * whole[w]
            total += _sum_of_logs(counts[start : start + size], room)
    return total


@compiled
def _sum_of_logs(counts: Any, room: Any) -> Any:
    """Return the sum of counts times the logarithms of likelihoods.

    A logarithm is read from the bits of a number, so that eight are taken at once.
    """
    a, b, c, d, e, f, g, h = _LOG
    for i in range(len(counts)):
        bits = room.bits[i]
        room.exponents[i] = np.float32((bits >> 23) - 127)
        room.mantissa_bits[i] = (bits & 0x7FFFFF) | 0x3F800000
    total = np.float32(0)
    for i in range(len(counts)):
        x = room.mantissas[i] - np.float32(1)
        log = a + x * (b + x * (c + x * (d + x * (e + x * (f + x * (g + x * h))))))
        total += counts[i] * (room.exponents[i] * _LN2 + log)
    return total


@compiled
def _slab(axes: Any, axis: int, low: int, high: int) -> Any:
    return axes.below[axis][high] - axes.below[axis][low]


@compiled
def _share(axes: Any, axis: int, low: int, high: int) -> Any:
    return axes.shares[axis][high] - axes.shares[axis][low]


@compiled
def _outer(a: Any, b: Any, c: Any, out: Any) -> None:
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
    state.masses[:] = 0
    state.shares[:] = 0
    for i in range(slabs[0]):
        first = _slab(axes, 0, lines[0, i], lines[0, i + 1])
        for j in range(slabs[1]):
            second = _slab(axes, 1, lines[1, j], lines[1, j + 1])
            both = _share(axes, 0, lines[0, i], lines[0, i + 1])
            both *= _share(axes, 1, lines[1, j], lines[1, j + 1])
            start = 0
            while start < slabs[2]:
                end = start + 1
                while end < slabs[2] and cells[i, j, end] == cells[i, j, start]:
                    end += 1
                third = _slab(axes, 2, lines[2, start], lines[2, end])
                _outer(first, second, third, part)
                c = cells[i, j, start]
                own = state.masses[c]
                for w in range(len(part)):
                    own[w] += part[w]
                state.shares[c] += both * _share(axes, 2, lines[2, start], lines[2, end])
                start = end


@compiled
def _take(state: Any, room: Any, log_likelihood: float) -> None:
    """Make a change part of the state."""
    classes, reports = state.masses.shape
    for c in range(classes):
        masses, change = state.masses[c], room.change[c]
        for w in range(reports):
            masses[w] += change[w]
    state.shares[:] = room.shares
    state.numbers[0] = log_likelihood


@compiled
def _accepted(rng: Any, log_ratio: float) -> Any:
    return log_ratio >= 0 or np.log(1 - rng.random()) < log_ratio


@compiled
def _try_block(
    axes: Any, seen: Any, state: Any, room: Any, heat: float, alike: float, rng: Any, large: bool
) -> None:
    """Give a block of one class another; what the prior refuses is not looked at."""
    lines, slabs, cells = state.lines, state.slabs, state.cells
    classes = len(state.shares)
    low, high = np.empty(AXES, np.int64), np.empty(AXES, np.int64)
    for axis in range(AXES):
        low[axis] = int(rng.random() * slabs[axis])
        size = 1 + (int(rng.random() * _LARGEST_BLOCK) if large else 0)
        high[axis] = min(slabs[axis], low[axis] + size)
    block = cells[low[0] : high[0], low[1] : high[1], low[2] : high[2]]
    old = block[0, 0, 0]
    new = (old + 1 + int(rng.random() * (classes - 1))) % classes
    for c in block.flat:
        if c != old:
            return
    # Those that are told after the block depend on it, too.
    after = np.minimum(high + 1, slabs)
    cost = state.numbers[1] - cost_of(cells, low, after, classes, alike)
    block[:] = new
    cost += cost_of(cells, low, after, classes, alike)
    if _accepted(rng, state.numbers[1] - cost):
        room.change[:] = 0
        room.shares[:] = state.shares
        _outer(
            _slab(axes, 0, lines[0, low[0]], lines[0, high[0]]),
            _slab(axes, 1, lines[1, low[1]], lines[1, high[1]]),
            _slab(axes, 2, lines[2, low[2]], lines[2, high[2]]),
            room.part,
        )
        share = 1.0
        for axis in range(AXES):
            share *= _share(axes, axis, lines[axis, low[axis]], lines[axis, high[axis]])
        room.change[old] = -room.part
        room.change[new] = room.part
        room.shares[old] -= share
        room.shares[new] += share
        found = _log_likelihood(seen, state, room.change, room.shares, state.numbers[2], room)
        if _accepted(rng, (found - state.numbers[0]) / heat):
            _take(state, room, found)
            state.numbers[1] = cost
            return
    block[:] = old


@compiled
def _slice(cells: Any, axis: int, place: int) -> Any:
    """Return the cells of one slab, a view."""
    if axis == 0:
        return cells[place]
    return cells[:, place] if axis == 1 else cells[:, :, place]


@compiled
def _idle(state: Any, axis: int, place: int) -> Any:
    """Say whether a line parts cells of the same classes only."""
    slabs = state.slabs
    first, second = (axis + 1) % AXES, (axis + 2) % AXES
    low, high = min(first, second), max(first, second)
    a, b = _slice(state.cells, axis, place - 1), _slice(state.cells, axis, place)
    for x in range(slabs[low]):
        for y in range(slabs[high]):
            if a[x, y] != b[x, y]:
                return False
    return True


@compiled
def _copy_slab(source: Any, place: int, target: Any, to: int, axis: int) -> None:
    if axis == 0:
        target[to] = source[place]
    elif axis == 1:
        target[:, to] = source[:, place]
    else:
        target[:, :, to] = source[:, :, place]


@compiled
def _try_line(axes: Any, state: Any, alike: float, expected: float, rng: Any) -> None:
    """Draw a line that parts nothing yet, or take one away that parts nothing."""
    axis = int(rng.random() * AXES)
    last = len(axes.shares[axis]) - 1
    if last < 2:
        return
    lines, slabs = state.lines[axis], state.slabs
    size = slabs[axis]
    idle = [place for place in range(1, size) if _idle(state, axis, place)]
    grows = rng.random() < 0.5
    at = 1 + int(rng.random() * (last - 1))
    place = int(np.searchsorted(lines[: size + 1], at))
    if (grows and (size >= MOST_SLABS or lines[place] == at)) or (not grows and len(idle) == 0):
        return
    cells, before = state.cells.copy(), lines.copy()
    if grows:
        ratio = expected / (len(idle) + 1)
        lines[place + 1 : size + 2] = before[place : size + 1]
        lines[place] = at
        for k in range(place, size + 1):
            _copy_slab(cells, k - 1, state.cells, k, axis)
        slabs[axis] += 1
    else:
        ratio = len(idle) / expected
        place = idle[int(rng.random() * len(idle))]
        lines[place:size] = before[place + 1 : size + 1]
        for k in range(place, size - 1):
            _copy_slab(cells, k + 1, state.cells, k, axis)
        slabs[axis] -= 1
    cost = cost_of(state.cells, np.zeros_like(slabs), slabs, len(state.shares), alike)
    if _accepted(rng, np.log(ratio) + state.numbers[1] - cost):
        state.numbers[1] = cost
    else:
        state.cells[:] = cells
        lines[:] = before
        slabs[axis] = size


@compiled
def _try_move(axes: Any, seen: Any, state: Any, room: Any, heat: float, rng: Any) -> None:
    """Move a line."""
    axis = int(rng.random() * AXES)
    slabs, lines = state.slabs, state.lines
    if slabs[axis] < 2:
        return
    place = 1 + int(rng.random() * (slabs[axis] - 1))
    old, u, far = lines[axis, place], rng.random(), 0.0
    for often, part in _FAR:
        if far == 0 and u < often:
            far = part
    new = old + int(np.round(rng.standard_normal() * far * (len(axes.shares[axis]) - 1)))
    if new == old:
        new += 1 if rng.random() < 0.5 else -1
    if new <= lines[axis, place - 1] or new >= lines[axis, place + 1]:
        return
    if _idle(state, axis, place):
        lines[axis, place] = new
        return
    low, high = (1 if axis == 0 else 0), (1 if axis == 2 else 2)
    a, b = _slice(state.cells, axis, place - 1), _slice(state.cells, axis, place)
    codes = (axes.below[low].shape[1], axes.below[high].shape[1])
    beside = room.beside[:, : codes[0] * codes[1]]
    beside[:] = 0
    part = room.part[: codes[0] * codes[1]]
    nothing = np.ones(1, np.float32)
    width = _share(axes, axis, old, new)
    room.shares[:] = state.shares
    for x in range(slabs[low]):
        start = 0
        while start < slabs[high]:
            end = start + 1
            while end < slabs[high] and a[x, end] == a[x, start] and b[x, end] == b[x, start]:
                end += 1
            left, right = a[x, start], b[x, start]
            if left != right:
                ends = (lines[low, x], lines[low, x + 1], lines[high, start], lines[high, end])
                first, second = (
                    _slab(axes, low, ends[0], ends[1]),
                    _slab(axes, high, ends[2], ends[3]),
                )
                _outer(nothing, first, second, part)
                beside[left] += part
                beside[right] -= part
                share = _share(axes, low, ends[0], ends[1]) * _share(axes, high, ends[2], ends[3])
                room.shares[left] += share * width
                room.shares[right] -= share * width
            start = end
    _spread(_slab(axes, axis, old, new), beside, codes, axis, room.change)
    found = _log_likelihood(seen, state, room.change, room.shares, state.numbers[2], room)
    if _accepted(rng, (found - state.numbers[0]) / heat):
        _take(state, room, found)
        lines[axis, place] = new


@compiled
def _spread(along: Any, beside: Any, codes: Any, axis: int, out: Any) -> None:
    """Set the product of what is along an axis and what is beside it, in the order of reports."""
    # Before the axis, on it, and after it.
    first = 1 if axis == 0 else (codes[0] if axis == 1 else codes[0] * codes[1])
    size, last = len(along), codes[0] * codes[1] // first
    for c in range(len(beside)):
        own, other = out[c], beside[c]
        if last == 1:
            for i in range(first):
                for j in range(size):
                    own[i * size + j] = other[i] * along[j]
            continue
        for i in range(first):
            for j in range(size):
                start, weight = (i * size + j) * last, along[j]
                for k in range(last):
                    own[start + k] = weight * other[i * last + k]


@compiled
def _try_error(seen: Any, state: Any, room: Any, heat: float, rng: Any) -> None:
    """Change how often a class departs from its rule."""
    error = state.numbers[2] * np.exp(_ERROR_STEP * rng.standard_normal())
    if error < _ERRORS[0] or error > _ERRORS[1]:
        return
    room.change[:] = 0
    found = _log_likelihood(seen, state, room.change, state.shares, error, room)
    if _accepted(rng, (found - state.numbers[0]) / heat):
        state.numbers[0], state.numbers[2] = found, error


@compiled
def _walk(
    axes: Any,
    seen: Any,
    state: Any,
    room: Any,
    heat: float,
    steps: int,
    alike: float,
    expected: float,
    rng: Any,
) -> None:
    # Small changes add up errors of rounding: what follows from lines and cells is set anew.
    set_masses(axes, state, room.part)
    room.change[:] = 0
    state.numbers[0] = _log_likelihood(
        seen, state, room.change, state.shares, state.numbers[2], room
    )
    for _ in range(steps):
        kind = rng.random()
        if kind < _BLOCK:
            _try_block(axes, seen, state, room, heat, alike, rng, kind < _LARGE_BLOCK)
        elif kind < _LINE:
            _try_line(axes, state, alike, expected, rng)
        elif kind < _MOVE:
            _try_move(axes, seen, state, room, heat, rng)
        else:
            _try_error(seen, state, room, heat, rng)


@compiled
def walk(
    axes: Any,
    seen: Any,
    states: Any,
    heats: Any,
    rounds: int,
    steps: int,
    first: int,
    alike: float,
    expected: float,
    rng: Any,
    kept: Any,
) -> Any:
    """Walk through fields at several heats at once, and keep some that the coldest meets.

    Parameters
    ----------
    axes, seen : Axes, Seen
        The grid, and what was reported.
    states : State
        The states, one after the other.
    heats : array
        What the log-likelihood is divided by, from 1 on. Those that are hotter find ways
        that the coldest would not; neighbours swap places as their likelihoods allow.
    rounds, steps : int
        How many rounds of how many steps at each heat.
    first : int
        The first round of which something is kept.
    alike : float
        The chance that a cell is like one beside it.
    expected : float
        How many lines an axis is expected to have.
    rng : Generator
        Randomness.
    kept : State
        The fields that are kept, spread evenly over the rounds from the first.

    Returns
    -------
    array of int
        Which state is at each heat in the end.
    """
    count, classes, reports = states.masses.shape
    likelihoods = np.empty(_AT_A_TIME, np.float32)
    mantissas = np.empty(_AT_A_TIME, np.float32)
    room = Room(
        np.zeros((classes, reports), np.float32),
        np.zeros((classes, reports), np.float32),
        np.zeros(classes),
        np.zeros(reports, np.float32),
        likelihoods,
        likelihoods.view(np.int32),
        np.empty(_AT_A_TIME, np.float32),
        mantissas,
        mantissas.view(np.int32),
    )
    order = np.arange(count)
    done = 0
    for r in range(count):
        slabs = states.slabs[r]
        states.numbers[r, 1] = cost_of(states.cells[r], np.zeros_like(slabs), slabs, classes, alike)
    for turn in range(rounds):
        for heat in range(count):
            r = order[heat]
            state = State(
                states.lines[r],
                states.slabs[r],
                states.cells[r],
                states.masses[r],
                states.shares[r],
                states.numbers[r],
            )
            _walk(axes, seen, state, room, heats[heat], steps, alike, expected, rng)
        for heat in range(turn % 2, count - 1, 2):
            a, b = order[heat], order[heat + 1]
            gain = states.numbers[b, 0] - states.numbers[a, 0]
            if _accepted(rng, gain * (1 / heats[heat] - 1 / heats[heat + 1])):
                order[heat], order[heat + 1] = b, a
        if (turn + 1 - first) * len(kept.slabs) >= (done + 1) * (rounds - first):
            r = order[0]
            kept.lines[done], kept.slabs[done] = states.lines[r], states.slabs[r]
            kept.cells[done], kept.shares[done] = states.cells[r], states.shares[r]
            kept.numbers[done] = states.numbers[r]
            done += 1
    return order


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
