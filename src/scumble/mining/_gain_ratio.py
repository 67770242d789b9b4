"""The split of each node by gain ratio (Quinlan 1993), found from counts alone; compiled.

Importing this file imports numba, so it is imported where it is used.
"""

import math
from typing import Any

import numpy as np

from scumble.engines._kernels import compiled

# What differs by less is the same, as in J48: weights and gains alike.
SAME = 1e-6
# A gain may lie so much below the average.
BELOW_AVERAGE = 1e-3
# A side of a cut holds at least this share of the records of an average class, ...
SHARE = 0.1
# ... but need not hold more than this.
MOST = 25.0
EVERYWHERE = -1


@compiled
def bits(weight: float) -> float:
    """Return weight times its logarithm."""
    return weight * math.log2(weight) if weight >= SAME else 0.0


@compiled
def class_bits(counts: Any) -> float:
    """Return the bits of the classes of some records: their weight times their entropy."""
    weight, own = 0.0, 0.0
    for c in range(len(counts)):
        weight += counts[c]
        own += bits(counts[c])
    return bits(weight) - own


@compiled
def known_classes(cells: Any) -> Any:
    """Return the weight of each class among the records whose value is known."""
    known = np.zeros(cells.shape[1])
    for v in range(1, len(cells)):
        for c in range(len(known)):
            known[c] += cells[v, c]
    return known


@compiled
def as_gain(saved: float, weight: float) -> float:
    """Return bits saved for each record, those with a missing value among them."""
    return saved / weight if abs(saved) >= SAME else 0.0


@compiled
def as_ratio(gain: float, parts: float, known: float, weight: float) -> float:
    """Return the gain by the bits that tell the branch; the missing are one more branch.

    `parts` is the sum of `bits` over the branches.
    """
    told = bits(weight) - bits(weight - known) - parts
    return gain / (told / weight) if abs(told) >= SAME else 0.0


@compiled
def try_cuts(cells: Any, weight: float, least: float, found: Any) -> bool:
    """Find the cut of ordered cells that gains most, and set found to gain, ratio and cell.

    The choice among cuts is charged: the gain is less by its bits.
    """
    right = known_classes(cells)
    known = right.sum()
    enough = SHARE * known / len(right)
    enough = least if enough <= least + SAME else min(enough, MOST)
    if known < 2 * enough - SAME:
        return False
    left = np.zeros(len(right))
    before, best, place, cuts, left_weight = class_bits(right), 0.0, 0, 0, 0.0
    best_left = 0.0
    for v in range(1, len(cells)):
        amount = 0.0
        for c in range(len(right)):
            amount += cells[v, c]
        # Most cells of a small node are empty; cutting after one changes nothing.
        if amount <= 0:
            continue
        left_weight += amount
        for c in range(len(right)):
            left[c] += cells[v, c]
            right[c] -= cells[v, c]
        if left_weight < enough - SAME or known - left_weight < enough - SAME:
            continue
        cuts += 1
        gain = as_gain(before - class_bits(left) - class_bits(right), weight)
        if gain > best + SAME:
            best, place, best_left = gain, v, left_weight
    if cuts == 0:
        return False
    best -= math.log2(cuts) / weight
    if best <= SAME:
        return False
    found[0], found[2] = best, place
    found[1] = as_ratio(best, bits(best_left) + bits(known - best_left), known, weight)
    return True


@compiled
def try_all_values(cells: Any, weight: float, least: float, found: Any) -> bool:
    """Set found to gain and ratio of a branch for each value; two must hold the least weight."""
    enough, saved, parts, known = 0, class_bits(known_classes(cells)), 0.0, 0.0
    for v in range(1, len(cells)):
        amount = cells[v].sum()
        known += amount
        enough += amount >= least - SAME
        saved -= class_bits(cells[v])
        parts += bits(amount)
    if enough < 2:
        return False
    found[0] = as_gain(saved, weight)
    found[1] = as_ratio(found[0], parts, known, weight)
    return True


@compiled
def choose(valid: Any, found: Any, averaged: Any) -> int:
    """Return the attribute of the greatest ratio among those of average gain; -1 if there is none.

    The average is that of the attributes which are `averaged`.
    """
    total, number = 0.0, 0
    for j in range(len(valid)):
        if valid[j] and averaged[j]:
            total += found[j, 0]
            number += 1
    if number == 0:
        return -1
    best, chosen = 0.0, -1
    for j in range(len(valid)):
        enough = found[j, 0] >= total / number - BELOW_AVERAGE
        if valid[j] and enough and found[j, 1] > best + SAME:
            best, chosen = found[j, 1], j
    return chosen


@compiled
def best_ratios(
    counts: Any,
    offsets: Any,
    nominal: Any,
    averaged: Any,
    least: float,
    totals: Any,
    gains: Any,
    attributes: Any,
    branches: Any,
    ways: Any,
    ends: Any,
) -> None:
    """Find the split of each node by gain ratio.

    Parameters
    ----------
    counts : array of float, (nodes, cells, classes)
        The cells of one attribute follow those of another; the first is the missing.
    offsets : array of int, (attributes + 1,)
        Where the cells of each attribute begin.
    nominal : array of bool
        Which attributes have cells in no order: they get a branch for each.
    averaged : array of bool
        Which attributes count for the average gain.
    least : float
        The least weight of two branches.
    totals, gains, attributes, branches, ways, ends : arrays
        As for `best_splits`; and the number of branches. Missing values go everywhere.
    """
    found = np.zeros((len(nominal), 3))
    valid = np.zeros(len(nominal), np.bool_)
    for node in range(len(counts)):
        total = totals[node]
        total[:] = 0
        for v in range(offsets[0], offsets[1]):
            for c in range(len(total)):
                total[c] += counts[node, v, c]
        weight = total.sum()
        attributes[node], gains[node] = -1, 0.0
        if weight < 2 * least - SAME or weight - total.max() < SAME:
            continue
        for j in range(len(nominal)):
            cells = counts[node, offsets[j] : offsets[j + 1]]
            if nominal[j]:
                valid[j] = try_all_values(cells, weight, least, found[j])
            else:
                valid[j] = try_cuts(cells, weight, least, found[j])
        j = choose(valid, found, averaged)
        if j < 0:
            continue
        cells = counts[node, offsets[j] : offsets[j + 1]]
        attributes[node], gains[node] = j, found[j, 0] * weight
        send(cells, nominal[j], int(found[j, 2]), branches[node], ends[node])
        ways[node] = len(cells) - 1 if nominal[j] else 2


@compiled
def send(cells: Any, nominal: bool, place: int, branch: Any, ends: Any) -> None:
    """Say which branch each cell takes, and between which cells that hold records the cut is."""
    branch[0] = EVERYWHERE
    for v in range(1, len(cells)):
        if nominal:
            branch[v] = v - 1
            ends[0] += cells[v].sum() > 0
        else:
            branch[v] = 0 if v <= place else 1
    if not nominal:
        ends[0], ends[1] = place, place + 1
        while ends[1] < len(cells) and cells[ends[1]].sum() <= 0:
            ends[1] += 1
