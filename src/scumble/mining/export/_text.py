"""A tree as indented text."""

from scumble.mining._tree import Tree
from scumble.mining.export._conditions import Conditions
from scumble.mining.export._visible import visible
from scumble.mining.export._wording import amount, percent, plain

_WIDTH = 80
_INDENT = "|  "


def tree_text(tree: Tree, *, depth: int | None = None) -> str:
    """Return a tree as text: a line for each branch, with the outcome where it ends.

    Parameters
    ----------
    tree : Tree
        The tree.
    depth : int, optional
        How many tests on a path are shown; what lies deeper is counted. None: all.

    Examples
    --------
    >>> from scumble import DisguisedTreeClassifier
    >>> X, y = [[1], [2], [3], [4]], ["no", "yes", "no", "no"]
    >>> tree = DisguisedTreeClassifier(pruning=None).fit(X, y).tree_
    >>> print(tree_text(tree))
    x0 < 2.5:
    |  x0 < 1.5: no (1 record, 100.0 %)
    |  x0 >= 1.5: yes (1 record, 100.0 %)
    x0 >= 2.5: no (2 records, 100.0 %)
    >>> print(tree_text(tree, depth=1))
    x0 < 2.5:
    |  ... (2 leaves)
    x0 >= 2.5: no (2 records, 100.0 %)
    """
    conditions = Conditions(tree)
    lines = []
    for shown in visible(tree, depth=depth):
        node, level = shown.node, int(tree.depths[shown.node])
        outcome = "" if tree.child[node] >= 0 else _outcome(tree, node)
        indent = _INDENT * (level - 1)
        if node:
            room = _WIDTH - len(indent) - len(outcome) - 2
            condition = conditions.of_branch(node, width=room)
            lines.append(f"{indent}{condition}: {outcome}".rstrip())
        elif outcome:
            lines.append(outcome)
        if shown.hidden:
            lines.append(f"{_INDENT * level}... ({shown.hidden:,} leaves)")
    return "\n".join(lines)


def _outcome(tree: Tree, node: int) -> str:
    """Return what a leaf says, and on what ground."""
    share = percent(float(tree.probabilities[node].max()))
    return f"{plain(tree.label(node))} ({amount(float(tree.counts[node].sum()))}, {share})"
