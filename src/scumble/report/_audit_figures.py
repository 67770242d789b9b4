"""The figures of an audit."""

from typing import TYPE_CHECKING, Any

import numpy as np

from scumble.audit import AttributeAudit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BLUE, _ORANGE = "#0072B2", "#D55E00"


def draw_recovered(own: AttributeAudit, truth: Any, ax: "Axes") -> None:
    """Draw the reported and the recovered distribution, and the true one where it is known."""
    assert own.recovered is not None
    own.recovered.plot(truth=truth, ax=ax)
    ax.set_xlabel(own.name, parse_math=False)


def draw_widths(own: AttributeAudit, ax: "Axes") -> None:
    """Draw how many records are known how closely: shares of records against widths."""
    assert own.posterior is not None
    widths, whole = own.posterior.widths, own.posterior.range_width
    assert widths is not None
    assert whole is not None
    order = np.argsort(widths.values)
    share = np.cumsum(widths.counts[order]) / max(1, widths.counts.sum())
    at = np.append(0, widths.values[order] / whole)
    ax.step(at, np.append(0, share), where="post", color=_BLUE)
    ax.axvspan(0, 0.05, color=_ORANGE, alpha=0.15, linewidth=0)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_xlabel("width of the interval that holds the truth with 95 %, of the range")
    ax.set_ylabel("share of records")


def draw_guesses(own: AttributeAudit, ax: "Axes") -> None:
    """Draw how surely the value of a category is guessed: shares of records."""
    assert own.posterior is not None
    guesses = own.posterior.guesses
    bins = np.linspace(0, 1, 21).tolist()
    ax.hist(guesses.values, bins=bins, weights=guesses.counts, color=_BLUE)
    ax.axvline(own.posterior.base_guess, color=_ORANGE, linestyle="--", label="without reports")
    ax.set_xlim(0, 1)
    ax.set_xlabel("probability of the best guess")
    ax.set_ylabel("records")
    ax.legend(frameon=False)
