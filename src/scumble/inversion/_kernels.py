"""The loops over records that invert the counts of nodes, compiled.

Importing this file imports numba, so it is imported where it is used.

A record counts for a node the product over factors of a sum over sides. A side counts its
coefficient times, for each attribute that the way to the node has tested, what the report
counts for the cells that are left. `given` holds these for one node, cell by side by cell.
"""

from typing import Any

import numpy as np

from scumble.engines._kernels import compiled

# A number of records below this share of all of them is what rounding has left of zero.
NOTHING = 1e-11


@compiled
def look_up(packed: Any, allowed: Any, present: Any, given: Any, tested: Any, still: Any) -> Any:
    """Find what a node's tests have left of each attribute.

    Sets `given` for the tested attributes, and lists these and those that can be tested
    still; returns how many there are of either.
    """
    tests, candidates = 0, 0
    for j in range(len(packed.offsets) - 2):
        left, before = 0, 0
        for v in range(packed.offsets[j], packed.offsets[j + 1]):
            left += allowed[v]
            before += present[v]
        if left > 1:
            still[candidates] = j
            candidates += 1
        if left == before:
            continue
        tested[tests] = j
        tests += 1
        for q in range(packed.side_offsets[j], packed.side_offsets[j + 1]):
            given[q] = 0.0
            for e in range(packed.pointers[q], packed.pointers[q + 1]):
                if allowed[packed.offsets[j] + packed.cells[e]]:
                    given[q] += packed.values[e]
    return tests, candidates


@compiled
def weigh_sides(packed: Any, codes: Any, given: Any, tested: Any, skipped: int, sides: Any) -> None:
    """Set what each side counts for a record; an attribute may be skipped."""
    for g in range(len(sides)):
        sides[g] = packed.coefficients[g]
    for j in tested:
        if j == skipped:
            continue
        f = packed.factor[j]
        size = packed.offsets[j + 1] - packed.offsets[j]
        q = packed.side_offsets[j] + codes[j]
        for g in range(packed.first_side[f], packed.first_side[f + 1]):
            sides[g] *= given[q]
            q += size


@compiled
def weigh_classes(packed: Any, codes: Any, sides: Any, weight: float, by_side: Any) -> None:
    """Set by_side[side, class]: what a record counts if one factor keeps to one side.

    Summed over the sides of any factor, it is what the record counts for each class.
    """
    factors, target = len(packed.first_side) - 1, len(packed.offsets) - 2
    own = packed.factor[target]
    size = packed.offsets[target + 1] - packed.offsets[target]
    by_side[:] = 0.0
    others = weight
    for f in range(factors):
        if f != own:
            total = 0.0
            for g in range(packed.first_side[f], packed.first_side[f + 1]):
                total += sides[g]
            others *= total
    q = packed.side_offsets[target] + codes[target]
    if others != 0:
        for g in range(packed.first_side[own], packed.first_side[own + 1]):
            for e in range(packed.pointers[q], packed.pointers[q + 1]):
                by_side[g, packed.cells[e] - 1] += others * sides[g] * packed.values[e]
            q += size
    # No division: what a factor counts may be zero.
    for f in range(factors):
        if f == own:
            continue
        others = weight
        for other in range(factors):
            if other != f and other != own:
                total = 0.0
                for g in range(packed.first_side[other], packed.first_side[other + 1]):
                    total += sides[g]
                others *= total
        if others == 0:
            continue
        q = packed.side_offsets[target] + codes[target]
        for g in range(packed.first_side[own], packed.first_side[own + 1]):
            for e in range(packed.pointers[q], packed.pointers[q + 1]):
                amount = others * sides[g] * packed.values[e]
                for h in range(packed.first_side[f], packed.first_side[f + 1]):
                    by_side[h, packed.cells[e] - 1] += amount * sides[h]
            q += size


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
    codes, weights : arrays
        The kinds of records, with the class in the last column, and how many are of each.
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
    attributes, classes = len(packed.offsets) - 2, totals.shape[1]
    given = np.empty(packed.side_offsets[attributes])
    sides = np.empty(len(packed.coefficients))
    by_side = np.empty((len(sides), classes))
    apart = np.empty((len(sides), classes))
    tests = np.empty(attributes, np.int64)
    free = np.empty(attributes, np.int64)
    own_sides = packed.first_side[packed.factor[attributes]], (
        packed.first_side[packed.factor[attributes] + 1]
    )
    sums = np.empty((packed.side_offsets[attributes], classes))
    retested = np.zeros(attributes, np.uint8)
    for node in range(len(ends)):
        tested, candidates = look_up(packed, allowed[node], present, given, tests, free)
        retested[:] = 0
        for place in range(tested):
            retested[tests[place]] = 1
        sums[:] = 0.0
        totals[node] = 0.0
        for i in range(ends[node, 0], ends[node, 1]):
            record = codes[rows[i]]
            weight = weights[rows[i]]
            weigh_sides(packed, record, given, tests[:tested], -1, sides)
            weigh_classes(packed, record, sides, weight, by_side)
            for g in range(own_sides[0], own_sides[1]):
                for c in range(classes):
                    totals[node, c] += by_side[g, c]
            for place in range(candidates):
                j = free[place]
                f = packed.factor[j]
                size = packed.offsets[j + 1] - packed.offsets[j]
                q = packed.side_offsets[j] + record[j]
                counted = by_side
                if retested[j]:
                    weigh_sides(packed, record, given, tests[:tested], j, sides)
                    weigh_classes(packed, record, sides, weight, apart)
                    counted = apart
                for g in range(packed.first_side[f], packed.first_side[f + 1]):
                    for c in range(classes):
                        sums[q, c] += counted[g, c]
                    q += size
        for place in range(candidates):
            j = free[place]
            first = packed.offsets[j]
            for v in range(first, packed.offsets[j + 1]):
                counts[node, v] = 0.0
            for q in range(packed.side_offsets[j], packed.side_offsets[j + 1]):
                for e in range(packed.pointers[q], packed.pointers[q + 1]):
                    v = first + packed.cells[e]
                    if allowed[node, v]:
                        for c in range(classes):
                            counts[node, v, c] += packed.values[e] * sums[q, c]


