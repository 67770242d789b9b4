"""A tree in the language of Graphviz."""

from scumble.mining._tree import Tree
from scumble.mining.export._caption import caption
from scumble.mining.export._colours import node_colour
from scumble.mining.export._conditions import Conditions
from scumble.mining.export._visible import visible

_HEAD = (
    "digraph tree {",
    '  node [shape=box, style="rounded,filled", color="#777777", fontname="sans-serif"];',
    '  edge [color="#777777", fontname="sans-serif", fontsize=10];',
)


def tree_dot(tree: Tree, *, depth: int | None = None) -> str:
    r"""Return a tree as a graph in the DOT language.

    Parameters
    ----------
    tree : Tree
        The tree.
    depth : int, optional
        How many tests on a path are shown; what lies deeper is counted. None: all.

    Examples
    --------
    >>> from scumble import DisguisedTreeClassifier
    >>> tree = DisguisedTreeClassifier(pruning=None).fit([[1], [2]], ["no", "yes"]).tree_
    >>> print(tree_dot(tree))
    digraph tree {
      node [shape=box, style="rounded,filled", color="#777777", fontname="sans-serif"];
      edge [color="#777777", fontname="sans-serif", fontsize=10];
      n0 [label="x0 < 1.5\nno 50.0 % of 2", fillcolor="#f0f7fa"];
      n0 -> n1 [label="yes"];
      n0 -> n2 [label="no"];
      n1 [label="no\n100.0 % of 1", fillcolor="#59a3cd"];
      n2 [label="yes\n100.0 % of 1", fillcolor="#efc159"];
    }
    <BLANKLINE>
    """
    conditions = Conditions(tree)
    lines = list(_HEAD)
    for shown in visible(tree, depth=depth):
        text = caption(shown, conditions=conditions)
        label = escaped(text.head) + r"\n" + escaped(text.records)
        colour = node_colour(tree, shown.node)
        lines.append(f'  n{shown.node} [label="{label}", fillcolor="{colour}"];')
        for child in shown.children:
            word = escaped(conditions.word(child))
            lines.append(f'  n{shown.node} -> n{child} [label="{word}"];')
    return "\n".join([*lines, "}", ""])


def escaped(text: str) -> str:
    r"""Return text as it stands in the quotes of a label.

    Graphviz reads more than quotes there: a backslash begins a command and an
    ampersand the name of a letter.

    Examples
    --------
    >>> print(escaped('R&D "lab" \\N'))
    R&amp;D \"lab\" \\N
    """
    text = text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return text.replace("\r", "").replace("\n", "\\n")
