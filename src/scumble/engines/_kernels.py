"""The loops over records, compiled.

Importing this file imports numba, so it is imported where it is used. The compiled
code is kept in a cache on disk; only the first run on a machine waits for it.
"""

from typing import Any

import numba
import numpy as np

compiled = numba.njit(nogil=True, cache=True)
# A report cell is small if it holds less than one in so many of the reports of two cells.
FEW = 8


@compiled
def count_nodes(
    codes: Any,
    column: int,
    labels: Any,
    weights: Any,
    starts: Any,
    stops: Any,
    offsets: Any,
    counts: Any,
) -> None:
    """Add the records of each node to counts[node, cell, class], from a column on."""
    weighted = len(weights) > 0
    for node in range(len(starts)):
        for i in range(starts[node], stops[node]):
            label = labels[i]
            amount = weights[i] if weighted else 1.0
            for j in range(len(offsets) - 1):
                counts[node, offsets[j] + codes[i, column + j], label] += amount


@compiled
def count_branches(
    codes: Any, starts: Any, attribute: Any, branch: Any, ways: Any, first: Any, sizes: Any
) -> None:
    """Set sizes[child] to the number of records that go there; first[node] is the first child.

    Two ways are the case that is hot.
    """
    for node in range(len(starts) - 1):
        j = attribute[node]
        if j < 0:
            continue
        begin, end, child = starts[node], starts[node + 1], first[node]
        if ways[node] > 2:
            for i in range(begin, end):
                sizes[child + branch[node, codes[i, j]]] += 1
        else:
            right = 0
            for i in range(begin, end):
                right += branch[node, codes[i, j]]
            sizes[child], sizes[child + 1] = end - begin - right, right


@compiled
def deal(
    codes: Any,
    labels: Any,
    weights: Any,
    starts: Any,
    attribute: Any,
    branch: Any,
    ways: Any,
    first: Any,
    places: Any,
    new_codes: Any,
    new_labels: Any,
    new_weights: Any,
) -> None:
    """Copy the records of each node that is split to the places of its children."""
    weighted = len(weights) > 0
    for node in range(len(starts) - 1):
        j = attribute[node]
        if j < 0:
            continue
        child = first[node]
        two = ways[node] == 2
        to_left, to_right = places[child], places[child + 1]
        for i in range(starts[node], starts[node + 1]):
            way = branch[node, codes[i, j]]
            if not two:
                to = places[child + way]
                places[child + way] = to + 1
            elif way == 0:
                to = to_left
                to_left += 1
            else:
                to = to_right
                to_right += 1
            for k in range(codes.shape[1]):
                new_codes[to, k] = codes[i, k]
            new_labels[to] = labels[i]
            if weighted:
                new_weights[to] = weights[i]


@compiled
def code_intervals(values: Any, edges: Any, codes: Any) -> int:
    """Set codes to the interval between ascending edges that holds each value, from 1 on.

    Missing values get 0. Returns how many values lie in none, which get 0 too. All but the
    first and the last edge, which may be infinite, are about equally far apart.
    """
    last = len(edges) - 1
    base = edges[1]
    per_width = (last - 2) / (edges[last - 1] - edges[1]) if last > 2 else 0.0
    stray = 0
    for i in range(len(values)):
        value = values[i]
        if not (edges[0] <= value <= edges[last]):
            stray += not np.isnan(value)
            codes[i] = 0
            continue
        guess = 1 + int(min(max((value - base) * per_width, -1.0), last - 2.0))
        # Arithmetic may be off by one next to an edge: the edges themselves decide.
        while guess > 0 and value < edges[guess]:
            guess -= 1
        while guess < last - 1 and value >= edges[guess + 1]:
            guess += 1
        codes[i] = guess + 1
    return stray


@compiled
def in_order(counts: Any, wanted: Any, first: Any, last: Any, below: Any) -> None:
    """Send the lowest reports to the first cell until it has as many as wanted, and so on.

    A report cell may lie across several cells: it is told which are the first and the
    last, and how many reports lie below it.
    """
    for row in range(len(counts)):
        cell, full, sum_below = 0, wanted[row, 0], 0.0
        for report in range(counts.shape[1]):
            while sum_below >= full and cell < wanted.shape[1] - 1:
                cell += 1
                full += wanted[row, cell]
            count = counts[row, report]
            begin, end, end_full = cell, cell, full
            while sum_below + count > end_full and end < wanted.shape[1] - 1:
                end += 1
                end_full += wanted[row, end]
            # A small one that lies across two goes where its middle lies.
            if end == cell + 1 and FEW * count <= wanted[row, cell] + wanted[row, end]:
                begin = end = cell if sum_below + count / 2 < full else end
            first[row, report + 1], last[row, report + 1] = begin + 1, end + 1
            below[row, report + 1] = sum_below
            sum_below += count


@compiled
def uniform(i: int, salt: int) -> float:
    """Return a number in 0..1 that depends on a place alone (splitmix64)."""
    z = numba.uint64(i) * numba.uint64(0x9E3779B97F4A7C15) + numba.uint64(salt)
    z = (z ^ (z >> numba.uint64(30))) * numba.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> numba.uint64(27))) * numba.uint64(0x94D049BB133111EB)
    z = z ^ (z >> numba.uint64(31))
    return (z >> numba.uint64(11)) * 2.0**-53


@compiled
def associate_in_order(
    reports: Any,
    column: int,
    codes: Any,
    place: int,
    labels: Any,
    starts: Any,
    nodes: Any,
    first: Any,
    last: Any,
    below: Any,
    running: Any,
) -> None:
    """Give each report the cell that its node and class send it to.

    Reports of a cell that lies across several are dealt out to them by chance, each as
    many as it needs; running are the cumulated numbers of reports wanted in each cell.
    """
    for k in range(len(nodes)):
        for i in range(starts[nodes[k]], starts[nodes[k] + 1]):
            report = reports[i, column]
            label = labels[i] if first.shape[1] > 1 else 0
            code = first[k, label, report]
            final = last[k, label, report]
            if final > code:
                above = running[k, label, final - 1]
                if report + 1 < below.shape[2]:
                    above = below[k, label, report + 1]
                start = below[k, label, report]
                rank = start + uniform(i, place) * (above - start)
                while code < final and rank >= running[k, label, code - 1]:
                    code += 1
            codes[i, place] = code


@compiled
def associate_by_chance(
    reports: Any,
    column: int,
    codes: Any,
    place: int,
    labels: Any,
    starts: Any,
    nodes: Any,
    stay: Any,
    others: Any,
) -> None:
    """Give each report its own value with a chance, and else one of the other values.

    stay[node, class, report] is the chance; others are the chances of the values.
    """
    for k in range(len(nodes)):
        for i in range(starts[nodes[k]], starts[nodes[k] + 1]):
            report = reports[i, column]
            label = labels[i] if stay.shape[1] > 1 else 0
            code = report
            if report > 0:
                u = uniform(i, place)
                kept = stay[k, label, report]
                if u >= kept:
                    total = 0.0
                    for v in range(others.shape[2]):
                        if v != report - 1:
                            total += others[k, label, v]
                    rank = (u - kept) / (1 - kept) * total
                    for v in range(others.shape[2]):
                        if v != report - 1 and others[k, label, v] > 0:
                            code = v + 1
                            rank -= others[k, label, v]
                            if rank < 0:
                                break
            codes[i, place] = code
