"""Error-based pruning: a subtree stays where it will make fewer errors (Quinlan 1993)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scumble.mining._cuts import Column, Cuts
from scumble.mining._nodes import Nodes
from scumble.mining._prune import Pruning

FloatArray = NDArray[np.float64]
_AS_GOOD = 1e-3


class TrainingRows(NamedTuple):
    """The records that a tree was grown from, as the engine was given them.

    Attributes
    ----------
    codes : array of uint16, (records, attributes)
        The cell of each value; 0 is missing.
    labels : array of uint16
        The class of each record.
    weights : array of float
        The weight of each record.
    """

    codes: NDArray[np.uint16]
    labels: NDArray[np.uint16]
    weights: FloatArray


@dataclass(frozen=True, eq=False)
class ErrorBased(Pruning):
    """A subtree is cut back where that will not make more errors at worst.

    Attributes
    ----------
    confidence : float, optional
        Of the upper limit for the errors of a leaf; the smaller, the more is cut back. None:
        only what makes no fewer errors on the training records is cut back.
    records : TrainingRows, optional
        The records, to try a subtree also by its largest branch: that is raised to its place.
        None: nothing is raised.

    Notes
    -----
    As J48 does it: a subtree that is no better than a leaf on the training records is
    collapsed; then, from the leaves up, each is compared with a leaf and with its largest
    branch, which may make a tenth of an error more.
    """

    name = "error-based"

    confidence: float | None = 0.25
    records: TrainingRows | None = None

    def prune(self, nodes: Nodes, columns: Sequence[Column]) -> Nodes:
        nodes = collapsed(nodes)
        if self.confidence is None:
            return nodes
        return self._cut_back(nodes, columns, self.confidence)

    def _cut_back(self, nodes: Nodes, columns: Sequence[Column], confidence: float) -> Nodes:
        from scipy.special import ndtri

        from scumble.mining._entries import Held, Shape
        from scumble.mining._raise import prune

        own = Nodes(*(getattr(nodes, name).copy() for name in Nodes.__dataclass_fields__))
        last = _last_cells(own, columns)
        shape = Shape(own.attribute, own.child, own.ways, own.branch, own.ends, own.counts, last)
        records = self.records or _NO_RECORDS
        whole = bool(records.codes.all())
        prune(shape, Held(*records, whole), confidence, float(ndtri(1 - confidence)))
        return own.cut_back(own.attribute < 0)


def _last_cells(nodes: Nodes, columns: Sequence[Column]) -> NDArray[np.int64]:
    """Return of each node that cuts a number the last cell on the left, and else 0.

    Records of another branch may lie between the two cells that a node was cut between.
    """
    last = np.zeros(len(nodes), dtype=np.int64)
    for node in nodes.parents.tolist():
        column = columns[nodes.attribute[node]]
        if isinstance(column, Cuts):
            last[node] = column.last_not_above(*nodes.ends[node])
    return last


_NO_RECORDS = TrainingRows(
    np.empty((0, 0), dtype=np.uint16), np.empty(0, dtype=np.uint16), np.empty(0)
)


def error_limit(errors: float, records: float, *, confidence: float = 0.25) -> float:
    """Return the share of errors that a leaf will not exceed at a confidence.

    Parameters
    ----------
    errors : float
        How many it makes on the training records.
    records : float
        How many there are.
    confidence : float
        The probability that so few are seen by chance although the limit is exceeded.

    Examples
    --------
    >>> [round(error_limit(0, records), 3) for records in (6, 9, 1)]
    [0.206, 0.143, 0.75]
    """
    from scipy.special import ndtri

    from scumble.mining._error_limit import added_errors

    added = added_errors(float(records), float(errors), confidence, float(ndtri(1 - confidence)))
    return float((errors + added) / records)


def collapsed(nodes: Nodes) -> Nodes:
    """Return the tree without subtrees that are no better than a leaf on the training records."""
    own = (nodes.counts.sum(axis=1) - nodes.counts.max(axis=1)).tolist()
    below, child, ways = list(own), nodes.child.tolist(), nodes.ways.tolist()
    leaves = np.zeros(len(nodes), dtype=bool)
    for node in nodes.parents[::-1].tolist():
        below[node] = sum(below[child[node] : child[node] + ways[node]])
        leaves[node] = below[node] >= own[node] - _AS_GOOD
    return nodes.cut_back(leaves)
