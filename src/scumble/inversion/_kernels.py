"""The loops over records that invert the counts of nodes, compiled.

Importing this file imports numba, so it is imported where it is used.

A record counts for a node the product over factors of a sum over sides. A side counts its
coefficient times, for each attribute that the way to the node has tested, what the report
counts for the cells that are left: `given`, one number for each cell by side.

Records are taken in blocks, and attribute by attribute within a block: so the inner loops
are short and find all they need in registers.
"""

from typing import Any

import numpy as np

from scumble.engines._kernels import compiled

# A number of records below this share of all of them is what rounding has left of zero.
NOTHING = 1e-11
BLOCK = 256


@compiled
def look_up(packed: Any, allowed: Any, present: Any, given: Any, tested: Any) -> int:
    """Find what the tests on the way to a node have left of each attribute.

    Sets `given` for the attributes that were tested, lists these, and returns how many
    there are.
    """
    _, _, _, offsets, side_offsets, pointers, cells, values = packed
    count = 0
    for j in range(len(offsets) - 2):
        narrowed = False
        for v in range(offsets[j], offsets[j + 1]):
            narrowed = narrowed or allowed[v] != present[v]
        if not narrowed:
            continue
        tested[count] = j
        count += 1
        for q in range(side_offsets[j], side_offsets[j + 1]):
            amount = 0.0
            for e in range(pointers[q], pointers[q + 1]):
                if allowed[offsets[j] + cells[e]]:
                    amount += values[e]
            given[q] = amount
    return count


@compiled
def list_candidates(packed: Any, allowed: Any, tests: Any) -> Any:
    """Return the attributes of which several cells are left: not tested before, and tested."""
    offsets = packed[3]
    fresh, again = np.empty(len(offsets), np.int64), np.empty(len(offsets), np.int64)
    new, old = 0, 0
    for j in range(len(offsets) - 2):
        if allowed[offsets[j] : offsets[j + 1]].sum() <= 1:
            continue
        if (tests == j).any():
            again[old] = j
            old += 1
        else:
            fresh[new] = j
            new += 1
    return fresh[:new], again[:old]


@compiled
def gather(
    codes: Any, weights: Any, rows: Any, start: int, size: int, block: Any, amounts: Any
) -> None:
    """Copy the codes and the weights of a block of records, so that they lie together."""
    for j in range(len(codes)):
        for i in range(size):
            block[j, i] = codes[j, rows[start + i]]
    for i in range(size):
        amounts[i] = weights[rows[start + i]]


@compiled
def weigh_sides(
    packed: Any, codes: Any, size: int, given: Any, tests: Any, skipped: int, sides: Any
) -> None:
    """Set sides[side, record]: what each side counts; one attribute may be skipped."""
    factor, first_side, coefficients, offsets, side_offsets = packed[:5]
    for g in range(len(coefficients)):
        for i in range(size):
            sides[g, i] = coefficients[g]
    for place in range(len(tests)):
        j = tests[place]
        if j == skipped:
            continue
        column = codes[j]
        first, last = first_side[factor[j]], first_side[factor[j] + 1]
        for g in range(first, last):
            start = side_offsets[j] + (g - first) * (offsets[j + 1] - offsets[j])
            for i in range(size):
                sides[g, i] *= given[start + column[i]]


