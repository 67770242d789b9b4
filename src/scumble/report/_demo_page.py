"""The demonstration as one page."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from scumble.audit import Audit
from scumble.report._pictures import picture
from scumble.report._templates import template

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BLUE, _GREY = "#0072B2", "#9ca3af"


@dataclass(frozen=True)
class AttributeRow:
    """An attribute of a demonstration: what is true, was reported and was recovered.

    Attributes
    ----------
    name : str
        The attribute.
    true, reported, recovered : tuple of float
        Shares of cells of equal width.
    gain : float
        How much nearer to the truth the recovered distribution is than the reported one.
    """

    name: str
    true: tuple[float, ...]
    reported: tuple[float, ...]
    recovered: tuple[float, ...]
    gain: float


@dataclass(frozen=True)
class TreeRow:
    """A tree of a demonstration.

    Attributes
    ----------
    method : str
        How it was grown.
    accuracy : float
        On people who are not among the reports, whose truths are known here.
    leaves : int
        Its size.
    seconds : float
        How long it took.
    """

    method: str
    accuracy: float
    leaves: int
    seconds: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Demo:
    """What a demonstration found.

    Attributes
    ----------
    records : int
        The number of people.
    attributes : tuple of AttributeRow
        What was recovered.
    trees : tuple of TreeRow
        What was grown, the best one last.
    tree : Any
        The classifier of the last of them.
    estimate : Any
        Its accuracy, estimated from a disguised test set.
    clear : TreeRow
        What a tree from the truths themselves attains.
    audit : Audit
        What an adversary learns.
    truth : Any
        The truths, to be drawn; no record of them is on a page.
    """

    records: int
    attributes: tuple[AttributeRow, ...]
    trees: tuple[TreeRow, ...]
    tree: Any
    estimate: Any
    clear: TreeRow
    audit: Audit
    truth: Any


def demo_page(demo: Demo, *, audit_file: str | None = None) -> str:
    """Return a demonstration as HTML: one page that asks nothing of the network.

    Parameters
    ----------
    demo : Demo
        The demonstration.
    audit_file : str, optional
        The page of the audit, to be linked.
    """
    chosen = _told(demo)
    return template("demo.html").render(
        demo=demo,
        figures=[(name, picture(partial(_draw, demo, name))) for name in chosen],
        accuracies=picture(partial(_draw_accuracies, [*demo.trees, demo.clear]), size=(7, 2.6)),
        tree=picture(lambda ax: demo.tree.plot(ax, depth=3), size=(10, 6)),
        rules=[str(rule) for rule in demo.tree.rules()[:6]],
        audit_file=audit_file,
        version=version("scumble"),
    )


def _told(demo: Demo) -> Sequence[str]:
    """Return the attributes that the tree tests most, in their order."""
    shares = dict(zip(demo.tree.feature_names_in_, demo.tree.feature_importances_, strict=True))
    best = sorted(shares, key=lambda name: -shares[name])[:4]
    return [row.name for row in demo.attributes if row.name in best]


def _draw(demo: Demo, name: str, ax: "Axes") -> None:
    found = demo.audit[name].recovered
    assert found is not None
    found.plot(truth=demo.truth[name].to_numpy(), ax=ax)
    ax.set_xlabel(name, parse_math=False)


def _draw_accuracies(rows: Sequence[TreeRow], ax: "Axes") -> None:
    names = [row.method for row in rows]
    colours = [_BLUE if row.method == "likelihood" else _GREY for row in rows]
    drawn = ax.barh(names[::-1], [100 * row.accuracy for row in rows[::-1]], color=colours[::-1])
    ax.bar_label(drawn, fmt="%.1f %%", padding=3)
    ax.set_xlim(50, 105)
    ax.set_xlabel("people put right, in per cent; half would be right by chance")
