"""The loops over records that invert the counts of nodes, compiled.

Importing this file imports numba, so it is imported where it is used.

A record counts for a node the product over factors of a sum over sides. A side counts its
coefficient times, for each attribute that the way to the node has tested, what the report
counts for the cells that are left: `given`, one number for each cell by side.

Records are taken in blocks, and attribute by attribute within a block: so the inner loops
are short and find all they need in registers.
"""

from typing import Any

import numba
import numpy as np

from scumble.engines._kernels import compiled

# A number of records below this share of all of them is what rounding has left of zero.
NOTHING = 1e-11
BLOCK = 256
# Of so many cells it is faster to sum each than to add each record where it belongs.
FEW = 8
# Sums in any order: so a core adds several numbers at once.
summed = numba.njit(nogil=True, cache=True, fastmath={"reassoc", "nsz"})


@compiled
def is_narrowed(packed: Any, j: int, allowed: Any, present: Any) -> bool:
    """Say whether tests have left less than all cells of an attribute."""
    narrowed = False
    for v in range(packed[3][j], packed[3][j + 1]):
        narrowed = narrowed or allowed[v] != present[v]
    return narrowed


@compiled
def look_up(packed: Any, allowed: Any, present: Any, given: Any, tested: Any) -> int:
    """Find what the tests on the way to a node have left of each attribute.

    Sets `given` for the attributes that were tested, lists these, and returns how many
    there are.
    """
    _, _, _, offsets, side_offsets, pointers, cells, values = packed
    count = 0
    for j in range(len(offsets) - 2):
        if not is_narrowed(packed, j, allowed, present):
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
def read_words(kinds: Any, rows: Any, start: int, size: int, words: Any) -> None:
    """Copy the words of a block of kinds: all at once, because memory is slow to answer."""
    for i in range(size):
        for w in range(len(words)):
            words[w, i] = kinds[0][rows[start + i], w]


@compiled
def read_codes(kinds: Any, words: Any, j: int, size: int, codes: Any) -> None:
    """Set the codes of an attribute, from words that were copied."""
    _, place, shift, mask = kinds
    own, by, within = words[place[j]], shift[j], mask[j]
    for i in range(size):
        codes[i] = own[i] >> by & within


@compiled
def gather(
    kinds: Any, weights: Any, rows: Any, start: int, size: int, block: Any, amounts: Any
) -> None:
    """Copy the codes and the weights of a block of kinds, attribute by attribute."""
    words = np.empty((kinds[0].shape[1], size), np.uint64)
    read_words(kinds, rows, start, size, words)
    for i in range(size):
        amounts[i] = weights[rows[start + i]]
    for j in range(len(block)):
        read_codes(kinds, words, j, size, block[j])


@compiled
def class_amounts(packed: Any) -> Any:
    """Return what each report of the class counts for each class, by side of its coin."""
    factor, first_side, _, offsets, side_offsets, pointers, cells, values = packed
    target = len(offsets) - 2
    reports = offsets[target + 1] - offsets[target]
    sides = first_side[factor[target] + 1] - first_side[factor[target]]
    amounts = np.zeros((sides, reports - 1, reports))
    for side in range(sides):
        for report in range(reports):
            q = side_offsets[target] + side * reports + report
            for e in range(pointers[q], pointers[q + 1]):
                if cells[e]:
                    amounts[side, cells[e] - 1, report] = values[e]
    return amounts


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
    packed: Any, of_class: Any, codes: Any, weights: Any, size: int, sides: Any, by_side: Any
) -> None:
    """Set by_side[side, class, record]: what it counts if one factor keeps to one side.

    Summed over the sides of any factor, it is what the record counts for each class.
    """
    factor, first_side, _, offsets = packed[:4]
    factors, own, classes = len(first_side) - 1, factor[-1], by_side.shape[1]
    column = codes[len(offsets) - 2]
    sums, others = np.empty((factors, size)), np.empty(size)
    shares = np.zeros((classes, size))
    for side in range(len(of_class)):
        g = first_side[own] + side
        for c in range(classes):
            amounts = of_class[side, c]
            for i in range(size):
                by_side[g, c, i] = sides[g, i] * amounts[column[i]]
                shares[c, i] += by_side[g, c, i]
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
            for c in range(classes):
                for i in range(size):
                    if f == own:
                        by_side[g, c, i] *= others[i]
                    else:
                        by_side[g, c, i] = others[i] * sides[g, i] * shares[c, i]


@summed
def sum_of(amounts: Any, size: int) -> float:
    """Return a sum."""
    total = 0.0
    for i in range(size):
        total += amounts[i]
    return total


@summed
def sum_in(column: Any, cell: Any, amounts: Any, size: int) -> float:
    """Return the sum of those whose report is in a cell."""
    total = 0.0
    for i in range(size):
        total += amounts[i] if column[i] == cell else 0.0
    return total


@compiled
def add_reports(
    packed: Any, present: Any, codes: Any, size: int, j: int, by_side: Any, sums: Any
) -> None:
    """Add what records count to the cells by side of an attribute."""
    factor, first_side, _, offsets, side_offsets = packed[:5]
    column, cells = codes[j], offsets[j + 1] - offsets[j]
    for g in range(first_side[factor[j]], first_side[factor[j] + 1]):
        start = side_offsets[j] + (g - first_side[factor[j]]) * cells
        for c in range(by_side.shape[1]):
            amounts = by_side[g, c]
            if cells > FEW:
                for i in range(size):
                    sums[start + column[i], c] += amounts[i]
                continue
            for v in range(cells):
                if present[offsets[j] + v]:
                    sums[start + v, c] += sum_in(column, np.uint16(v), amounts, size)


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
    kinds: Any,
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
    kinds : Kinds
        The kinds of records; the last column is the class.
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
    own, of_class = factor[attributes], class_amounts(packed)
    given = np.empty(side_offsets[attributes])
    sides = np.empty((len(coefficients), BLOCK))
    by_side = np.empty((len(coefficients), classes, BLOCK))
    block, amounts = np.empty((attributes + 1, BLOCK), np.uint16), np.empty(BLOCK)
    room = np.empty(attributes, np.int64)
    sums = np.empty((side_offsets[attributes], classes))
    for node in range(len(ends)):
        tests = room[: look_up(packed, allowed[node], present, given, room)]
        candidates, again = list_candidates(packed, allowed[node], tests)
        sums[:] = 0.0
        for start in range(ends[node, 0], ends[node, 1], BLOCK):
            size = min(BLOCK, ends[node, 1] - start)
            gather(kinds, weights, rows, start, size, block, amounts)
            weigh_sides(packed, block, size, given, tests, -1, sides)
            weigh_classes(packed, of_class, block, amounts, size, sides, by_side)
            for g in range(first_side[own], first_side[own + 1]):
                for c in range(classes):
                    totals[node, c] += sum_of(by_side[g, c], size)
            for j in candidates:
                add_reports(packed, present, block, size, j, by_side, sums)
            for j in again:
                # As if it had not been tested.
                weigh_sides(packed, block, size, given, tests, j, sides)
                weigh_classes(packed, of_class, block, amounts, size, sides, by_side)
                add_reports(packed, present, block, size, j, by_side, sums)
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
