"""A picture of a tree."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scumble.mining._tree import Tree
from scumble.mining.export._caption import Caption, caption
from scumble.mining.export._colours import node_colour
from scumble.mining.export._conditions import Conditions
from scumble.mining.export._visible import Shown, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINE, _WORD = "#777777", "#444444"
_FONT = 9.0
# In inches: a row of the picture, and what stands between two columns for the edges.
_ROW, _GAP = 0.5, 0.6
# The width of a letter and the height of a line, in parts of the font size.
_LETTER, _HEIGHT = 0.6, 1.45
# How many letters stand at an edge.
_WORDS = 12


@dataclass(frozen=True)
class Box:
    """A node in the picture.

    Attributes
    ----------
    shown : Shown
        The node and those below it.
    caption : Caption
        Its text.
    row, column : float
        Where it stands, counted from the top left.
    """

    shown: Shown
    caption: Caption
    row: float
    column: int


@dataclass(frozen=True)
class Page:
    """Where boxes are drawn.

    Attributes
    ----------
    ax : Axes
        The axes; a box stands in a column and a row of width one.
    gap : float
        The part of a column that is left to the edges.
    font : float
        The font size.
    """

    ax: "Axes"
    gap: float
    font: float


def draw_tree(tree: Tree, *, ax: "Axes | None" = None, depth: int | None = 4) -> "Axes":
    """Draw a tree from left to right.

    The upper of two edges of a box is taken where its test holds; where there are more, each
    tells the value that takes it. The hue of a box tells its
    most frequent class, the strength how pure it is, the width of an edge how many
    records take it.

    Parameters
    ----------
    tree : Tree
        The tree.
    ax : Axes, optional
        Where to draw. By default a new figure, as large as the tree needs.
    depth : int, optional
        How many tests on a path are shown; what lies deeper is counted. None: all.

    Examples
    --------
    >>> from scumble import DisguisedTreeClassifier
    >>> tree = DisguisedTreeClassifier(pruning=None).fit([[1], [2]], ["no", "yes"]).tree_
    >>> [text.get_text() for text in draw_tree(tree).texts[:4]]
    ['x0 < 1.5', 'no 50.0 % of 2', 'no', '100.0 % of 1']
    """
    conditions = Conditions(tree)
    boxes = _boxes(conditions, depth)
    page = _page(ax, list(boxes.values()))
    for node, box in boxes.items():
        _draw_box(page, box, colour=node_colour(tree, node))
    for box in boxes.values():
        for child in box.shown.children:
            share = float(tree.weights[child] / tree.weights[0])
            word = conditions.word(child, width=_WORDS)
            _draw_edge(page, box, boxes[child], word=word, share=share)
    return page.ax


def _boxes(conditions: Conditions, depth: int | None) -> dict[int, Box]:
    """Return the boxes by node: those at the end a row each, a parent between its own."""
    tree = conditions.tree
    shown = list(visible(tree, depth=depth))
    ends = [item.node for item in shown if not item.children]
    rows = {node: float(row) for row, node in enumerate(ends)}
    for item in reversed(shown):
        if item.children:
            rows[item.node] = sum(rows[child] for child in item.children) / len(item.children)
    return {
        item.node: Box(
            item,
            caption(item, conditions=conditions),
            row=rows[item.node],
            column=int(tree.depths[item.node]),
        )
        for item in shown
    }


def _page(ax: "Axes | None", boxes: list[Box]) -> Page:
    """Return axes that hold all boxes, and the largest font that fits into them."""
    rows = 1.2 + max(box.row for box in boxes)
    columns = 1 + max(box.column for box in boxes)
    letters = 2 + max(len(line) for b in boxes for line in (b.caption.head, b.caption.records))
    if ax is None:
        from matplotlib import pyplot

        width = columns * (_LETTER * _FONT * letters / 72 + _GAP)
        ax = pyplot.figure(figsize=(width, _ROW * rows)).add_axes((0, 0, 1, 1))
    # In points, as font sizes are.
    frame = ax.get_window_extent().transformed(ax.figure.dpi_scale_trans.inverted())
    across, down = 72 * frame.width, 72 * frame.height
    gap = min(0.3, 72 * _GAP * columns / across)
    ax.set_xlim(-gap / 2, columns - gap / 2)
    ax.set_ylim(rows - 0.6, -0.6)
    ax.axis("off")
    widest = across / columns * (1 - gap) / (_LETTER * letters)
    return Page(ax, gap, min(_FONT, widest, down / rows * 0.8 / (2 * _HEIGHT)))


def _draw_box(page: Page, box: Box, *, colour: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    width = 1 - page.gap
    shape = "round,pad=0,rounding_size=0.08"
    corner = (box.column, box.row - 0.4)
    page.ax.add_patch(
        FancyBboxPatch(
            corner, width, 0.8, boxstyle=shape, facecolor=colour, edgecolor=_LINE, linewidth=0.8
        )
    )
    # A dollar sign in a name is no formula.
    style: dict[str, Any] = {"ha": "center", "va": "center", "parse_math": False}
    at, weight = box.column + width / 2, "bold" if box.caption.is_leaf else "normal"
    page.ax.text(
        at, box.row - 0.17, box.caption.head, fontsize=page.font, fontweight=weight, **style
    )
    page.ax.text(at, box.row + 0.18, box.caption.records, fontsize=page.font, **style)


def _draw_edge(page: Page, start: Box, end: Box, *, word: str, share: float) -> None:
    left, right = start.column + 1 - page.gap, end.column
    bend = (left + right) / 2
    page.ax.plot(
        [left, bend, bend, right],
        [start.row, start.row, end.row, end.row],
        color=_LINE,
        linewidth=(0.8 + 4 * share) * page.font / _FONT,
        solid_joinstyle="round",
        solid_capstyle="butt",
        zorder=0,
    )
    at = (right - page.gap / 4, end.row - 0.08)
    style: dict[str, Any] = {"ha": "center", "va": "bottom", "parse_math": False}
    page.ax.text(*at, word, fontsize=0.8 * page.font, color=_WORD, **style)