@compiled
def make_possible(
    packed: Any, allowed: Any, above: Any, records: float, totals: Any, counts: Any
) -> None:
    """Cut estimated counts at zero, and scale those of each attribute to those of the classes.

    A node without records gets next to nothing, in the proportions of the node above.
    """
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
        for j in range(len(packed.offsets) - 2):
            first, last = packed.offsets[j], packed.offsets[j + 1]
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
    attributes = len(packed.offsets) - 2
    alive = np.empty(packed.side_offsets[attributes], np.uint8)
    mates = np.empty(attributes, np.int64)
    to, child = 0, 0
    # The list that was copied last, and where it is now.
    shared, shared_end, shared_at = -1, -1, -1
    for node in range(len(ends)):
        f = packed.factor[attribute[node]]
        sides = packed.first_side[f + 1] - packed.first_side[f]
        for _ in range(2):
            count, dense = 0, True
            for j in range(attributes):
                first, last = packed.offsets[j], packed.offsets[j + 1]
                if packed.factor[j] != f or np.array_equal(
                    allowed[child, first:last], present[first:last]
                ):
                    continue
                mates[count] = j
                count += 1
                for q in range(packed.side_offsets[j], packed.side_offsets[j + 1]):
                    alive[q] = 0
                    for e in range(packed.pointers[q], packed.pointers[q + 1]):
                        alive[q] |= allowed[child, first + packed.cells[e]]
                    report = (q - packed.side_offsets[j]) % (last - first)
                    dense = dense and (alive[q] > 0 or not present[first + report])
            if dense and shared == ends[node, 0] and shared_end == ends[node, 1]:
                new_ends[child, 0] = shared_at
                new_ends[child, 1] = shared_at + shared_end - shared
                child += 1
                continue
            new_ends[child, 0] = to
            for i in range(ends[node, 0], ends[node, 1]):
                record = codes[rows[i]]
                counts = False
                for s in range(sides):
                    side = True
                    for place in range(count):
                        j = mates[place]
                        size = packed.offsets[j + 1] - packed.offsets[j]
                        side = side and alive[packed.side_offsets[j] + s * size + record[j]] > 0
                    counts = counts or side
                if counts:
                    new_rows[to] = rows[i]
                    to += 1
            new_ends[child, 1] = to
            if dense:
                shared, shared_end, shared_at = ends[node, 0], ends[node, 1], new_ends[child, 0]
            child += 1
    return to
