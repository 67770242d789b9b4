"""Figure 5 of Agrawal and Srikant: five algorithms on five functions."""

import os
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from scumble.experiments._claims import (
    CLOSE,
    Claim,
    beats,
    comparable_after_correction,
    near_original,
    uniform_hurts_more,
)
from scumble.experiments._plain_axes import plain_axes
from scumble.experiments._tree_accuracy import (
    PUBLISHED,
    AlgorithmName,
    NoiseName,
    TreeRow,
    percent,
    tree_accuracy,
    tree_cases,
)
from scumble.experiments._tree_summary import Accuracies, Case
from scumble.mining import DisguisedTreeClassifier

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FUNCTIONS = (1, 2, 3, 4, 5)
_PRIVACIES = (0.25, 1.0)
_LOW, _HIGH = _PRIVACIES
_NOISES: tuple[NoiseName, ...] = ("gaussian", "uniform")
# How many points below Original the paper's corrected trees lie at most, at 100 %.
_BOUNDS = {1: 5.0, 2: 15.0, 3: 15.0, 4: 5.0, 5: 5.0}
# Distinct for readers who do not see red and green (Okabe and Ito), and by shape.
_LOOKS: dict[AlgorithmName, tuple[str, str]] = {
    "Local": ("#56B4E9", "^"),
    "ByClass": ("#0072B2", "o"),
    "Global": ("#009E73", "s"),
    "Randomized": ("#D55E00", "X"),
}


