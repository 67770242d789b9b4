"""The best split of each node, found from counts alone; compiled.

Importing this file imports numba, so it is imported where it is used.
"""

import math
from typing import Any

import numpy as np

from scumble.engines._kernels import compiled
from scumble.mining._stable_sort import sort_by

GINI, ENTROPY = 0, 1
# Gains that differ by less, as a share of the weight, are the same: the first one wins.
SAME = 1e-12
EMPTY = 1e-12
# As many classes are tried as one against the others.
MOST_ORDERS = 8


@compiled
def purity(counts: Any, weight: float, criterion: int) -> float:
    """Return how pure counts of classes are: minus weight times impurity, up to a constant.

    Sums of it over the parts of a node grow with the quality of a split.
    """
    total = 0.0
    if criterion == GINI:
        for c in range(len(counts)):
            total += counts[c] * counts[c]
        return total / weight
    for c in range(len(counts)):
        if counts[c] > 0:
            total += counts[c] * math.log2(counts[c])
    return total - weight * math.log2(weight)


@compiled
def sum_of(values: Any) -> float:
    """Return a sum; that of numpy takes long to compile for each kind of array."""
    total = 0.0
    for place in range(len(values)):
        total += values[place]
    return total


@compiled
def order_cells(cells: Any, label: int, order: Any) -> int:
    """Put the cells that hold records in ascending order of the share of one class."""
    size = 0
    shares = np.empty(len(cells))
    for v in range(1, len(cells)):
        weight = sum_of(cells[v])
        if weight > 0:
            shares[size], order[size] = cells[v, label] / weight, v
            size += 1
    # Of equal shares the first value comes first.
    sort_by(shares, order, size)
    return size


@compiled
def largest_first(total: Any) -> Any:
    """Return the classes in descending order of their weight."""
    keys, classes = np.empty(len(total)), np.empty(len(total), np.int64)
    for c in range(len(total)):
        keys[c], classes[c] = -total[c], c
    sort_by(keys, classes, len(total))
    return classes


@compiled
def occupied(cells: Any) -> int:
    """Return how many cells hold records."""
    size = 0
    for v in range(1, len(cells)):
        size += sum_of(cells[v]) > 0
    return size


@compiled
def subset_charge(cells: Any, total: Any, criterion: int) -> float:
    """Return what must be gained to make up for the choice of a subset: a bit for each value.

    Two values leave no choice. Else an attribute of many values would always win, since
    some subset of them fits any classes. In the unit of gini a bit is about 2 log 2 times
    the impurity, as both are chi-square to the second order.
    """
    bits = max(0, occupied(cells) - 2)
    if criterion == ENTROPY:
        return float(bits)
    weight = sum_of(total)
    impurity: float = 1 - purity(total, weight, criterion) / weight
    return bits * 2 * math.log(2) * impurity


@compiled
def scan(
    cells: Any,
    order: Any,
    total: Any,
    missing_left: int,
    criterion: int,
    least: float,
    charge: float,
    best: Any,
) -> bool:
    """Try every cut of cells taken in an order; remember the best one in `best`.

    `best` holds the gain in purity less the charge for the choice of the cells, the last
    place on the left, whether the missing go left, and the gain.
    """
    classes, weight = len(total), sum_of(total)
    own = purity(total, weight, criterion)
    left, right = np.empty(classes), np.empty(classes)
    for c in range(classes):
        left[c] = cells[0, c] * missing_left
        right[c] = total[c] - left[c]
    left_weight = sum_of(left)
    improved = False
    for place in range(len(order)):
        cell = cells[order[place]]
        amount = 0.0
        for c in range(classes):
            amount += cell[c]
        # Most cells of a small node are empty; cutting after one changes nothing.
        if amount <= 0:
            continue
        for c in range(classes):
            left[c] += cell[c]
            right[c] -= cell[c]
        left_weight += amount
        right_weight = weight - left_weight
        if left_weight < least or right_weight < least:
            continue
        gain = purity(left, left_weight, criterion) + purity(right, right_weight, criterion) - own
        if gain - charge > best[0] + SAME * weight:
            best[0], best[1], best[2], best[3] = gain - charge, place, missing_left, gain
            improved = True
    return improved


@compiled
def scan_two(cells: Any, total: Any, missing_left: int, least: float, best: Any) -> bool:
    """Do as `scan` does for two classes, ascending cells and gini: the case that is hot.

    The gain is then twice the weight times the square of what the left side has of a
    class beyond its share, over the weights of both sides.
    """
    weight = total[0] + total[1]
    share = total[1] / weight
    left, left_weight = 0.0, 0.0
    if missing_left:
        left, left_weight = cells[0, 1], cells[0, 0] + cells[0, 1]
    improved = False
    for place in range(1, len(cells)):
        amount = cells[place, 0] + cells[place, 1]
        if amount <= 0:
            continue
        left += cells[place, 1]
        left_weight += amount
        right_weight = weight - left_weight
        if left_weight < least or right_weight < least:
            continue
        excess = left - share * left_weight
        gain = 2 * weight * excess * excess / (left_weight * right_weight)
        if gain > best[0] + SAME * weight:
            best[0], best[1], best[2], best[3] = gain, place - 1, missing_left, gain
            improved = True
    return improved


