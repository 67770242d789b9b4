"""The privacy-accuracy frontier as a picture."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scumble.audit._frontier import FrontierRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOUR = "#0072B2"


def plot_frontier(rows: Sequence[FrontierRow], *, ax: "Axes | None" = None) -> "Axes":
    """Draw accuracy against privacy, so that a person can choose.

    Privacy is the 95 % interval where there are numbers, else the factor of the noise; each
    level is marked with its epsilon where that is finite.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> row = FrontierRow(factor=1.0, interval=0.5, epsilon=2.0, accuracy=0.9, spread=0.01,
    ...     accuracies=(0.89, 0.91))
    >>> plot_frontier([row], ax=Figure().add_subplot()).get_ylabel()
    'accuracy on test records'
    """
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.figure(figsize=(7, 4), layout="constrained").add_subplot()
    numbers = any(row.interval is not None for row in rows)
    at = [(row.interval or 0.0) * 100 if numbers else row.factor for row in rows]
    ax.errorbar(
        at,
        [row.accuracy for row in rows],
        [row.spread for row in rows],
        color=_COLOUR,
        marker="o",
        capsize=3,
    )
    for place, row in zip(at, rows, strict=True):
        if math.isfinite(row.epsilon):
            label = f"epsilon {row.epsilon:.3g}"
            ax.annotate(label, (place, row.accuracy), (4, 6), textcoords="offset points")
    ax.set_xlabel("interval at 95 %, % of the range" if numbers else "noise, as a factor")
    ax.set_ylabel("accuracy on test records")
    ax.grid(axis="y", color="0.92")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax
