"""What was attained and what can be: accuracy against privacy with the limit beside it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scumble.experiments._information_limit import LimitRow
from scumble.experiments._plain_axes import plain_axes
from scumble.experiments._tree_accuracy import ALGORITHMS, AlgorithmName, NoiseName, TreeRow
from scumble.experiments._tree_summary import Accuracies

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LOOKS: dict[NoiseName, tuple[str, str]] = {
    "gaussian": ("Gaussian", "#0072B2"),
    "uniform": ("uniform", "#E69F00"),
}
_MARKS = ("o", "^", "s", "X", "D", "v")


def plot_information_limit(
    rows: Sequence[TreeRow],
    limits: Sequence[LimitRow],
    *,
    algorithms: Sequence[AlgorithmName] | None = None,
) -> "Figure":
    """Draw accuracy against privacy with the limit beside it, a panel for each function.

    Parameters
    ----------
    rows : sequence of TreeRow
        What was attained. Bars show the spread over seeds.
    limits : sequence of LimitRow
        What can be; dashed. Their functions are the panels.
    algorithms : sequence of str, optional
        Which of the rows to draw; by default all but Original.
    """
    from matplotlib import pyplot

    found = Accuracies(rows)
    functions = sorted({limit.function for limit in limits})
    columns = min(3, len(functions))
    height = -(-len(functions) // columns)
    figure, axes = pyplot.subplots(
        height,
        columns,
        figsize=(3.6 * columns + 0.6, 3.2 * height + 0.6),
        layout="constrained",
        sharey=True,
        squeeze=False,
    )
    drawn = [a for a in ALGORITHMS if a != "Original"] if algorithms is None else list(algorithms)
    for function, ax in zip(functions, axes.flat, strict=False):
        _draw_panel(ax, function, found, limits, drawn)
    for ax in axes.flat[len(functions) :]:
        ax.remove()
    for ax in axes[:, 0]:
        ax.set_ylabel("accuracy, %")
    figure.legend(
        *axes[0, 0].get_legend_handles_labels(),
        loc="outside upper center",
        ncols=3,
        frameon=False,
    )
    return figure


def _draw_panel(
    ax: "Axes",
    function: int,
    found: Accuracies,
    limits: Sequence[LimitRow],
    algorithms: Sequence[AlgorithmName],
) -> None:
    for noise, (name, color) in _LOOKS.items():
        curve = sorted(
            (100 * limit.privacy, 100 * limit.limit)
            for limit in limits
            if (limit.function, limit.noise) == (function, noise)
        )
        ax.plot(*zip(*curve, strict=True), "--", color=color, label=f"limit, {name}")
        for algorithm, mark in zip(algorithms, _MARKS, strict=False):
            levels = [p for p in found.privacies if found.has((function, algorithm, noise, p))]
            points = [found.of(function, algorithm, noise, level) for level in levels]
            if points:
                ax.errorbar(
                    [100 * level for level in levels],
                    [point.mean for point in points],
                    [point.spread for point in points],
                    color=color,
                    marker=mark,
                    capsize=3,
                    label=f"{algorithm}, {name}",
                )
    ax.set_title(f"Function {function}", fontsize=11)
    ax.set_xlabel("privacy, %")
    plain_axes(ax)