@compiled
def weigh_classes(
    packed: Any, codes: Any, weights: Any, size: int, sides: Any, by_side: Any
) -> None:
    """Set by_side[side, record, class]: what it counts if one factor keeps to one side.

    Summed over the sides of any factor, it is what the record counts for each class.
    """
    factor, first_side, _, offsets, side_offsets, pointers, cells, values = packed
    factors, target = len(first_side) - 1, len(offsets) - 2
    own, classes = factor[target], by_side.shape[2]
    first, last = first_side[own], first_side[own + 1]
    sums, others = np.empty((factors, size)), np.empty(size)
    shares = np.zeros((size, classes))
    column = codes[target]
    for g in range(first, last):
        start = side_offsets[target] + (g - first) * (offsets[target + 1] - offsets[target])
        for i in range(size):
            for c in range(classes):
                by_side[g, i, c] = 0.0
            for e in range(pointers[start + column[i]], pointers[start + column[i] + 1]):
                amount = sides[g, i] * values[e]
                by_side[g, i, cells[e] - 1] = amount
                shares[i, cells[e] - 1] += amount
    for f in range(factors):
        for i in range(size):
            sums[f, i] = 0.0
        for g in range(first_side[f], first_side[f + 1]):
            for i in range(size):
                sums[f, i] += sides[g, i]
    for f in range(factors):
        for i in range(size):
            others[i] = weights[i]
        for other in range(factors):
            # No division: what a factor counts may be zero.
            if other != f and other != own:
                for i in range(size):
                    others[i] *= sums[other, i]
        for g in range(first_side[f], first_side[f + 1]):
            for i in range(size):
                for c in range(classes):
                    if f == own:
                        by_side[g, i, c] *= others[i]
                    else:
                        by_side[g, i, c] = others[i] * sides[g, i] * shares[i, c]


@compiled
def add_reports(packed: Any, codes: Any, size: int, j: int, by_side: Any, sums: Any) -> None:
    """Add what records count to the cells by side of an attribute."""
    factor, first_side, _, offsets, side_offsets = packed[:5]
    column = codes[j]
    first, last = first_side[factor[j]], first_side[factor[j] + 1]
    for g in range(first, last):
        start = side_offsets[j] + (g - first) * (offsets[j + 1] - offsets[j])
        if by_side.shape[2] == 2:
            for i in range(size):
                q = start + column[i]
                sums[q, 0] += by_side[g, i, 0]
                sums[q, 1] += by_side[g, i, 1]
            continue
        for i in range(size):
            q = start + column[i]
            for c in range(by_side.shape[2]):
                sums[q, c] += by_side[g, i, c]


@compiled
def sum_over_sides(packed: Any, j: int, allowed: Any, sums: Any, counts: Any) -> None:
    """Set the counts of an attribute by cell, from those of its reports by side."""
    _, _, _, offsets, side_offsets, pointers, cells, values = packed
    for v in range(offsets[j], offsets[j + 1]):
        counts[v] = 0.0
    for q in range(side_offsets[j], side_offsets[j + 1]):
        for e in range(pointers[q], pointers[q + 1]):
            v = offsets[j] + cells[e]
            if allowed[v]:
                for c in range(counts.shape[1]):
                    counts[v, c] += values[e] * sums[q, c]


@compiled
def invert_counts(
    packed: Any,
    codes: Any,
    weights: Any,
    rows: Any,
    ends: Any,
    allowed: Any,
    present: Any,
    totals: Any,
    counts: Any,
) -> None:
    """Set the estimated counts of nodes, as they are: some may be negative.

    Parameters
    ----------
    packed : Packed
        The inverses.
    codes : array, (attributes and class, kinds)
        The kinds of records.
    weights : array
        How many are of each kind.
    rows : array of int
        The kinds that count for a node, node after node.
    ends : array of int, (nodes, 2)
        Where those of each node begin and end.
    allowed, present : arrays of 0 and 1
        The cells that each node's tests have left; those that are there at all.
    totals : array, (nodes, classes)
        Set to the counts of the classes.
    counts : array, (nodes, cells, classes)
        Set to those by cell; left as they are for attributes that cannot be tested again.
    """
    factor, first_side, coefficients, offsets, side_offsets = packed[:5]
    attributes, classes = len(offsets) - 2, totals.shape[1]
    own = factor[attributes]
    given = np.empty(side_offsets[attributes])
    sides = np.empty((len(coefficients), BLOCK))
    by_side = np.empty((len(coefficients), BLOCK, classes))
    block, amounts = np.empty((attributes + 1, BLOCK), codes.dtype), np.empty(BLOCK)
    room = np.empty(attributes, np.int64)
    sums = np.empty((side_offsets[attributes], classes))
    for node in range(len(ends)):
        tests = room[: look_up(packed, allowed[node], present, given, room)]
        candidates, again = list_candidates(packed, allowed[node], tests)
        sums[:] = 0.0
        for start in range(ends[node, 0], ends[node, 1], BLOCK):
            size = min(BLOCK, ends[node, 1] - start)
            gather(codes, weights, rows, start, size, block, amounts)
            weigh_sides(packed, block, size, given, tests, -1, sides)
            weigh_classes(packed, block, amounts, size, sides, by_side)
            for g in range(first_side[own], first_side[own + 1]):
                for i in range(size):
                    for c in range(classes):
                        totals[node, c] += by_side[g, i, c]
            for j in candidates:
                add_reports(packed, block, size, j, by_side, sums)
            for j in again:
                # As if it had not been tested.
                weigh_sides(packed, block, size, given, tests, j, sides)
                weigh_classes(packed, block, amounts, size, sides, by_side)
                add_reports(packed, block, size, j, by_side, sums)
        for j in candidates:
            sum_over_sides(packed, j, allowed[node], sums, counts[node])
        for j in again:
            sum_over_sides(packed, j, allowed[node], sums, counts[node])