def as_figure_5(
    *,
    functions: Sequence[int] = _FUNCTIONS,
    tree: DisguisedTreeClassifier | None = None,
    seeds: Sequence[int] = (1, 2, 3),
    n: int = 100_000,
    resume: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> list[TreeRow]:
    """Return the accuracies of Figure 5: both noises, 25 % and 100 % privacy.

    Parameters
    ----------
    functions : sequence of int
        The Quest functions.
    tree : DisguisedTreeClassifier, optional
        The settings of every tree; by default the defaults, which are not the paper's.
    seeds : sequence of int
        One run each; the paper averages ten.
    n : int
        The number of training records, half of each class.
    resume, progress
        As for `tree_accuracy`.

    Examples
    --------
    >>> from scumble.experiments import as_figure_5
    >>> rows = as_figure_5(functions=[1], seeds=[1], n=1000)
    >>> len(rows), rows[0].label
    (17, 'F1, Original')

    Notes
    -----
    5,000 undisguised test records, half of each class. All nine attributes are
    disguised, the whole numbers among them as numbers; privacy is at 95 % confidence.
    """
    cases = tree_cases(
        functions=functions, algorithms=PUBLISHED, privacies=_PRIVACIES, seeds=seeds, n=n
    )
    return tree_accuracy(cases, tree=tree, resume=resume, progress=progress)


def as_figure_5_claims(rows: Sequence[TreeRow]) -> list[Claim]:
    """Return what the paper says of Figure 5, each claim beside our figure.

    Parameters
    ----------
    rows : sequence of TreeRow
        Of the figure, or of some of its functions: the claims are made for these.

    Examples
    --------
    >>> from scumble.experiments import TreeRow, as_figure_5_claims
    >>> rows = [TreeRow(4, "Original", None, 0.0, 1, 1000, 0.98, 9, 0.1),
    ...     TreeRow(4, "ByClass", "uniform", 1.0, 1, 1000, 0.92, 9, 0.1)]
    >>> print(*as_figure_5_claims(rows))
    does not hold on a single seed: function 4: corrected trees come near Original at 100 %
    (paper: at most 5 points; ours: 6.0 points, ByClass, uniform, 100 %)
    """
    found = Accuracies(rows)
    near = f"very close, read as {CLOSE:g} points"
    return [
        *near_original(found, [_LOW], bounds={}, paper=near),
        *near_original(found, [_HIGH], bounds=_BOUNDS),
        *beats(found, ["ByClass", "Local"], "Global", privacy=_HIGH),
        *beats(found, ["Global"], "Randomized", privacy=_HIGH),
        *beats(found, ["ByClass", "Local"], "Randomized", privacy=_HIGH),
        *_local_ahead(found),
        *uniform_hurts_more(found, [_HIGH]),
        *comparable_after_correction(found, [_HIGH]),
        *_original_stuck(found),
    ]


def _local_ahead(found: Accuracies) -> Iterator[Claim]:
    """Yield the claim that reconstructing at each node is worth a little."""
    pairs: list[tuple[Case, Case]] = [
        ((function, "Local", noise, _HIGH), (function, "ByClass", noise, _HIGH))
        for function, noise in product(found.functions, _NOISES)
    ]
    if all(found.has(*pair) for pair in pairs):
        lead = found.mean_between(pairs)
        yield Claim.by(
            min(lead.mean, CLOSE - lead.mean),
            statement="Local is a little more accurate than ByClass",
            paper=f"marginally, read as 0 to {CLOSE:g} points",
            ours=lead,
            where=f"mean over functions and noises, {percent(_HIGH)}",
        )


def _original_stuck(found: Accuracies) -> Iterator[Claim]:
    """Yield the claim on the function whose classes hide an exclusive or."""
    original: Case = (2, "Original", None, 0.0)
    cases: list[Case] = [(2, "ByClass", noise, _LOW) for noise in _NOISES]
    if found.has(original, *cases):
        best = max(cases, key=lambda case: found.of(*case).mean)
        lead = found.between(original, best)
        yield Claim.by(
            -lead.mean,
            statement="function 2: Original stops at a hidden exclusive or, noise helps past it",
            paper="Original less accurate than ByClass at 25 %",
            ours=lead,
            where=f"Original less ByClass, {best[2]}, 25 %",
        )


def plot_as_figure_5(rows: Sequence[TreeRow]) -> "Figure":
    """Draw the accuracies: a panel for each privacy and noise, the functions side by side.

    Parameters
    ----------
    rows : sequence of TreeRow
        Of the figure, or of some of its functions. Bars show the spread over seeds.
    """
    from matplotlib import pyplot

    found = Accuracies(rows)
    figure, axes = pyplot.subplots(
        2,
        2,
        figsize=(10, 7.5),
        layout="constrained",
        sharex=True,
        sharey="row",
        height_ratios=(2, 3),
    )
    for (privacy, noise), ax in zip(product(_PRIVACIES, _NOISES), axes.flat, strict=True):
        _draw_panel(ax, found, noise, privacy)
        ax.set_title(f"{noise.capitalize()} noise, {percent(privacy)} privacy", fontsize=11)
    # With little noise all lie close together: that row has a scale of its own.
    axes[0, 0].set_ylabel("accuracy, % (enlarged)")
    axes[1, 0].set_ylabel("accuracy, %")
    figure.legend(
        *axes[0, 0].get_legend_handles_labels(),
        loc="outside upper center",
        ncols=len(PUBLISHED),
        frameon=False,
    )
    return figure


def _draw_panel(ax: "Axes", found: Accuracies, noise: NoiseName, privacy: float) -> None:
    places = range(len(found.functions))
    originals = [found.of(function, "Original", None, 0.0).mean for function in found.functions]
    # Original spans its function: it is what the others are measured by.
    ax.hlines(
        originals,
        [place - 0.4 for place in places],
        [place + 0.4 for place in places],
        color="black",
        label="Original",
    )
    for number, (algorithm, (color, marker)) in enumerate(_LOOKS.items()):
        points = [found.of(function, algorithm, noise, privacy) for function in found.functions]
        ax.errorbar(
            [place + (number - 1.5) * 0.19 for place in places],
            [point.mean for point in points],
            [point.spread for point in points],
            fmt=marker,
            color=color,
            markersize=8,
            capsize=3,
            label=algorithm,
        )
    for place in places[1:]:
        ax.axvline(place - 0.5, color="0.9", linewidth=1, zorder=0)
    ax.set_xticks(places, [f"function {function}" for function in found.functions])
    ax.tick_params(axis="x", length=0)
    plain_axes(ax)
