"""Distributions as pictures of text, for a terminal of 80 columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.reconstruction import Reconstruction
from scumble.schema import Cells, DayCells
from scumble.wording import one_line

WIDTH = 80
_BLOCKS = " ▁▂▃▄▅▆▇█"
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_ROWS = 18
_MOST = 20


def sketch(shares: Sequence[float] | NDArray[Any], *, width: int = 18) -> str:
    """Return a distribution as a line of text.

    Examples
    --------
    >>> sketch(np.array([1, 2, 4, 2]), width=4)
    '▂▄█▄'
    """
    heights = np.array([part.sum() for part in np.array_split(np.asarray(shares), width)])
    largest = heights.max() or 1
    return "".join(_BLOCKS[round(8 * max(0.0, height) / largest)] for height in heights)


def bars(labels: list[str], shares: list[float], *, width: int = WIDTH) -> str:
    """Return a line for each share: its label, a bar and the figure.

    Examples
    --------
    >>> print(bars(["no", "yes"], [0.75, 0.25], width=30))
     no ██████████████████   75.0%
    yes ██████               25.0%
    """
    left = max(map(len, labels), default=0)
    room = width - left - 9
    largest = max([*shares, 1e-12])
    lines = []
    for label, share in zip(labels, shares, strict=True):
        eighths = round(8 * room * max(0.0, share) / largest)
        full, rest = divmod(eighths, 8)
        drawn = "█" * full + (_EIGHTHS[rest] if rest else "")
        lines.append(f"{label:>{left}} {drawn:<{room}}{share:>8.1%}")
    return "\n".join(lines)


def reconstruction_text(found: Reconstruction, *, name: str) -> str:
    """Return a reconstruction as text of at most 80 columns: what it rests on, bars, averages.

    Examples
    --------
    >>> from scumble import Categorical, reconstruct
    >>> from scumble.mechanisms import Warner
    >>> smoker = Categorical(["no", "yes"], mechanism=Warner(keep=0.8))
    >>> print(reconstruction_text(reconstruct(["no"] * 7 + ["yes"] * 3, smoker), name="smoker"))
    smoker: 10 reports
     no ████████████████████████████████████████████████████████████████████   83.3%
    yes █████████████▋                                                         16.7%
    """
    missing = f", {found.missing:,} missing" if found.missing else ""
    head = f"{name}: {found.counts.total:,} reports{missing}"
    if isinstance(found.cells, Cells):
        labels, shares = _numeric_rows(found)
        ends = f"mean {_shown(found.mean)}, median {_shown(found.quantile(0.5).item())}"
        return "\n".join([head, bars(labels, shares), ends])
    values = [one_line(str(value), 30) for value in found.cells.values]
    pairs = list(zip(values, found.shares.tolist(), strict=True))
    if len(pairs) > _MOST:
        pairs = sorted(pairs, key=lambda pair: -pair[1])
        rest = sum(share for _, share in pairs[_MOST:])
        pairs = [*pairs[:_MOST], (f"{len(values) - _MOST} others", rest)]
    return "\n".join([head, bars([label for label, _ in pairs], [share for _, share in pairs])])


def _numeric_rows(found: Reconstruction) -> tuple[list[str], list[float]]:
    """Return the possible values, if they are few, or round intervals, with their shares."""
    cells = found.cells
    if cells.is_point.all() and len(cells) <= _MOST:
        return [_shown(v) for v in cells.shown(cells.lower).tolist()], found.shares.tolist()
    starts = _starts(cells)
    below = found._cdf(starts, side="left")
    below[0] = 0.0
    shares = np.diff(below, append=1.0)
    labels = [f"from {_shown(value)}" for value in cells.shown(starts).tolist()]
    return labels, shares.tolist()


def _starts(cells: Cells) -> NDArray[np.float64]:
    """Return where intervals begin: at round numbers, or dates that are equally far apart."""
    low, high = float(cells.edges[0]), float(cells.edges[-1])
    if isinstance(cells, DayCells):
        return np.linspace(low, high, _ROWS + 1)[:-1]
    rough = (high - low) / _ROWS
    unit = 10.0 ** np.floor(np.log10(rough))
    step = next(unit * times for times in (1, 2, 2.5, 5, 10) if unit * times >= rough * 0.999)
    inner = step * np.arange(np.floor(low / step) + 1, np.ceil(high / step - 1e-9))
    return np.append(low, inner)


def _shown(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)[:10]
    return f"{value:,.0f}" if value == round(value) and abs(value) < 1e12 else f"{value:,.5g}"
