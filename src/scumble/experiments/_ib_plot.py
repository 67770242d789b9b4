"""The similarity of trees after noise that a tree guides, drawn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scumble.experiments._ib_case import IbRow
from scumble.experiments._ib_summary import IbFigures
from scumble.experiments._ib_tables import IbTableName
from scumble.experiments._mrr_summary import mean_with_error

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LOOKS = {"recall": ("#0072B2", "o", 0.14), "soft_jaccard": ("#D55E00", "s", -0.14)}
_NAMES = {"recall": "recall of rules", "soft_jaccard": "soft Jaccard"}
_TITLES: dict[IbTableName, str] = {"boston": "Boston, 300", "breast cancer": "Wisconsin, 350"}


def plot_ib_similarity(rows: Sequence[IbRow]) -> "Figure":
    """Draw how much of the rules is left by each method, a panel for each data set.

    Bars are twice the standard errors of the means, over subsets; the dashed lines show what
    is left when a tenth of the records is left out.

    Parameters
    ----------
    rows : sequence of IbRow
        Of `ib_similarity`.

    Examples
    --------
    >>> from scumble.experiments import IbRow, plot_ib_similarity
    >>> row = IbRow("boston", "random", 1, 1, 0.72, 0.7, 0.92, 0.95, 0.75, True, 6, 7, 12, 0)
    >>> len(plot_ib_similarity([row]).axes)
    1
    """
    from matplotlib import pyplot

    found = IbFigures(rows)
    count = max(1, len(found.datasets))
    figure, axes = pyplot.subplots(
        1, count, figsize=(1.5 + 4.75 * count, 4.6), layout="constrained", squeeze=False
    )
    for ax, dataset in zip(axes[0], found.datasets, strict=False):
        _draw(ax, found, dataset)
    for ax in axes[0][1:]:
        ax.set_yticklabels([])
    figure.legend(
        *axes[0][0].get_legend_handles_labels(), loc="outside upper center", ncols=2, frameon=False
    )
    return figure


def _draw(ax: "Axes", found: IbFigures, dataset: IbTableName) -> None:
    methods = found.methods(dataset)
    for figure, (color, marker, shift) in _LOOKS.items():
        points = [mean_with_error(found.by_subset(dataset, method, figure)) for method in methods]
        ax.errorbar(
            [point.mean for point in points],
            [shift - place for place in range(len(methods))],
            xerr=[point.spread for point in points],
            color=color,
            marker=marker,
            linestyle="none",
            elinewidth=1.2,
            label=_NAMES[figure],
        )
        if "subsample" in methods:
            natural = found.of(dataset, "subsample", figure).mean
            ax.axvline(natural, color=color, linestyle="--", linewidth=1)
    ax.set_yticks([-place for place in range(len(methods))], methods)
    ax.set_xlim(0, 103)
    ax.set_xlabel("% of the records")
    ax.set_title(_TITLES[dataset], fontsize=11)
    ax.grid(axis="x", color="0.92")
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
