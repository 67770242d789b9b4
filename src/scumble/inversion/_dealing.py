"""The loops that deal the kinds of records to the children of nodes, compiled.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numpy as np

from scumble.engines._kernels import compiled
from scumble.inversion._kernels import BLOCK, is_narrowed, read_codes, read_words


@compiled
def sides_left(packed: Any, j: int, allowed: Any, alive: Any) -> None:
    """Set for each report of an attribute which sides of its coin it still counts for, as bits."""
    factor, first_side, _, offsets, side_offsets, pointers, cells = packed[:7]
    size, f = offsets[j + 1] - offsets[j], factor[j]
    for report in range(size):
        alive[offsets[j] + report] = 0
        for side in range(first_side[f + 1] - first_side[f]):
            q = side_offsets[j] + side * size + report
            for e in range(pointers[q], pointers[q + 1]):
                if allowed[offsets[j] + cells[e]]:
                    alive[offsets[j] + report] |= 1 << side


@compiled
def part_rows(
    packed: Any, kinds: Any, rows: Any, mates: Any, own: int, alive: Any, left: Any, right: Any
) -> Any:
    """List the kinds that count for the left and the right child of a node; return how many.

    Parameters
    ----------
    packed, kinds
        As for `invert_counts`.
    rows : array of int
        The kinds that count for the node.
    mates : array of int
        The attributes tested before that share the coin of the one that is tested now.
    own : int
        The attribute that is tested now.
    alive : array of uint8, (2, cells)
        As set by `sides_left`, for the left and the right child.
    left, right : arrays of int
        Set to the kinds.
    """
    offsets = packed[3]
    words, codes = np.empty((kinds[0].shape[1], BLOCK), np.uint64), np.empty(BLOCK, np.uint16)
    sides = np.empty(BLOCK, np.uint8)
    lefts, rights = 0, 0
    for start in range(0, len(rows), BLOCK):
        size = min(BLOCK, len(rows) - start)
        read_words(kinds, rows, start, size, words)
        sides[:] = 255
        for j in mates:
            read_codes(kinds, words, j, size, codes)
            counted = alive[0, offsets[j] :]
            for i in range(size):
                sides[i] &= counted[codes[i]]
        read_codes(kinds, words, own, size, codes)
        to_left, to_right = alive[0, offsets[own] :], alive[1, offsets[own] :]
        for i in range(size):
            # Written in any case and kept if it counts: faster than to ask first.
            left[lefts], right[rights] = rows[start + i], rows[start + i]
            lefts += (sides[i] & to_left[codes[i]]) != 0
            rights += (sides[i] & to_right[codes[i]]) != 0
    return lefts, rights


@compiled
def deal_rows(
    packed: Any,
    kinds: Any,
    rows: Any,
    ends: Any,
    attribute: Any,
    allowed: Any,
    present: Any,
    new_rows: Any,
    new_ends: Any,
) -> int:
    """List the kinds of records that count for each child of the nodes that are split.

    One that counts for no side of a factor, whatever is tested further down, is left out.
    Children that leave none out share a list. `attribute` are those of the nodes that are
    split, and `allowed` the cells of their children. Returns how long the lists are.
    """
    factor, offsets = packed[0], packed[3]
    alive = np.empty((2, offsets[-1]), np.uint8)
    mates = np.empty(len(offsets), np.int64)
    right = np.empty(len(new_rows) // 2, np.int32)
    to = 0
    # The list that was copied whole, and where it is now.
    whole, whole_at = -1, -1
    for node in range(len(ends)):
        own, count = attribute[node], 0
        for j in range(len(offsets) - 2):
            if factor[j] == factor[own] and is_narrowed(packed, j, allowed[2 * node], present):
                sides_left(packed, j, allowed[2 * node], alive[0])
                mates[count] = j
                count += j != own
        for side in range(2):
            sides_left(packed, own, allowed[2 * node + side], alive[side])
        first, last = ends[node]
        sizes = part_rows(
            packed, kinds, rows[first:last], mates[:count], own, alive, new_rows[to:], right
        )
        for side in range(2):
            size = sizes[side]
            begin = whole_at if size == last - first and first == whole else to
            new_ends[2 * node + side, 0] = begin
            new_ends[2 * node + side, 1] = begin + size
            if begin != to:
                continue
            if side:
                new_rows[to : to + size] = right[:size]
            if size == last - first > 0:
                whole, whole_at = first, to
            to += size
    return to
