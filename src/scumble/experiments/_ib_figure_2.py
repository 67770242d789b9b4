"""Figure 2 of Islam and Brankovic: their tree on Boston, beside ours."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from scumble.audit import TreeSimilarity, compare_trees
from scumble.experiments._ib_tables import ib_table
from scumble.mining import C45Classifier, Tree
from scumble.schema import Numeric

_TOP, _BOTTOM = "top 20%", "bottom 80%"
_Leaf = tuple[str, int, int]
_Node = tuple[str, float, Any, Any]
# An attribute, a bound, what lies at most at it and what lies above; or a class with the
# number of cases and how many of them are of the other class.
_PUBLISHED: _Node = (
    "lstat",
    5.49,
    (
        "rm",
        6.485,
        (_BOTTOM, 5, 0),
        (
            "ptratio",
            17.8,
            (_TOP, 26, 0),
            (
                "nox",
                0.4161,
                (_BOTTOM, 2, 0),
                ("lstat", 4.45, (_TOP, 6, 0), (_BOTTOM, 3, 1)),
            ),
        ),
    ),
    ("rm", 7.041, (_BOTTOM, 248, 8), (_TOP, 10, 0)),
)


def ib_figure_2_tree() -> Tree:
    """Return the published tree on 300 tracts of Boston.

    Examples
    --------
    >>> from scumble.experiments import ib_figure_2_tree
    >>> from scumble.mining.export import tree_text
    >>> print(tree_text(ib_figure_2_tree(), depth=2))
    lstat <= 5.49:
    |  rm <= 6.485: bottom 80% (5 records, 100.0 %)
    |  rm > 6.485:
    |  |  ... (4 leaves)
    lstat > 5.49:
    |  rm <= 7.041: bottom 80% (248 records, 96.8 %)
    |  rm > 7.041: top 20% (10 records, 100.0 %)
    """
    nodes: list[_Leaf | _Node] = [_PUBLISHED]
    child = []
    for node in nodes:  # grows while it is read: level by level
        child.append(len(nodes) if len(node) == 4 else -1)
        if len(node) == 4:
            nodes.extend(node[2:])
    names = ["lstat", "rm", "ptratio", "nox"]
    inner = np.array([len(node) == 4 for node in nodes])
    return Tree(
        {name: Numeric(-math.inf, math.inf) for name in names},
        np.array([_BOTTOM, _TOP]),
        attribute=np.array([names.index(n[0]) if len(n) == 4 else -1 for n in nodes]),
        child=np.array(child),
        ways=np.where(inner, 2, 0),
        # Numbers below it go first: a number that is the bound itself, too.
        threshold=np.array(
            [math.nextafter(n[1], math.inf) if len(n) == 4 else np.nan for n in nodes]
        ),
        branches={},
        missing=np.zeros(len(nodes), dtype=np.int64),
        counts=np.array([_counts(node) for node in nodes], dtype=float),
    )


def _counts(node: _Leaf | _Node) -> list[int]:
    """Return the number of cases of the two classes in a node."""
    if len(node) == 4:
        return [sum(both) for both in zip(*map(_counts, node[2:]), strict=True)]
    label, cases, others = node
    counts = [cases - others, others]
    return counts if label == _BOTTOM else counts[::-1]


@dataclass(frozen=True)
class IbFigure2Row:
    """A rule of the published tree, and what our trees have of it.

    Attributes
    ----------
    rule : str
        The rule.
    support : float
        The share of our records in it, mean over subsets.
    matched : float
        The share of the subsets on which our tree has a rule that matches.
    overlap : float
        Its Jaccard overlap with the nearest rule of the class in our tree, mean over subsets.

    Examples
    --------
    >>> from scumble.experiments import IbFigure2Row
    >>> IbFigure2Row("if rm < 7 then bottom 80%", 0.8, 0.5, 0.9).matched
    0.5
    """

    rule: str
    support: float
    matched: float
    overlap: float


@dataclass(frozen=True)
class IbFigure2:
    """The published tree beside ours on several draws, and ours beside each other.

    Attributes
    ----------
    rows : tuple of IbFigure2Row
        For each rule of the published tree, that with the largest support first.
    published : tuple of TreeSimilarity
        For each draw, our tree against the published one.
    ours : tuple of TreeSimilarity
        For each draw but the last, our tree from the next draw against that from this one:
        what another 300 of the same tracts change.

    Examples
    --------
    >>> from scumble.experiments import ib_figure_2
    >>> ib_figure_2(subsets=[])
    IbFigure2(rows=(), published=(), ours=())
    """

    rows: tuple[IbFigure2Row, ...]
    published: tuple[TreeSimilarity, ...]
    ours: tuple[TreeSimilarity, ...]


def ib_figure_2(
    *, subsets: Sequence[int] = tuple(range(1, 21)), directory: Any = None
) -> IbFigure2:
    """Compare the published tree with a C4.5 tree on each of several draws of 300 tracts.

    Parameters
    ----------
    subsets : sequence of int
        Which draws.
    directory : path, optional
        Where the data set lies: see `load_boston`.

    Examples
    --------
    >>> from scumble.experiments import ib_figure_2
    >>> ib_figure_2(subsets=[]).rows
    ()

    Notes
    -----
    The paper's tree comes from C5 and from other 300 tracts than any of ours: it cannot be
    the same. How far trees differ by the draw alone, `ours` shows.
    """
    tables = [ib_table("boston", subset=subset, directory=directory) for subset in subsets]
    trees = [C45Classifier().fit(table.X, table.y) for table in tables]
    figure = ib_figure_2_tree()
    published = tuple(
        compare_trees(figure, tree, table.X) for tree, table in zip(trees, tables, strict=True)
    )
    ours = tuple(
        compare_trees(tree, other, table.X)
        for (tree, other), table in zip(pairwise(trees), tables, strict=False)
    )
    return IbFigure2(_rows(published), published, ours)


def _rows(found: Sequence[TreeSimilarity]) -> tuple[IbFigure2Row, ...]:
    by_rule: dict[str, list[Any]] = {}
    for similarity in found:
        for rule in similarity.rules:
            by_rule.setdefault(rule.rule, []).append(rule)
    rows = [
        IbFigure2Row(
            text,
            support=float(np.mean([rule.support for rule in rules])),
            matched=float(np.mean([rule.matched for rule in rules])),
            overlap=float(np.mean([rule.overlap for rule in rules])),
        )
        for text, rules in by_rule.items()
    ]
    return tuple(sorted(rows, key=lambda row: -row.support))
