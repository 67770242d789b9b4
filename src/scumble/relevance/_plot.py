"""Relevances as a bar chart."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from scumble.relevance._result import Measure, Relevances

# Distinct for readers who do not see red and green (Okabe and Ito).
_BAR, _IDENTIFIER, _LINE = "#0072B2", "#999999", "#D55E00"
_LABELS = {
    "gain": "information gain (bits)",
    "corrected_gain": "information gain of the values without chance (bits)",
    "gain_ratio": "gain ratio",
    "gini_decrease": "decrease of the gini index",
    "symmetric_uncertainty": "symmetric uncertainty",
    "cramers_v": "Cramér's V",
    "correlation": "correlation with the class, without its sign",
}


def plot_relevances(
    found: "Relevances", *, measure: "Measure", threshold: float, ax: "Axes | None" = None
) -> "Axes":
    """Draw a bar for each attribute, most relevant on top, and a line at the threshold."""
    rows = found.ranked(measure=measure)
    if ax is None:
        from matplotlib import pyplot

        height = 1.2 + 0.3 * max(len(rows), 1)
        ax = pyplot.figure(figsize=(7, height), layout="constrained").add_subplot()
    for place, row in enumerate(rows):
        color, hatch = (_BAR, None) if row.identifier is None else (_IDENTIFIER, "//")
        ax.barh(place, row.of(measure), color=color, hatch=hatch)
    ax.axvline(threshold, color=_LINE, linestyle="--", label=f"threshold {threshold:g}")
    names = [f"{row.name} ({row.identifier})" if row.identifier else row.name for row in rows]
    # A name may hold a dollar sign, which would be read as a formula.
    ax.set_yticks(range(len(rows)), names, parse_math=False)
    ax.invert_yaxis()
    ax.set_xlabel(_LABELS[measure])
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.legend(frameon=False, loc="lower right")
    return ax
