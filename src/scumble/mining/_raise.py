"""Error-based pruning with subtree raising (Quinlan 1993), compiled.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numpy as np

from scumble.engines._kernels import compiled
from scumble.mining._entries import (
    Pool,
    deal_entries,
    gather,
    nodes_below,
    shares_of,
    stored,
    way_of,
)
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
def joined_errors(
    shape: Any,
    held: Any,
    pool: Any,
    node: int,
    branch: int,
    extra: Any,
    confidence: float,
    z: float,
) -> float:
    """Return the errors at worst of a branch of a node with the records of its other branches.

    Where no value is missing, those that the branch has already stay where they are, and
    the others, which are fewer, go one by one. `extra` is zero for each node and class.
    """
    for k in range(shape.child[node], shape.child[node] + shape.ways[node]):
        if k == branch:
            continue
        rows, parts = gather(shape, pool, nodes_below(shape, k))
        for i in range(len(rows)):
            to = branch
            while shape.attribute[to] >= 0:
                to = shape.child[to] + way_of(shape, to, held.codes[rows[i], shape.attribute[to]])
            extra[to, held.labels[rows[i]]] += parts[i]
    errors = 0.0
    for to in nodes_below(shape, branch):
        if shape.attribute[to] < 0:
            errors += leaf_errors(shape.counts[to] + extra[to], confidence, z)
            extra[to] = 0
    return errors


@compiled
def branch_errors(
    shape: Any,
    held: Any,
    pool: Any,
    node: int,
    branch: int,
    extra: Any,
    confidence: float,
    z: float,
) -> float:
    """Return the errors at worst of a branch of a node that gets all its records."""
    if held.whole:
        return joined_errors(shape, held, pool, node, branch, extra, confidence, z)
    rows, parts = gather(shape, pool, nodes_below(shape, node))
    errors: float = route(shape, held, pool, 0, branch, rows, parts, confidence, z, False)[0]
    return errors


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
    extra = np.zeros_like(shape.counts)
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
        if raising:
            as_branch = branch_errors(shape, held, pool, node, branch, extra, confidence, z)
        allowed = WORSE + SAME
        if as_leaf < as_tree + allowed and as_leaf < as_branch + allowed:
            if raising:
                rows, parts = gather(shape, pool, below)
                pool = stored(pool, used, node, rows, parts)
                used += len(rows)
            shape.attribute[node], shape.ways[node] = -1, 0
        elif as_branch < as_tree + allowed:
            rows, parts = gather(shape, pool, below)
            shape.attribute[node], shape.ways[node] = shape.attribute[branch], shape.ways[branch]
            shape.child[node], shape.ends[node] = shape.child[branch], shape.ends[branch]
            shape.branch[node], shape.last[node] = shape.branch[branch], shape.last[branch]
            raised = route(shape, held, pool, used, node, rows, parts, confidence, z, True)
            pool, used = raised[1], raised[2]
            below = nodes_below(shape, node)
            pending = np.append(pending[:number], below)
            number += len(below)
