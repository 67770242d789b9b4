"""Pruning by the accuracy on reports that were held out (MRR 4.6)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.inversion._rows import InvertedRows
from scumble.mining._answers import walk
from scumble.mining._cuts import Column, Cuts
from scumble.mining._grow import Growth, grow
from scumble.mining._inverted import Inverted
from scumble.mining._nodes import Nodes

FloatArray = NDArray[np.float64]
_HELD_OUT = 1 / 3
# By how many standard errors a subtree must be better than a leaf.
_MARGIN = 1.0


def grow_inverted(
    inverted: Inverted,
    growth: Growth,
    *,
    tested: bool,
    seed: int = 0,
    told: Callable[[str], Any] = str,
) -> tuple[Nodes, list[Column], frozenset[str]]:
    """Grow a tree by inversion, and test it on held-out reports where that is asked for.

    Returns
    -------
    Nodes
        The tree.
    list of Cuts or Categorical
        The cells of each attribute.
    frozenset of str
        The attributes that have missing reports.
    """
    if not tested:
        nodes = grow(inverted.rows(), inverted.columns, growth, told=told)
        return nodes, inverted.columns, inverted.missing
    held_out = np.random.default_rng([seed, 15]).random(len(inverted.codes)) < _HELD_OUT
    if held_out.all() or not held_out.any():
        held_out[:] = False
        held_out[0] = len(held_out) > 1
    rows, whole = inverted.rows(~held_out), replace(growth, pruning=None)
    nodes = grow(rows, inverted.columns, whole, told=told)
    if held_out.any():
        nodes = reduce_error(nodes, inverted.rows(held_out), inverted.columns)
    return nodes, inverted.columns, inverted.missing


def reduce_error(nodes: Nodes, rows: InvertedRows, columns: list[Column]) -> Nodes:
    """Return the tree with every subtree that is no better than a leaf turned into one.

    Parameters
    ----------
    nodes : Nodes
        The tree, a binary one.
    rows : InvertedRows
        Reports that it has not seen.
    columns : list of Cuts or Categorical
        The cells of each attribute.

    Notes
    -----
    The right answers below a node are the sum over its leaves of Eq. 15. A subtree stays
    where it has more of them than its root as a leaf would have, by a standard error of the
    difference; the leaves are taken to err independently of each other.
    """
    totals, squares = _weighed(nodes, rows, columns)
    labels = nodes.counts.argmax(axis=1)
    every = np.arange(len(nodes))
    leaves = np.zeros(len(nodes), dtype=bool)
    below: list[list[int]] = [[node] for node in every.tolist()]
    for node in nodes.parents[::-1].tolist():
        child = int(nodes.child[node])
        under = np.array(below[child] + below[child + 1])
        own, theirs = labels[node], labels[under]
        better = (totals[under, theirs] - totals[under, own]).sum()
        spread = squares[under, theirs, theirs] + squares[under, own, own]
        spread = (spread - 2 * squares[under, theirs, own]).sum()
        leaves[node] = better <= _MARGIN * np.sqrt(max(spread, 0.0))
        below[node] = [node] if leaves[node] else under.tolist()
        below[child] = below[child + 1] = []
    return nodes.cut_back(leaves)


def _weighed(
    nodes: Nodes, rows: InvertedRows, columns: list[Column]
) -> tuple[FloatArray, FloatArray]:
    """Return the counts of the classes at each node, and the sums of their products."""
    classes = nodes.counts.shape[1]
    totals, squares = np.zeros((len(nodes), classes)), np.zeros((len(nodes), classes, classes))

    def send(node: int, left: NDArray[np.uint8]) -> None:
        column = columns[nodes.attribute[node]]
        if isinstance(column, Cuts):
            left[0] = nodes.branch[node, 0] == 0
            left[1 : nodes.ends[node, 0] + 1] = 1
        else:
            left[: len(column) + 1] = nodes.branch[node, : len(column) + 1] == 0

    for level in walk(rows, nodes.attribute, nodes.child, send):
        totals[level], squares[level] = rows.moments()
    return totals, squares
