"""A picture of true, reported and recovered."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scumble.engines import count_codes
from scumble.schema import Categorical, Cells, DayCells

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from scumble.reconstruction._result import Reconstruction

# Distinct for readers who do not see red and green (Okabe and Ito).
TRUE, REPORTED, RECOVERED = "#000000", "#E69F00", "#0072B2"


def plot_reconstruction(
    result: "Reconstruction", *, truth: ArrayLike | None = None, ax: "Axes | None" = None
) -> "Axes":
    """Draw the reported and the recovered distribution, and the true one if known."""
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.figure(figsize=(7, 4), layout="constrained").add_subplot()
    if isinstance(result.cells, Categorical):
        _plot_categories(result, truth, ax)
    else:
        _plot_numbers(result, truth, ax)
    ax.legend(frameon=False)
    return ax


def _plot_numbers(result: "Reconstruction", truth: ArrayLike | None, ax: "Axes") -> None:
    cells: Cells = result.cells
    width = float(np.median(np.diff(cells.edges)))
    scale = np.where(cells.is_point, width, cells.upper - cells.lower)
    along = cells.is_point if cells.is_point.all() else ~cells.is_point
    at = cells.middles[along]
    reported, reported_at = _reported_density(result, width)
    recovered = (result.shares / scale)[along]
    lower, upper = ((bound / scale)[along] for bound in result.band(of="shares"))
    ax.plot(reported_at, reported, color=REPORTED, linestyle="--", label="reported")
    ax.fill_between(at, lower, upper, color=RECOVERED, alpha=0.2, linewidth=0, label="95 % band")
    ax.plot(at, recovered, color=RECOVERED, label="recovered")
    top = max(float(reported.max()), float(recovered.max()))
    if truth is not None:
        counts = count_codes(cells.codes(cells.numbers(truth)), size=len(cells))
        true = (counts.cells / counts.total / scale)[along]
        ax.step(at, true, where="mid", color=TRUE, label="true")
        top = max(top, float(true.max()))
    # The lines set the scale: a wide band may leave the picture.
    ax.set_ylim(0, 1.4 * top)
    ax.set_ylabel("density")
    if isinstance(cells, DayCells):
        ax.xaxis_date()  # which counts the days since 1970-01-01, as we do
    else:
        ax.locator_params(axis="x", nbins=6)  # long numbers would run into each other
    for place in np.flatnonzero(~along):
        label = f"{result.shares[place]:.0%} at {cells.lower[place]:g}"
        ax.plot(
            [cells.lower[place]] * 2, [0, 1.25 * top], color=RECOVERED, marker="^", markevery=[1]
        )
        ax.annotate(label, (cells.lower[place], 1.3 * top), color=RECOVERED, ha="center")


def _reported_density(
    result: "Reconstruction", width: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    report = result.channel.report
    counts = result.counts.cells / result.counts.total
    assert isinstance(report, Cells)
    widths = np.where(report.is_point, width, report.upper - report.lower)
    shown = np.isfinite(widths)
    return (counts / widths)[shown], report.middles[shown]


def _plot_categories(result: "Reconstruction", truth: ArrayLike | None, ax: "Axes") -> None:
    values: Categorical = result.cells
    at = np.arange(len(values))
    bars = {"reported": (result.counts.cells / result.counts.total, REPORTED)}
    bars["recovered"] = (result.shares, RECOVERED)
    if truth is not None:
        counts = count_codes(values.conform(truth), size=len(values))
        bars = {"true": (counts.cells / counts.total, TRUE), **bars}
    width = 0.8 / len(bars)
    for place, (label, (heights, color)) in enumerate(bars.items()):
        offset = (place - (len(bars) - 1) / 2) * width
        ax.bar(at + offset, heights, width, color=color, label=label)
        if label == "recovered":
            lower, upper = result.band(of="shares")
            margin = np.vstack((heights - lower, upper - heights)).clip(min=0)
            ax.errorbar(at + offset, heights, margin, fmt="none", ecolor="black", capsize=2)
    ax.set_xticks(at, [str(value) for value in values.values])
    ax.set_ylabel("share")