@compiled
def try_cuts(
    cells: Any, total: Any, criterion: int, least: float, ascending: Any, best: Any
) -> bool:
    """Try every cut of ordered cells, with the missing on either side."""
    improved = False
    for missing_left in range(2 if sum_of(cells[0]) > 0 else 1):
        if len(total) == 2 and criterion == GINI:
            improved |= scan_two(cells, total, missing_left, least, best)
        else:
            tried = ascending[: len(cells) - 1]
            improved |= scan(cells, tried, total, missing_left, criterion, least, 0.0, best)
    return improved


@compiled
def try_subsets(
    cells: Any, total: Any, criterion: int, least: float, order: Any, chosen: Any, best: Any
) -> bool:
    """Try subsets of cells in no order, with the missing on either side.

    With two classes one order holds the best subset (Breiman et al. 1984); with more, one
    order for each of the largest classes is tried.
    """
    improved = False
    charge = subset_charge(cells, total, criterion)
    largest = largest_first(total)
    for missing_left in range(2 if sum_of(cells[0]) > 0 else 1):
        for rank in range(1 if len(total) == 2 else min(len(total), MOST_ORDERS)):
            size = order_cells(cells, largest[rank], order)
            if scan(cells, order[:size], total, missing_left, criterion, least, charge, best):
                for place in range(size):
                    chosen[place] = order[place]
                improved = True
    return improved


@compiled
def send(cells: Any, chosen: Any, missing_left: bool, nominal: bool, branch: Any) -> None:
    """Say of each cell whether it goes left, branch 0; an unseen one goes where most records go."""
    weight = 0.0
    for v in range(len(cells)):
        weight += sum_of(cells[v])
    for v in range(len(branch)):
        branch[v] = 1
    left_weight = sum_of(cells[0]) if missing_left else 0.0
    for place in range(len(chosen)):
        branch[chosen[place]] = 0
        left_weight += sum_of(cells[chosen[place]])
    branch[0] = 0 if missing_left else 1
    larger_left = 2 * left_weight > weight
    for v in range(len(cells) if nominal else 1):
        if sum_of(cells[v]) <= 0:
            branch[v] = 0 if larger_left else 1


@compiled
def best_splits(
    counts: Any,
    offsets: Any,
    nominal: Any,
    criterion: int,
    least: float,
    totals: Any,
    gains: Any,
    attributes: Any,
    branches: Any,
    ends: Any,
) -> None:
    """Find the best split of each node.

    Parameters
    ----------
    counts : array of float, (nodes, cells, classes)
        The cells of one attribute follow those of another; the first is the missing.
    offsets : array of int, (attributes + 1,)
        Where the cells of each attribute begin.
    nominal : array of bool or None
        Which attributes have cells in no order; None if all have one, so that what is needed
        for the others is not compiled.
    least : float
        The least weight on either side.
    totals, gains, attributes, branches, ends : arrays
        Filled with the weight of each class, the gain in purity, the attribute (-1: no
        split), the branch of each cell, and for ordered cells the last one on the left
        and the first on the right that hold records, for others the number that do.
    """
    classes = counts.shape[2]
    widest = branches.shape[1]
    ascending = np.empty(widest, np.int64)
    for place in range(widest):
        ascending[place] = place + 1
    order, chosen = np.empty(widest, np.int64), np.empty(widest, np.int64)
    best = np.empty(4)
    for node in range(len(counts)):
        total = totals[node]
        for c in range(classes):
            total[c] = 0
        for v in range(offsets[0], offsets[1]):
            for c in range(classes):
                total[c] += counts[node, v, c]
        best[0] = -np.inf
        attributes[node] = -1
        # A side is empty where rounding alone says that it is not.
        enough = max(least, EMPTY * sum_of(total))
        for j in range(len(offsets) - 1):
            cells = counts[node, offsets[j] : offsets[j + 1]]
            if nominal is None:
                better = try_cuts(cells, total, criterion, enough, ascending, best)
            elif nominal[j]:
                better = try_subsets(cells, total, criterion, enough, order, chosen, best)
            else:
                better = try_cuts(cells, total, criterion, enough, ascending, best)
            if better:
                attributes[node] = j
        j = attributes[node]
        gains[node] = 0.0 if j < 0 else max(0.0, best[3])
        if j < 0:
            continue
        unordered = False if nominal is None else nominal[j]
        if not unordered:
            for place in range(widest):
                chosen[place] = ascending[place]
        cells = counts[node, offsets[j] : offsets[j + 1]]
        send(cells, chosen[: int(best[1]) + 1], best[2] > 0, unordered, branches[node])
        if unordered:
            ends[node, 0] = occupied(cells)
            continue
        ends[node, 0] = chosen[int(best[1])]
        ends[node, 1] = ends[node, 0] + 1
        while ends[node, 1] < len(cells) and sum_of(cells[ends[node, 1]]) <= 0:
            ends[node, 1] += 1
