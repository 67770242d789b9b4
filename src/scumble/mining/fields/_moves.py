"""Steps from one field to the next, and the walk that they make: compiled loops.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numpy as np

from scumble.mining.fields._changes import (
    cell_at,
    change_block,
    change_line,
    change_nothing,
    others_of,
)
from scumble.mining.fields._kernel import log_likelihood, set_masses
from scumble.mining.fields._prior import cost_of
from scumble.mining.fields._rows import add_row, compiled, entered
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
    low, high, after = room.low, room.high, room.after
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
        change_block(axes, state, room, low, high, old, new)
        found = log_likelihood(seen, state, room.shares, state.numbers[2], room)
        if _accepted(rng, (found - state.numbers[0]) / heat):
            _take(state, room, found)
            state.numbers[1] = cost
            return
    _set(cells, low, high, old)


@compiled
def _is_idle(state: Any, axis: int, place: int) -> Any:
    """Say whether a line parts cells of the same classes only."""
    first, second = others_of(axis)
    for x in range(state.slabs[first]):
        for y in range(state.slabs[second]):
            below = cell_at(state.cells, axis, place - 1, x, y)
            if below != cell_at(state.cells, axis, place, x, y):
                return False
    return True


@compiled
def _copy_slab(state: Any, axis: int, place: int, to: int) -> None:
    first, second = others_of(axis)
    for x in range(state.slabs[first]):
        for y in range(state.slabs[second]):
            c = cell_at(state.cells, axis, place, x, y)
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
def _try_line(axes: Any, state: Any, room: Any, prior: Any, rng: Any) -> None:
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
    cost = cost_of(state.cells, room.start, slabs, prior)
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
    change_line(axes, state, room, axis, place, new)
    found = log_likelihood(seen, state, room.shares, state.numbers[2], room)
    if _accepted(rng, (found - state.numbers[0]) / heat):
        _take(state, room, found)
        lines[axis, place] = new


@compiled
def _try_error(seen: Any, state: Any, room: Any, heat: float, rng: Any) -> None:
    """Change how often a class departs from its rule."""
    error = state.numbers[2] * np.exp(_ERROR_STEP * rng.standard_normal())
    if error < _ERRORS[0] or error > _ERRORS[1]:
        return
    change_nothing(room)
    found = log_likelihood(seen, state, state.shares, error, room)
    if _accepted(rng, (found - state.numbers[0]) / heat):
        state.numbers[0], state.numbers[2] = found, error


@entered
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
    change_nothing(room)
    state.numbers[0] = log_likelihood(seen, state, state.shares, state.numbers[2], room)
    for _ in range(steps):
        kind = rng.random()
        if kind < _BLOCK:
            _try_block(axes, seen, state, room, heat, prior, rng, kind < _LARGE_BLOCK)
        elif kind < _LINE:
            _try_line(axes, state, room, prior, rng)
        elif kind < _MOVE:
            _try_move(axes, seen, state, room, heat, rng)
        else:
            _try_error(seen, state, room, heat, rng)
