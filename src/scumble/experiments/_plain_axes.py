"""The look that the pictures share."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plain_axes(ax: "Axes") -> None:
    """Leave of the frame what helps to read values: two sides and faint lines across.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> plain_axes(ax)
    >>> ax.spines["top"].get_visible()
    False
    """
    ax.grid(axis="y", color="0.92")
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
