"""Steps from one field to the next, and the walk that they make: compiled loops.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numpy as np

from scumble.mining.fields._kernel import (
    add_outer,
    log_likelihood,
    set_masses,
    set_outer,
    set_slab,
    share_of,
)
from scumble.mining.fields._prior import cost_of
from scumble.mining.fields._rows import add_row, add_scaled, compiled, set_row, set_scaled
from scumble.mining.fields._state import AXES, MOST_SLABS, State

# How often each step is tried: a class of a block, a line that comes or goes, one that moves;
# else how often a class departs from its rule.
_BLOCK, _LINE, _MOVE = 0.55, 0.75, 0.99
_LARGE_BLOCK = 0.3
_LARGEST_BLOCK = 3
# How far lines are moved, in parts of their axis, and how often so far at the most.
_FAR = ((0.5, 0.01), (0.8, 0.03), (1.0, 0.1))
_ERRORS = (1e-4, 0.5)
_ERROR_STEP = 0.5
_MORE, _LESS = np.float32(1), np.float32(-1)


@compiled
def _accepted(rng: Any, log_ratio: float) -> Any:
    return log_ratio >= 0 or np.log(1 - rng.random()) < log_ratio


@compiled
def _take(state: Any, room: Any, log_likelihood: float) -> None:
    """Make a change part of the state."""
    for c in range(len(state.shares)):
        state.shares[c] = room.shares[c]
        add_row(state.masses[c], room.change[c])
    state.numbers[0] = log_likelihood


@compiled
def _cell(cells: Any, axis: int, place: int, x: int, y: int) -> Any:
    """Return a cell by its place on an axis and on the two others."""
    if axis == 0:
        return cells[place, x, y]
    return cells[x, place, y] if axis == 1 else cells[x, y, place]


@compiled
def _others(axis: int) -> Any:
    return (1 if axis == 0 else 0), (1 if axis == 2 else 2)


@compiled
def _is(cells: Any, low: Any, high: Any, c: int) -> Any:
    """Say whether a block is of one class."""
    for i in range(low[0], high[0]):
        for j in range(low[1], high[1]):
            for k in range(low[2], high[2]):
                if cells[i, j, k] != c:
                    return False
    return True


@compiled
def _set(cells: Any, low: Any, high: Any, c: int) -> None:
    """Give a block a class."""
    for i in range(low[0], high[0]):
        for j in range(low[1], high[1]):
            for k in range(low[2], high[2]):
                cells[i, j, k] = c


@compiled
def _try_block(
    axes: Any, seen: Any, state: Any, room: Any, heat: float, prior: Any, rng: Any, large: bool
) -> None:
    """Give a block of one class another; what the prior refuses is not looked at."""
    slabs, cells, classes = state.slabs, state.cells, len(state.shares)
    low, high = np.empty(AXES, np.int64), np.empty(AXES, np.int64)
    after = np.empty(AXES, np.int64)
    for axis in range(AXES):
        low[axis] = int(rng.random() * slabs[axis])
        size = 1 + (int(rng.random() * _LARGEST_BLOCK) if large else 0)
        high[axis] = min(slabs[axis], low[axis] + size)
        # Those that are told after the block depend on it, too.
        after[axis] = min(slabs[axis], high[axis] + 1)
    old = cells[low[0], low[1], low[2]]
    new = (old + 1 + int(rng.random() * (classes - 1))) % classes
    if not _is(cells, low, high, old):
        return
    cost = state.numbers[1] - cost_of(cells, low, after, prior)
    _set(cells, low, high, new)
    cost += cost_of(cells, low, after, prior)
    if _accepted(rng, state.numbers[1] - cost):
        _change_block(axes, state, room, low, high, old, new)
        found = log_likelihood(seen, state, room.shares, state.numbers[2], room)
        if _accepted(rng, (found - state.numbers[0]) / heat):
            _take(state, room, found)
            state.numbers[1] = cost
            return
    _set(cells, low, high, old)


@compiled
def _change_block(
    axes: Any, state: Any, room: Any, low: Any, high: Any, old: int, new: int
) -> None:
    """Set the change that a block of another class makes."""
    lines, share = state.lines, 1.0
    for axis in range(AXES):
        start, end = lines[axis, low[axis]], lines[axis, high[axis]]
        set_slab(axes, axis, start, end, room)
        share *= share_of(axes, axis, start, end)
    first, second, third = _slabs(axes, room)
    plane = room.plane[: len(second) * len(third)]
    set_outer(second, third, plane)
    set_outer(first, plane, room.change[new])
    for c in range(len(state.shares)):
        room.shares[c] = state.shares[c]
        if c == old:
            set_scaled(room.change[old], room.change[new], _LESS)
        elif c != new:
            set_row(room.change[c], 0)
    room.shares[old] -= share
    room.shares[new] += share


@compiled
def _slabs(axes: Any, room: Any) -> Any:
    """Return the slabs of the three axes that were set last."""
    return (
        room.slabs[0][: axes.below[0].shape[1]],
        room.slabs[1][: axes.below[1].shape[1]],
        room.slabs[2][: axes.below[2].shape[1]],
    )


@compiled
def _is_idle(state: Any, axis: int, place: int) -> Any:
    """Say whether a line parts cells of the same classes only."""
    first, second = _others(axis)
    for x in range(state.slabs[first]):
        for y in range(state.slabs[second]):
            below = _cell(state.cells, axis, place - 1, x, y)
            if below != _cell(state.cells, axis, place, x, y):
                return False
    return True


@compiled
def _copy_slab(state: Any, axis: int, place: int, to: int) -> None:
    first, second = _others(axis)
    for x in range(state.slabs[first]):
        for y in range(state.slabs[second]):
            c = _cell(state.cells, axis, place, x, y)
            if axis == 0:
                state.cells[to, x, y] = c
            elif axis == 1:
                state.cells[x, to, y] = c
            else:
                state.cells[x, y, to] = c


@compiled
def _draw_line(state: Any, axis: int, place: int, at: int) -> None:
    """Part a slab; both parts have its classes."""
    for k in range(state.slabs[axis], place - 1, -1):
        state.lines[axis, k + 1] = state.lines[axis, k]
        _copy_slab(state, axis, k - 1, k)
    state.lines[axis, place] = at
    state.slabs[axis] += 1


@compiled
def _erase_line(state: Any, axis: int, place: int) -> None:
    """Make two slabs one, of the classes of the lower."""
    size = state.slabs[axis]
    for k in range(place, size):
        state.lines[axis, k] = state.lines[axis, k + 1]
        if k + 1 < size:
            _copy_slab(state, axis, k + 1, k)
    state.slabs[axis] -= 1


@compiled
def _try_line(axes: Any, state: Any, prior: Any, rng: Any) -> None:
    """Draw a line that parts nothing yet, or take one away that parts nothing."""
    axis = int(rng.random() * AXES)
    last = len(axes.shares[axis]) - 1
    if last < 2:
        return
    slabs = state.slabs
    idle = 0
    for k in range(1, slabs[axis]):
        idle += _is_idle(state, axis, k)
    grows = rng.random() < 0.5
    place = 1
    if grows:
        at = 1 + int(rng.random() * (last - 1))
        while state.lines[axis, place] < at:
            place += 1
        if slabs[axis] >= MOST_SLABS or state.lines[axis, place] == at:
            return
        ratio = prior.lines / (idle + 1)
        _draw_line(state, axis, place, at)
    else:
        if idle == 0:
            return
        left = int(rng.random() * idle)
        while left > 0 or not _is_idle(state, axis, place):
            left -= _is_idle(state, axis, place)
            place += 1
        at = state.lines[axis, place]
        ratio = idle / prior.lines
        _erase_line(state, axis, place)
    cost = cost_of(state.cells, np.zeros(AXES, np.int64), slabs, prior)
    if _accepted(rng, np.log(ratio) + state.numbers[1] - cost):
        state.numbers[1] = cost
    elif grows:
        _erase_line(state, axis, place)
    else:
        _draw_line(state, axis, place, at)


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
    if _is_idle(state, axis, place):
        lines[axis, place] = new
        return
    _change_line(axes, state, room, axis, place, new)
    found = log_likelihood(seen, state, room.shares, state.numbers[2], room)
    if _accepted(rng, (found - state.numbers[0]) / heat):
        _take(state, room, found)
        lines[axis, place] = new


@compiled
def _change_line(axes: Any, state: Any, room: Any, axis: int, place: int, new: int) -> None:
    """Set the change that a line makes where it is moved: cells beside it go over."""
    slabs, lines, cells = state.slabs, state.lines, state.cells
    low, high = _others(axis)
    size = axes.below[low].shape[1] * axes.below[high].shape[1]
    width, last = share_of(axes, axis, lines[axis, place], new), len(state.shares) - 1
    for c in range(len(state.shares)):
        room.shares[c] = state.shares[c]
        set_row(room.beside[c][:size], 0)
    for x in range(slabs[low]):
        first = set_slab(axes, low, lines[low, x], lines[low, x + 1], room)
        part = share_of(axes, low, lines[low, x], lines[low, x + 1]) * width
        start = 0
        while start < slabs[high]:
            left = _cell(cells, axis, place - 1, x, start)
            right = _cell(cells, axis, place, x, start)
            end = start + 1
            while (
                end < slabs[high]
                and _cell(cells, axis, place - 1, x, end) == left
                and _cell(cells, axis, place, x, end) == right
            ):
                end += 1
            if left != right:
                second = set_slab(axes, high, lines[high, start], lines[high, end], room)
                if left != last:
                    add_outer(first, second, _MORE, room.beside[left][:size])
                if right != last:
                    add_outer(first, second, _LESS, room.beside[right][:size])
                share = part * share_of(axes, high, lines[high, start], lines[high, end])
                room.shares[left] += share
                room.shares[right] -= share
            start = end
    along = set_slab(axes, axis, lines[axis, place], new, room)
    _spread(along, axes.below[high].shape[1], size, axis, room)


@compiled
def _spread(along: Any, later: int, size: int, axis: int, room: Any) -> None:
    """Set the change to the product of what is along an axis and what is beside it.

    Reports are in the order of the axes; `later` is how many the later of the two beside it
    has, and `size` how many both have. What the last class gets, all others lose.
    """
    rest = room.change[len(room.change) - 1]
    set_row(rest, 0)
    for c in range(len(room.change) - 1):
        change, beside = room.change[c], room.beside[c]
        if axis == 0:
            set_outer(along, beside[:size], change)
        elif axis == 1:
            for i in range(size // later):
                block = change[i * len(along) * later : (i + 1) * len(along) * later]
                set_outer(along, beside[i * later : (i + 1) * later], block)
        else:
            set_outer(beside[:size], along, change)
        add_scaled(rest, change, _LESS)


@compiled
def _try_error(seen: Any, state: Any, room: Any, heat: float, rng: Any) -> None:
    """Change how often a class departs from its rule."""
    error = state.numbers[2] * np.exp(_ERROR_STEP * rng.standard_normal())
    if error < _ERRORS[0] or error > _ERRORS[1]:
        return
    _change_nothing(room)
    found = log_likelihood(seen, state, state.shares, error, room)
    if _accepted(rng, (found - state.numbers[0]) / heat):
        state.numbers[0], state.numbers[2] = found, error


@compiled
def _change_nothing(room: Any) -> None:
    for c in range(len(room.change)):
        set_row(room.change[c], 0)


@compiled
def walk(
    axes: Any,
    seen: Any,
    states: Any,
    room: Any,
    heats: Any,
    order: Any,
    rounds: int,
    steps: int,
    prior: Any,
    rng: Any,
) -> None:
    """Walk through fields at several heats at once.

    Parameters
    ----------
    axes, seen : Axes, Seen
        The grid, and what was reported.
    states : State
        The states, one after the other.
    room : Room
        Room to work in.
    heats : array
        What the log-likelihood is divided by, from 1 on. Those that are hotter find ways
        that the coldest would not; neighbours swap places as their likelihoods allow.
    order : array of int
        Which state is at each heat; it is changed.
    rounds, steps : int
        How many rounds of how many steps at each heat.
    prior : Prior
        What fields cost.
    rng : Generator
        Randomness.
    """
    for turn in range(rounds):
        for heat in range(len(heats)):
            r = order[heat]
            state = State(
                states.lines[r],
                states.slabs[r],
                states.cells[r],
                states.masses[r],
                states.shares[r],
                states.numbers[r],
            )
            _walk(axes, seen, state, room, heats[heat], steps, prior, rng)
        for heat in range(turn % 2, len(heats) - 1, 2):
            a, b = order[heat], order[heat + 1]
            gain = states.numbers[b, 0] - states.numbers[a, 0]
            if _accepted(rng, gain * (1 / heats[heat] - 1 / heats[heat + 1])):
                order[heat], order[heat + 1] = b, a


@compiled
def _walk(
    axes: Any,
    seen: Any,
    state: Any,
    room: Any,
    heat: float,
    steps: int,
    prior: Any,
    rng: Any,
) -> None:
    # Small changes add up errors of rounding: what follows from lines and cells is set anew.
    set_masses(axes, state, room)
    _change_nothing(room)
    state.numbers[0] = log_likelihood(seen, state, state.shares, state.numbers[2], room)
    for _ in range(steps):
        kind = rng.random()
        if kind < _BLOCK:
            _try_block(axes, seen, state, room, heat, prior, rng, kind < _LARGE_BLOCK)
        elif kind < _LINE:
            _try_line(axes, state, prior, rng)
        elif kind < _MOVE:
            _try_move(axes, seen, state, room, heat, rng)
        else:
            _try_error(seen, state, room, heat, rng)