@compiled
def make_possible(
    packed: Any, allowed: Any, above: Any, records: float, totals: Any, counts: Any
) -> None:
    """Cut estimated counts at zero, and scale those of each attribute to those of the classes.

    A node without records gets next to nothing, in the proportions of the node above.
    """
    _, _, _, offsets = packed[:4]
    least = NOTHING * records
    classes = totals.shape[1]
    for node in range(len(totals)):
        weight = 0.0
        for c in range(classes):
            totals[node, c] = totals[node, c] if totals[node, c] > least else 0.0
            weight += totals[node, c]
        empty = weight == 0
        if empty:
            totals[node] = above[node] * (least / above[node].sum())
        for j in range(len(offsets) - 2):
            first, last = offsets[j], offsets[j + 1]
            left, only = 0, first
            for v in range(first, last):
                if allowed[node, v]:
                    left, only = left + 1, v
            if left <= 1 or empty:
                counts[node, first:last] = 0.0
                counts[node, only] = totals[node]
                continue
            for c in range(classes):
                column = 0.0
                for v in range(first, last):
                    if counts[node, v, c] > least:
                        column += counts[node, v, c]
                    else:
                        counts[node, v, c] = 0.0
                scale = totals[node, c] / column if column > 0 else 0.0
                for v in range(first, last):
                    counts[node, v, c] *= scale


@compiled
def deal_rows(
    packed: Any,
    codes: Any,
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
    factor, first_side, _, offsets, side_offsets, pointers, cells = packed[:7]
    attributes = len(offsets) - 2
    alive = np.empty(side_offsets[attributes], np.uint8)
    mates = np.empty(attributes, np.int64)
    to, child = 0, 0
    # The list that was copied last, and where it is now.
    shared, shared_end, shared_at = -1, -1, -1
    for node in range(len(ends)):
        f = factor[attribute[node]]
        sides = first_side[f + 1] - first_side[f]
        for _ in range(2):
            count, dense = 0, True
            for j in range(attributes):
                first, last = offsets[j], offsets[j + 1]
                if factor[j] != f or np.array_equal(
                    allowed[child, first:last], present[first:last]
                ):
                    continue
                mates[count] = j
                count += 1
                for q in range(side_offsets[j], side_offsets[j + 1]):
                    alive[q] = 0
                    for e in range(pointers[q], pointers[q + 1]):
                        alive[q] |= allowed[child, first + cells[e]]
                    report = (q - side_offsets[j]) % (last - first)
                    dense = dense and (alive[q] > 0 or not present[first + report])
            if dense and shared == ends[node, 0] and shared_end == ends[node, 1]:
                new_ends[child, 0] = shared_at
                new_ends[child, 1] = shared_at + shared_end - shared
                child += 1
                continue
            new_ends[child, 0] = to
            for i in range(ends[node, 0], ends[node, 1]):
                row = rows[i]
                for s in range(sides):
                    place = 0
                    while place < count:
                        j = mates[place]
                        size = offsets[j + 1] - offsets[j]
                        if not alive[side_offsets[j] + s * size + codes[j, row]]:
                            break
                        place += 1
                    if place == count:
                        new_rows[to] = row
                        to += 1
                        break
            new_ends[child, 1] = to
            if dense:
                shared, shared_end, shared_at = ends[node, 0], ends[node, 1], new_ends[child, 0]
            child += 1
    return to
