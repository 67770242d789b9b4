"""Figures 3 to 6 of the multi-group paper: accuracy against the coin, for one to three groups."""

import os
from collections.abc import Callable, Sequence
from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np

from scumble.experiments._mrr_accuracy import mrr_accuracy
from scumble.experiments._mrr_case import (
    MRR_KEEPS,
    MrrMethod,
    MrrRow,
    groups_as_text,
    mrr_cases,
)
from scumble.experiments._mrr_summary import MrrAccuracies, MrrPoint
from scumble.experiments._mrr_tables import BINARY_TABLES, BinaryTableName
from scumble.experiments._plain_axes import plain_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_METHODS: tuple[MrrMethod, ...] = (
    "clean",
    "inversion",
    "significance",
    "uncorrected",
    "uncorrected-pruned",
)
# Distinct for readers who do not see red and green (Okabe and Ito), and by shape.
_LOOKS = (("#0072B2", "o"), ("#E69F00", "s"), ("#D55E00", "^"), ("#009E73", "v"), ("#CC79A7", "D"))
_NAMES: dict[MrrMethod, str] = {
    "clean": "ID3 on truths",
    "inversion": "corrected, as published",
    "significance": "corrected, significant splits",
    "uncorrected": "uncorrected, the same tree",
    "uncorrected-pruned": "uncorrected, pruned",
    "naive-bayes": "naive Bayes",
    "likelihood": "by likelihood",
}


