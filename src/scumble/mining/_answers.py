"""The accuracy of a tree on truths, by inverting reports of them (MRR Eq. 15)."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from scumble.declared import conformed
from scumble.engines import Splits
from scumble.errors import TableError
from scumble.inversion._probability import estimate_of_mean
from scumble.inversion._rows import InvertedRows
from scumble.mining._inverted import check_invertible, factors_with_class
from scumble.mining._regions import thresholds_by_name
from scumble.mining._score import DisguisedScore, Labels
from scumble.mining._sources import is_disguised
from scumble.mining._stages import Stages
from scumble.mining._tree import Tree
from scumble.schema import Categorical, Specification, own_mechanism
from scumble.tables import Table

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def inverted_score(
    tree: Tree,
    table: Table,
    labels: Labels,
    spec: Specification,
    *,
    stages: Stages | None = None,
) -> DisguisedScore:
    """Estimate the accuracy of a tree without bias.

    Parameters
    ----------
    tree : Tree
        The tree, whose splits have two branches. A missing value takes one of them, or none
        is missing.
    table : Table
        The reports.
    labels : Labels
        Their classes.
    spec : Specification
        What disguised them.
    stages : Stages, optional
        Told of each level of the tree that is done.

    Notes
    -----
    The accuracy is the sum over leaves of the probability that the truths lie in the box
    of the leaf and the class is its label. A record counts what it counts for all these
    conjunctions together. It is the same as to ask the tree about all 2^M ways in which the
    coins may have fallen and to solve for the one that counts, as published.
    """
    stages = stages or Stages(shown=False)
    stages.expect(2 + int(tree.depths.max()))
    rows, cells, missing = _rows(tree, table, labels, spec)
    if missing and tree.shares_missing:
        raise TableError(
            f"score_disguised: by inversion, expected reports without missing values of what the "
            f"tree tests, which go down every branch of it; {missing:,} records have some: leave "
            "them out, or take method='likelihood' where the class has a coin of its own"
        )
    stages.done("read the reports")
    columns = {j: place for place, j in enumerate(cells)}
    attribute = np.array([columns.get(j, -1) for j in tree.attribute.tolist()])
    answers = np.where(attribute < 0, labels.answers[tree.answers], -1)
    found = np.zeros(len(rows.weights))

    def send(node: int, left: NDArray[np.uint8]) -> None:
        left[0] = tree.missing[node] == 0
        if node in tree.branches:
            left[1 : 1 + len(tree.branches[node])] = tree.branches[node] == 0
        else:
            thresholds = cells[int(tree.attribute[node])]
            left[1 : 2 + np.searchsorted(thresholds, tree.threshold[node])] = 1

    for nodes in walk(rows, attribute, tree.child, send):
        rows.add_answers(answers[nodes], found)
        stages.done("weighed a level")
    estimate = estimate_of_mean(found, rows.weights)
    return DisguisedScore(estimate.probability, estimate.error, estimate.records)


def walk(
    rows: InvertedRows,
    attribute: IntArray,
    child: IntArray,
    send: Callable[[int, NDArray[np.uint8]], None],
) -> Iterator[IntArray]:
    """Yield the nodes of a binary tree level by level, while the rows are moved down with them.

    Parameters
    ----------
    rows : InvertedRows
        The records.
    attribute, child : arrays of int
        The column of the rows that each node tests, -1 of a leaf; its left child.
    send : callable
        Sets of a node which cells go left; the first is the missing.
    """
    widest = int(np.diff(rows.offsets).max())
    nodes = np.array([0])
    while len(nodes):
        yield nodes
        left = np.zeros((len(nodes), widest), dtype=np.uint8)
        for place in np.flatnonzero(attribute[nodes] >= 0).tolist():
            send(int(nodes[place]), left[place])
        rows.split(Splits.in_two(attribute[nodes], left))
        below = child[nodes[attribute[nodes] >= 0]]
        nodes = np.column_stack((below, below + 1)).ravel()


def _rows(
    tree: Tree, table: Table, labels: Labels, spec: Specification
) -> tuple[InvertedRows, dict[int, FloatArray], int]:
    """Return the records, with a column for each attribute that is tested.

    With each goes where the cells of a number end; last, how many records miss some.
    """
    tested = sorted(tree.tested) or [0]
    names = [tree.names[j] for j in tested]
    check_invertible({name: spec.domain(name) for name in names})
    cuts = thresholds_by_name(tree)
    codes = np.empty((len(table), len(names) + 1), dtype=np.uint16)
    sizes, cells = [], {}
    for place, (j, name) in enumerate(zip(tested, names, strict=True)):
        attribute = spec.domain(name)
        values = conformed(table, name, own_mechanism(attribute).report_domain(attribute))
        cells[j] = cuts.get(name, np.empty(0))
        if isinstance(attribute, Categorical):
            codes[:, place] = values + 1
            sizes.append(len(attribute))
        else:
            above = np.searchsorted(cells[j], values, side="right")
            codes[:, place] = np.where(np.isnan(values), 0, above + 1)
            sizes.append(len(cells[j]) + 1)
    codes[:, -1] = labels.places + 1
    declared = spec.declared_class
    classes = np.arange(len(labels.matrix))
    if isinstance(declared, Categorical) and is_disguised(declared):
        classes = np.array(declared.values)
    missing = int(np.count_nonzero((codes[:, :-1] == 0).any(axis=1)))
    return InvertedRows(codes, factors_with_class(spec, names, sizes, classes)), cells, missing
