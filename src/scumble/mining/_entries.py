"""Records on their way down a tree that is being pruned; compiled.

Importing this file imports numba, so it is imported where it is used.

A record that a node holds is an entry: its row, and the part of it that the node has. The
entries of leaves stand in a pool; those of any other node are gathered from the leaves below.
"""

from typing import Any, NamedTuple

import numpy as np

from scumble.engines._kernels import compiled

# A branch of a smaller share gets nothing of what goes everywhere.
LEAST_SHARE = 1e-6


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
    """Records: cells, classes and weights, and whether none of their values is missing.

    There are none where nothing is to be raised.
    """

    codes: Any
    labels: Any
    weights: Any
    whole: bool


class Pool(NamedTuple):
    """The entries of leaves: where those of each node begin, how many, and the entries.

    `place` is -1 for each record; it is written to while entries are gathered.
    """

    starts: Any
    sizes: Any
    rows: Any
    parts: Any
    place: Any


@compiled
def way_of(shape: Any, node: int, code: int) -> int:
    """Return the branch that a cell takes; below zero that is all of them."""
    if code > 0 and shape.last[node] > 0:
        return 0 if code <= shape.last[node] else 1
    return int(shape.branch[node, code])


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
def gather(shape: Any, pool: Any, below: Any) -> Any:
    """Return the entries of the leaves among nodes: rows and parts.

    The parts of a record are put together. Else each would be parted again below another
    branch, and there would be ever more of them.
    """
    most = 0
    for node in below:
        if shape.attribute[node] < 0:
            most += pool.sizes[node]
    rows, parts, size = np.empty(most, np.int64), np.empty(most), 0
    for node in below:
        if shape.attribute[node] >= 0:
            continue
        for i in range(pool.starts[node], pool.starts[node] + pool.sizes[node]):
            row = pool.rows[i]
            place = pool.place[row]
            if place < 0:
                place = pool.place[row] = size
                rows[place], parts[place] = row, 0.0
                size += 1
            parts[place] += pool.parts[i]
    for i in range(size):
        pool.place[rows[i]] = -1
    return rows[:size], parts[:size]


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
            pool.place,
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
        if shares[k] <= LEAST_SHARE:
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
