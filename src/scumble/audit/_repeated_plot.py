"""A picture of what asking again and again tells."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scumble.audit._repeated import RepeatedResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Distinct for readers who do not see red and green (Okabe and Ito), and by shape.
_LOOKS = {False: ("#D55E00", "o", "fresh noise"), True: ("#0072B2", "s", "fixed per person")}


def plot_repeated_queries(results: Sequence[RepeatedResult]) -> "Figure":
    """Draw the rate of success against how often each person was asked.

    Parameters
    ----------
    results : sequence of RepeatedResult
        Of fresh noise, fixed noise, or both, of one attribute.

    Examples
    --------
    >>> from scumble.audit import RepeatedResult, plot_repeated_queries
    >>> asked = [RepeatedResult(attack="a", attribute="age", success=0.3 * k, base=0.1, low=0.2 * k,
    ...     high=0.4 * k, records=10, explanation="A.", times=k, fixed=False) for k in (1, 2)]
    >>> figure = plot_repeated_queries(asked)
    >>> figure.axes[0].get_xlabel()
    'how often each person is asked'
    """
    from matplotlib import pyplot

    figure, ax = pyplot.subplots(figsize=(7, 4), layout="constrained")
    for fixed, (color, marker, label) in _LOOKS.items():
        own = sorted((r for r in results if r.fixed == fixed), key=lambda result: result.times)
        if own:
            at = [result.times for result in own]
            ax.plot(at, [100 * r.success for r in own], color=color, marker=marker, label=label)
            low, high = ([100 * getattr(r, end) for r in own] for end in ("low", "high"))
            ax.fill_between(at, low, high, color=color, alpha=0.2, linewidth=0)
    if results:
        ax.axhline(100 * results[0].base, color="black", linestyle=":", label="without reports")
        ax.set_title(results[0].attribute or "", fontsize=11)
    ax.set_xscale("log")
    ax.set_ylim(0, 102)
    ax.set_xlabel("how often each person is asked")
    ax.set_ylabel("values guessed, %")
    ax.grid(axis="y", color="0.92")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False)
    return figure
