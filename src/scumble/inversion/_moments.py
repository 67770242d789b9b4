"""The loops over records that weigh whole nodes and single splits, compiled.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numpy as np

from scumble.engines._kernels import compiled
from scumble.inversion._kernels import (
    BLOCK,
    class_amounts,
    gather,
    look_up,
    weigh_classes,
    weigh_sides,
)


@compiled
def weigh_nodes(
    packed: Any,
    kinds: Any,
    weights: Any,
    rows: Any,
    ends: Any,
    allowed: Any,
    present: Any,
    labels: Any,
    totals: Any,
    squares: Any,
    found: Any,
) -> None:
    """Weigh the classes of nodes, and the answers of those that give one.

    Parameters
    ----------
    packed, kinds, weights, rows, ends, allowed, present
        As for `invert_counts`.
    labels : array of int
        The class that each node answers; -1 where it does not.
    totals, squares : arrays, (nodes, classes) and (nodes, classes, classes)
        Set to the sums over records of what each counts for the classes, and of products,
        where there is room for these.
    found : array, (kinds,)
        What a record of each kind counts for right answers is added to it.
    """
    factor, first_side, coefficients, offsets, side_offsets = packed[:5]
    attributes, classes = len(offsets) - 2, totals.shape[1]
    own, of_class = factor[attributes], class_amounts(packed)
    given = np.empty(side_offsets[attributes])
    sides = np.empty((len(coefficients), BLOCK))
    by_side = np.empty((len(coefficients), classes, BLOCK))
    block, amounts = np.empty((attributes + 1, BLOCK), np.uint16), np.empty(BLOCK)
    ones, counted = np.ones(BLOCK), np.empty(classes)
    room = np.empty(attributes, np.int64)
    for node in range(len(ends)):
        tests = room[: look_up(packed, allowed[node], present, given, room)]
        for start in range(ends[node, 0], ends[node, 1], BLOCK):
            size = min(BLOCK, ends[node, 1] - start)
            gather(kinds, weights, rows, start, size, block, amounts)
            weigh_sides(packed, block, size, given, tests, -1, sides)
            weigh_classes(packed, of_class, block, ones, size, sides, by_side)
            for i in range(size):
                counted[:] = 0.0
                for g in range(first_side[own], first_side[own + 1]):
                    for c in range(classes):
                        counted[c] += by_side[g, c, i]
                for c in range(classes):
                    totals[node, c] += amounts[i] * counted[c]
                    if len(squares):
                        for d in range(classes):
                            squares[node, c, d] += amounts[i] * counted[c] * counted[d]
                if labels[node] >= 0:
                    found[rows[start + i]] += counted[labels[node]]


@compiled
def weigh_splits(
    packed: Any,
    kinds: Any,
    weights: Any,
    rows: Any,
    ends: Any,
    allowed: Any,
    present: Any,
    attribute: Any,
    left: Any,
    totals: Any,
    squares: Any,
) -> None:
    """Set the moments of what records count for the two sides of splits, by class.

    Parameters
    ----------
    packed, kinds, weights, rows, ends, allowed, present
        As for `invert_counts`.
    attribute, left : arrays
        As in `Splits`; nodes that are not split are left out.
    totals, squares : arrays, (nodes, 2 classes) and (nodes, 2 classes, 2 classes)
        Set to the sums over records, and of products; those of the left side come first.
    """
    factor, first_side, coefficients, offsets, side_offsets, pointers, cells, values = packed
    attributes, classes = len(offsets) - 2, totals.shape[1] // 2
    of_class = class_amounts(packed)
    given, left_given = np.empty(side_offsets[attributes]), np.empty(side_offsets[attributes])
    sides = np.empty((len(coefficients), BLOCK))
    by_side = np.empty((len(coefficients), classes, BLOCK))
    block, amounts = np.empty((attributes + 1, BLOCK), np.uint16), np.empty(BLOCK)
    ones, counted = np.ones(BLOCK), np.empty(2 * classes)
    room = np.empty(attributes, np.int64)
    for node in range(len(ends)):
        j = attribute[node]
        if j < 0:
            continue
        tests = room[: look_up(packed, allowed[node], present, given, room)]
        first, size_of = offsets[j], offsets[j + 1] - offsets[j]
        for q in range(side_offsets[j], side_offsets[j + 1]):
            given[q], left_given[q] = 0.0, 0.0
            for e in range(pointers[q], pointers[q + 1]):
                if not allowed[node, first + cells[e]]:
                    continue
                if left[node, cells[e]]:
                    left_given[q] += values[e]
                else:
                    given[q] += values[e]
        for start in range(ends[node, 0], ends[node, 1], BLOCK):
            size = min(BLOCK, ends[node, 1] - start)
            gather(kinds, weights, rows, start, size, block, amounts)
            weigh_sides(packed, block, size, given, tests, j, sides)
            weigh_classes(packed, of_class, block, ones, size, sides, by_side)
            for i in range(size):
                counted[:] = 0.0
                q = side_offsets[j] + block[j, i]
                for g in range(first_side[factor[j]], first_side[factor[j] + 1]):
                    for c in range(classes):
                        counted[c] += by_side[g, c, i] * left_given[q]
                        counted[classes + c] += by_side[g, c, i] * given[q]
                    q += size_of
                for c in range(2 * classes):
                    totals[node, c] += amounts[i] * counted[c]
                    for d in range(2 * classes):
                        squares[node, c, d] += amounts[i] * counted[c] * counted[d]
