"""What a step changes in what each class reports: compiled loops.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numpy as np

from scumble.mining.fields._kernel import add_outer, set_outer, set_slab, share_of
from scumble.mining.fields._rows import add_scaled, compiled, set_row, set_scaled
from scumble.mining.fields._state import AXES

_MORE, _LESS = np.float32(1), np.float32(-1)


@compiled
def cell_at(cells: Any, axis: int, place: int, x: int, y: int) -> Any:
    """Return a cell by its place on an axis and on the two others."""
    if axis == 0:
        return cells[place, x, y]
    return cells[x, place, y] if axis == 1 else cells[x, y, place]


@compiled
def others_of(axis: int) -> Any:
    """Return the two other axes, in order."""
    return (1 if axis == 0 else 0), (1 if axis == 2 else 2)


@compiled
def change_block(axes: Any, state: Any, room: Any, low: Any, high: Any, old: int, new: int) -> None:
    """Set the change that a block of another class makes."""
    lines, share = state.lines, 1.0
    for axis in range(AXES):
        start, end = lines[axis, low[axis]], lines[axis, high[axis]]
        set_slab(axes, axis, start, end, room)
        share *= share_of(axes, axis, start, end)
    first = room.slabs[0][: axes.below[0].shape[1]]
    second = room.slabs[1][: axes.below[1].shape[1]]
    third = room.slabs[2][: axes.below[2].shape[1]]
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
def change_line(axes: Any, state: Any, room: Any, axis: int, place: int, new: int) -> None:
    """Set the change that a line makes where it is moved: cells beside it go over."""
    slabs, lines, cells = state.slabs, state.lines, state.cells
    low, high = others_of(axis)
    first = room.slabs[low][: axes.below[low].shape[1]]
    second = room.slabs[high][: axes.below[high].shape[1]]
    along = room.slabs[axis][: axes.below[axis].shape[1]]
    size = len(first) * len(second)
    width, last = share_of(axes, axis, lines[axis, place], new), len(state.shares) - 1
    for c in range(len(state.shares)):
        room.shares[c] = state.shares[c]
        set_row(room.beside[c][:size], 0)
    for x in range(slabs[low]):
        set_slab(axes, low, lines[low, x], lines[low, x + 1], room)
        part = share_of(axes, low, lines[low, x], lines[low, x + 1]) * width
        start = 0
        while start < slabs[high]:
            left = cell_at(cells, axis, place - 1, x, start)
            right = cell_at(cells, axis, place, x, start)
            end = start + 1
            while (
                end < slabs[high]
                and cell_at(cells, axis, place - 1, x, end) == left
                and cell_at(cells, axis, place, x, end) == right
            ):
                end += 1
            if left != right:
                set_slab(axes, high, lines[high, start], lines[high, end], room)
                if left != last:
                    add_outer(first, second, _MORE, room.beside[left][:size])
                if right != last:
                    add_outer(first, second, _LESS, room.beside[right][:size])
                share = part * share_of(axes, high, lines[high, start], lines[high, end])
                room.shares[left] += share
                room.shares[right] -= share
            start = end
    set_slab(axes, axis, lines[axis, place], new, room)
    _spread(along, len(second), size, axis, room)


@compiled
def _spread(along: Any, later: int, size: int, axis: int, room: Any) -> None:
    """Set the change to the product of what is along an axis and what is beside it.

    Reports are in the order of the axes; `later` is how many the later of the two beside it
    has, and `size` how many both have. What the last class gets, all others lose.
    """
    rest = room.change[len(room.change) - 1]
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
        if c == 0:
            set_scaled(rest, change, _LESS)
        else:
            add_scaled(rest, change, _LESS)


@compiled
def change_nothing(room: Any) -> None:
    """Set no change."""
    for c in range(len(room.change)):
        set_row(room.change[c], 0)
