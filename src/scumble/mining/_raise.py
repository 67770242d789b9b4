"""Error-based pruning with subtree raising (Quinlan 1993), compiled.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numpy as np

from scumble.engines._kernels import compiled
from scumble.mining._entries import Pool, deal_entries, gather, nodes_below, shares_of, stored
from scumble.mining._error_limit import leaf_errors

# What differs by less is the same, as in J48.
SAME = 1e-6
# So many more errors a simpler tree may have.
WORSE = 0.1


@compiled
def tree_errors(shape: Any, below: Any, confidence: float, z: float) -> float:
    """Return how many errors the leaves among nodes will make at worst."""
    errors = 0.0
    for node in below:
        if shape.attribute[node] < 0:
            errors += leaf_errors(shape.counts[node], confidence, z)
    return errors


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
    starts, sizes = np.zeros(size, np.int64), np.zeros(size, np.int64)
    pool = Pool(starts, sizes, none, np.empty(0), np.full(len(held.labels), -1))
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
