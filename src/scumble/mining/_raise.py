"""Error-based pruning with subtree raising (Quinlan 1993), compiled.

Importing this file imports numba, so it is imported where it is used.

A record that a node holds is an entry: its row, and the part of it that the node has. The
entries of leaves stand in a pool; those of any other node are gathered from the leaves below.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from scumble.engines._kernels import compiled

# What differs by less is the same, as in J48.
SAME = 1e-6
# So many more errors a simpler tree may have.
WORSE = 0.1


class Shape(NamedTuple):
    """A tree on cells, as it is pruned: the arrays of `Nodes`, which are written to.

    `last` is the last cell of a number that takes the first branch, 0 of categories.
    """

    attribute: Any
    child: Any
    ways: Any
    branch: Any
    ends: Any
    counts: Any
    last: Any


class Held(NamedTuple):
    """Records: cells, classes and weights. There are none where nothing is to be raised."""

    codes: Any
    labels: Any
    weights: Any


class Pool(NamedTuple):
    """The entries of leaves: where those of each node begin, how many, and the entries."""

    starts: Any
    sizes: Any
    rows: Any
    parts: Any


@compiled
def added_to_some(weight: float, errors: float, z: float) -> float:
    """Return what `added_errors` does for one error and more."""
    if errors + 0.5 >= weight:
        return max(weight - errors, 0.0)
    share, square = (errors + 0.5) / weight, z * z / weight
    spread = math.sqrt((share - share * share + square / 4) / weight)
    return weight * (share + square / 2 + z * spread) / (1 + square) - errors


@compiled
def added_errors(weight: float, errors: float, confidence: float, z: float) -> float:
    """Return how many errors more than were seen a leaf will make at worst.

    The upper limit of a binomial at a confidence: exact for no errors; from one on by the
    normal law with a correction of one half, at `z` standard deviations; in between
    by a straight line, as J48 has it.
    """
    if errors >= 1:
        return added_to_some(weight, errors, z)
    none = weight * (1 - confidence ** (1 / weight))
    return none + errors * (added_to_some(weight, 1.0, z) - none)


@compiled
def leaf_errors(counts: Any, confidence: float, z: float) -> float:
    """Return how many errors a leaf will make at worst."""
    weight, most = 0.0, 0.0
    for c in range(len(counts)):
        weight += counts[c]
        most = max(most, counts[c])
    if weight < SAME:
        return 0.0
    return weight - most + added_errors(weight, weight - most, confidence, z)


@compiled
def nodes_below(shape: Any, top: int) -> Any:
    """Return a node and all nodes below it, each after its parent."""
    found = np.empty(16, np.int64)
    found[0], size, place = top, 1, 0
    while place < size:
        node = found[place]
        place += 1
        if shape.attribute[node] < 0:
            continue
        if size + shape.ways[node] > len(found):
            found = np.append(found, np.empty(size + shape.ways[node], np.int64))
        for k in range(shape.ways[node]):
            found[size + k] = shape.child[node] + k
        size += shape.ways[node]
    return found[:size]


@compiled
def tree_errors(shape: Any, below: Any, confidence: float, z: float) -> float:
    """Return how many errors the leaves among nodes will make at worst."""
    errors = 0.0
    for node in below:
        if shape.attribute[node] < 0:
            errors += leaf_errors(shape.counts[node], confidence, z)
    return errors


@compiled
def way_of(shape: Any, node: int, code: int) -> int:
    """Return the branch that a cell takes; below zero that is all of them."""
    if code > 0 and shape.last[node] > 0:
        return 0 if code <= shape.last[node] else 1
    return int(shape.branch[node, code])


@compiled
def gather(shape: Any, pool: Any, below: Any) -> Any:
    """Return the entries of the leaves among nodes: rows and parts."""
    size = 0
    for node in below:
        if shape.attribute[node] < 0:
            size += pool.sizes[node]
    rows, parts = np.empty(size, np.int64), np.empty(size)
    size = 0
    for node in below:
        if shape.attribute[node] < 0:
            for i in range(pool.starts[node], pool.starts[node] + pool.sizes[node]):
                rows[size], parts[size] = pool.rows[i], pool.parts[i]
                size += 1
    return rows, parts


@compiled
def stored(pool: Any, used: int, node: int, rows: Any, parts: Any) -> Any:
    """Return the pool with the entries of a node at its end."""
    if used + len(rows) > len(pool.rows):
        more = used + 2 * len(rows)
        pool = Pool(
            pool.starts,
            pool.sizes,
            np.append(pool.rows[:used], np.empty(more, np.int64)),
            np.append(pool.parts[:used], np.empty(more)),
        )
    pool.starts[node], pool.sizes[node] = used, len(rows)
    pool.rows[used : used + len(rows)] = rows
    pool.parts[used : used + len(rows)] = parts
    return pool


@compiled
def shares_of(shape: Any, held: Any, node: int, rows: Any, parts: Any) -> Any:
    """Return how much each branch gets of what goes everywhere, and its number of entries."""
    ways = shape.ways[node]
    known, sizes, everywhere = np.zeros(ways), np.zeros(ways, np.int64), 0
    for i in range(len(rows)):
        way = way_of(shape, node, held.codes[rows[i], shape.attribute[node]])
        if way < 0:
            everywhere += 1
        else:
            known[way] += parts[i]
            sizes[way] += 1
    total = known.sum()
    shares = known / total if total > 0 else np.full(ways, 1 / ways)
    for k in range(ways):
        if shares[k] <= SAME:
            shares[k] = 0.0
        else:
            sizes[k] += everywhere
    return shares, sizes


@compiled
def deal_entries(
    shape: Any, held: Any, node: int, rows: Any, parts: Any, shares: Any, sizes: Any
) -> Any:
    """Return the entries of a node in the order of its branches."""
    places = np.cumsum(sizes) - sizes
    new_rows, new_parts = np.empty(sizes.sum(), np.int64), np.empty(sizes.sum())
    for i in range(len(rows)):
        way = way_of(shape, node, held.codes[rows[i], shape.attribute[node]])
        for k in range(len(shares)) if way < 0 else range(way, way + 1):
            share = shares[k] if way < 0 else 1.0
            if share > 0:
                new_rows[places[k]], new_parts[places[k]] = rows[i], share * parts[i]
                places[k] += 1
    return new_rows, new_parts


@compiled
def route(
    shape: Any,
    held: Any,
    pool: Any,
    used: int,
    top: int,
    rows: Any,
    parts: Any,
    confidence: float,
    z: float,
    kept: bool,
) -> Any:
    """Send entries down the tree below a node.

    Returns the errors that its leaves will make at worst; and where `kept`, the pool with the
    entries of the leaves, while the counts of the nodes are set.
    """
    waiting, begins = np.empty(64, np.int64), np.empty(64, np.int64)
    waiting[0], begins[0], number = top, 0, 1
    tally = np.empty(shape.counts.shape[1])
    errors, end = 0.0, len(rows)
    # The entries of the node that waits last stand last: they make room for its children.
    while number > 0:
        number -= 1
        node, begin = waiting[number], begins[number]
        own_rows, own_parts = rows[begin:end], parts[begin:end]
        tally[:] = 0
        for i in range(len(own_rows)):
            tally[held.labels[own_rows[i]]] += own_parts[i]
        if kept:
            shape.counts[node] = tally
        if shape.attribute[node] < 0:
            errors += leaf_errors(tally, confidence, z)
            if kept:
                pool = stored(pool, used, node, own_rows, own_parts)
                used += len(own_rows)
            end = begin
            continue
        shares, sizes = shares_of(shape, held, node, own_rows, own_parts)
        own_rows, own_parts = deal_entries(shape, held, node, own_rows, own_parts, shares, sizes)
        end = begin + len(own_rows)
        if end > len(rows):
            rows = np.append(rows[:begin], np.empty(2 * len(own_rows), np.int64))
            parts = np.append(parts[:begin], np.empty(2 * len(own_rows)))
        rows[begin:end], parts[begin:end] = own_rows, own_parts
        if number + len(sizes) > len(waiting):
            more = np.empty(len(waiting) + len(sizes), np.int64)
            waiting, begins = np.append(waiting, more), np.append(begins, more)
        for k in range(len(sizes)):
            waiting[number], begins[number] = shape.child[node] + k, begin
            begin += sizes[k]
            number += 1
    return errors, pool, used


@compiled
def largest_child(shape: Any, node: int) -> int:
    """Return the child of most weight, the last of several."""
    most, chosen = 0.0, -1
    for k in range(shape.child[node], shape.child[node] + shape.ways[node]):
        weight = shape.counts[k].sum()
        if weight > most - SAME:
            most, chosen = weight, k
    return chosen


@compiled
def prune(shape: Any, held: Any, confidence: float, z: float) -> None:
    """Turn into a leaf, or replace by its largest branch, what will make no more errors so.

    From the leaves up. What has been replaced holds more records than before, so it is
    looked at again.
    """
    size, raising = len(shape.attribute), len(held.labels) > 0
    none = np.empty(0, np.int64)
    pool = Pool(np.zeros(size, np.int64), np.zeros(size, np.int64), none, np.empty(0))
    used = 0
    if raising:
        every = np.arange(len(held.labels))
        everyone = route(
            shape, held, pool, used, 0, every, held.weights.copy(), confidence, z, True
        )
        pool, used = everyone[1], everyone[2]
    pending = np.flatnonzero(shape.attribute >= 0)
    number = len(pending)
    while number > 0:
        number -= 1
        node = pending[number]
        if shape.attribute[node] < 0:
            continue
        below = nodes_below(shape, node)
        as_leaf = leaf_errors(shape.counts[node], confidence, z)
        as_tree = tree_errors(shape, below, confidence, z)
        as_branch, branch = np.inf, largest_child(shape, node)
        rows, parts = none, np.empty(0)
        if raising:
            rows, parts = gather(shape, pool, below)
            tried = route(
                shape, held, pool, used, branch, rows.copy(), parts.copy(), confidence, z, False
            )
            as_branch = tried[0]
        allowed = WORSE + SAME
        if as_leaf < as_tree + allowed and as_leaf < as_branch + allowed:
            shape.attribute[node], shape.ways[node] = -1, 0
            if raising:
                pool = stored(pool, used, node, rows, parts)
                used += len(rows)
        elif as_branch < as_tree + allowed:
            shape.attribute[node], shape.ways[node] = shape.attribute[branch], shape.ways[branch]
            shape.child[node], shape.ends[node] = shape.child[branch], shape.ends[branch]
            shape.branch[node], shape.last[node] = shape.branch[branch], shape.last[branch]
            raised = route(shape, held, pool, used, node, rows, parts, confidence, z, True)
            pool, used = raised[1], raised[2]
            below = nodes_below(shape, node)
            pending = np.append(pending[:number], below)
            number += len(below)
