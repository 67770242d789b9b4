"""A plan as a picture: relevance against sensitivity."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from scumble.release._plan import Plan

_ROWS = ("withheld", "private", "public")
# Distinct for readers who do not see red and green (Okabe and Ito).
_COLOURS = {"remove": "#999999", "as it is": "#009E73"}
_TREATED = "#0072B2"


def plot_plan(plan: "Plan", *, ax: "Axes | None" = None) -> "Axes":
    """Draw each attribute at its relevance, in the lane of its sensitivity."""
    lanes = {kind: [row for row in plan if row.sensitivity == kind] for kind in _ROWS}
    lanes = {kind: rows for kind, rows in lanes.items() if rows}
    if ax is None:
        from matplotlib import pyplot

        height = 1.4 + 0.3 * len(plan.attributes)
        ax = pyplot.figure(figsize=(8, height), layout="constrained").add_subplot()
    place, ticks = 0, []
    most = max((row.relevance.of(plan.measure) for row in plan), default=0) or 1
    for rows in lanes.values():
        for row in sorted(rows, key=lambda row: row.relevance.of(plan.measure)):
            value = row.relevance.of(plan.measure)
            colour = _COLOURS.get(row.proposal, _TREATED)
            ax.barh(place, value, color=colour)
            beyond = plan.threshold if value < plan.threshold else value
            ax.text(beyond + 0.01 * most, place, row.proposal, va="center", fontsize=8)
            ticks.append((place, f"{row.name} ({row.sensitivity})"))
            place += 1
        ax.axhline(place - 0.5, color="#dddddd", linewidth=0.8)
    ax.axvline(plan.threshold, color="#D55E00", linestyle="--", label="relevant from here")
    ax.set_yticks([y for y, _ in ticks], [name for _, name in ticks], parse_math=False)
    ax.set_xlim(0, 1.25 * most)
    ax.set_xlabel(plan.measure.replace("_", " "))
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.legend(frameon=False, loc="lower right")
    return ax