def mrr_figures(
    *,
    datasets: Sequence[BinaryTableName] = BINARY_TABLES,
    methods: Sequence[MrrMethod] = _METHODS,
    groups: Sequence[int] = (1, 2, 3),
    keeps: Sequence[float] = MRR_KEEPS,
    seeds: Sequence[int] = tuple(range(1, 51)),
    resume: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> list[MrrRow]:
    """Return the accuracies of Figures 3 (Adult), 4 (breast cancer), 5 (votes) and 6 (Adult).

    Parameters
    ----------
    datasets : sequence of {"adult", "breast cancer", "votes"}
        Which `binary_table`.
    methods : sequence of str
        Which of `MRR_METHODS`: ID3 on truths, the published tree, the same kept to
        significant splits, and reports taken for truths, by the same tree and by a pruned
        one. Also "naive-bayes", from pairs, and "likelihood", which takes 4 to 40 seconds a
        tree: ask for it with few seeds.
    groups : sequence of int
        The schemes: how many groups.
    keeps : sequence of float
        The probabilities of telling the truth.
    seeds : sequence of int
        One repeat each; 50 in the paper.
    resume, progress
        As for `mrr_accuracy`.

    Examples
    --------
    >>> from scumble.experiments import mrr_figures
    >>> mrr_figures(datasets=[])
    []

    Notes
    -----
    The scan of the paper lost digits of the 13 coins: "1, 2, , , 5, bl, b5 6, T, , , and 1"
    are read as 0.1, 0.2, 0.3, 0.4, 0.45, 0.51, 0.55, 0.6, 0.7, 0.8, 0.9 and 1, and 0, of
    which the text speaks, as the first. So 0.51 is there and 0.49 is not; by symmetry it
    would be the same. At 0.5 a reversed answer tells nothing.

    Another split into 70 % and 30 % in each repeat; the paper divides once, in parts
    that it does not state. So its variances are 0 at coins of 0 and 1, where ours are
    those of the split.
    """
    cases = mrr_cases(datasets=datasets, methods=methods, groups=groups, keeps=keeps, seeds=seeds)
    return mrr_accuracy(cases, resume=resume, progress=progress)


def plot_mrr_figure(
    rows: Sequence[MrrRow],
    dataset: BinaryTableName,
    *,
    corrected: MrrMethod = "inversion",
    uncorrected: MrrMethod = "uncorrected-pruned",
) -> "Figure":
    """Draw the mean and the variance of the accuracy against the coin, for one data set.

    Parameters
    ----------
    rows : sequence of MrrRow
        Of the figures; those of other data sets are left out.
    dataset : {"adult", "breast cancer", "votes"}
        Figure 3, 4 or 5.
    corrected, uncorrected : str
        Which methods to draw, in full and dotted lines.
    """
    from matplotlib import pyplot

    found = MrrAccuracies([row for row in rows if row.dataset == dataset])
    figure, (means, variances) = pyplot.subplots(
        1, 2, figsize=(11, 4.6), layout="constrained", sharex=True
    )
    for ax, value in (
        (means, lambda point: found.of(*point).mean),
        (variances, lambda point: found.variance(*point)),
    ):
        _draw_panel(ax, found, dataset, (corrected, uncorrected), value)
    means.set_title(f"Mean, {dataset}", fontsize=11)
    means.set_ylabel("accuracy, %")
    variances.set_title(f"Variance, {dataset}", fontsize=11)
    variances.set_ylabel("variance of the accuracy over repeats")
    # Those of one group and of three differ by a hundred times.
    variances.set_yscale("log")
    figure.legend(
        *means.get_legend_handles_labels(),
        loc="outside upper center",
        # A column for each number of groups, the two methods one below the other.
        ncols=len(found.groups) + 1,
        frameon=False,
    )
    return figure


def _draw_panel(
    ax: "Axes",
    found: MrrAccuracies,
    dataset: BinaryTableName,
    methods: tuple[MrrMethod, MrrMethod],
    value: Callable[[MrrPoint], float],
) -> None:
    for groups, (color, marker) in zip(found.groups, cycle(_LOOKS), strict=False):
        for method, style, filled in zip(methods, ("-", ":"), (True, False), strict=True):
            points: list[MrrPoint] = [(dataset, method, groups, keep) for keep in found.keeps]
            if not found.has(*points):
                continue
            ax.plot(
                *_with_a_gap(found.keeps, [value(point) for point in points]),
                color=color,
                linestyle=style,
                linewidth=2 if filled else 1.5,
                marker=marker,
                markersize=6 if filled else 5,
                markerfacecolor=color if filled else "white",
                label=f"{_NAMES[method]}, {groups_as_text(groups)}",
            )
    clean: MrrPoint = (dataset, "clean", 0, 1.0)
    if found.has(clean):
        ax.axhline(value(clean), color="black", linewidth=1.2, label=_NAMES["clean"])
    ax.set_xticks(np.linspace(0, 1, 11))
    ax.set_xlabel("probability of telling the truth")
    plain_axes(ax)


def _with_a_gap(keeps: Sequence[float], values: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return a curve that is broken at a half, where there is no tree."""
    place = sum(keep < 0.5 for keep in keeps)
    return (
        [*keeps[:place], 0.5, *keeps[place:]],
        [*values[:place], float("nan"), *values[place:]],
    )


def plot_mrr_figure_6(
    rows: Sequence[MrrRow],
    *,
    dataset: BinaryTableName = "adult",
    method: MrrMethod = "inversion",
) -> "Figure":
    """Draw the mean accuracy by the number of groups and the coin, as a map of numbers.

    Parameters
    ----------
    rows : sequence of MrrRow
        Of the figures.
    dataset : {"adult", "breast cancer", "votes"}
        The paper has Adult.
    method : str
        Which method.

    Notes
    -----
    The paper draws a surface, of which half hides the other half.
    """
    from matplotlib import pyplot

    found = MrrAccuracies([r for r in rows if r.dataset == dataset and r.method == method])
    means = np.array(
        [
            [found.of(dataset, method, groups, keep).mean for keep in found.keeps]
            for groups in found.groups
        ]
    )
    figure, ax = pyplot.subplots(figsize=(11, 1.4 + 0.6 * len(found.groups)), layout="constrained")
    image = ax.imshow(means, aspect="auto", cmap="cividis")
    middle = (means.min() + means.max()) / 2
    for (y, x), mean in np.ndenumerate(means):
        ink = "black" if mean > middle else "white"
        ax.text(x, y, f"{mean:.1f}", ha="center", va="center", color=ink)
    ax.set_xticks(range(len(found.keeps)), [f"{keep:g}" for keep in found.keeps])
    ax.set_yticks(range(len(found.groups)), [groups_as_text(groups) for groups in found.groups])
    ax.set_xlabel("probability of telling the truth")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    figure.colorbar(image, ax=ax, label="accuracy, %", pad=0.01)
    return figure
