"""Loops over records that count in part for several nodes, compiled.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

from scumble.engines._kernels import compiled


@compiled
def weigh_branches(
    codes: Any,
    weights: Any,
    starts: Any,
    attribute: Any,
    branch: Any,
    first: Any,
    known: Any,
    sizes: Any,
    everywhere: Any,
) -> None:
    """Add up what goes to each child, and what goes to all children of a node.

    known[child] is the weight and sizes[child] the number of records that go there alone;
    everywhere[node] is the number of those that go to all.
    """
    for node in range(len(starts) - 1):
        j = attribute[node]
        if j < 0:
            continue
        for i in range(starts[node], starts[node + 1]):
            way = branch[node, codes[i, j]]
            if way < 0:
                everywhere[node] += 1
            else:
                known[first[node] + way] += weights[i]
                sizes[first[node] + way] += 1


@compiled
def deal_shares(
    codes: Any,
    labels: Any,
    weights: Any,
    starts: Any,
    attribute: Any,
    branch: Any,
    ways: Any,
    first: Any,
    shares: Any,
    places: Any,
    new_codes: Any,
    new_labels: Any,
    new_weights: Any,
) -> None:
    """Copy the records of each node that is split to the places of its children.

    One that goes everywhere is copied to each child that has a share, with that share of
    its weight.
    """
    for node in range(len(starts) - 1):
        j = attribute[node]
        if j < 0:
            continue
        for i in range(starts[node], starts[node + 1]):
            way = branch[node, codes[i, j]]
            begin = 0 if way < 0 else way
            end = ways[node] if way < 0 else way + 1
            for child in range(first[node] + begin, first[node] + end):
                share = shares[child] if way < 0 else 1.0
                if share <= 0:
                    continue
                to = places[child]
                places[child] = to + 1
                for k in range(codes.shape[1]):
                    new_codes[to, k] = codes[i, k]
                new_labels[to] = labels[i]
                new_weights[to] = share * weights[i]
