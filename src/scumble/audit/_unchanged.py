"""How probable it is that a report is the truth itself."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scumble.schema import Cells, Channel, Domain, Mechanism, Numeric

FloatArray = NDArray[np.float64]


def unchanged_share(
    domain: Domain, mechanism: Mechanism, channel: Channel, shares: FloatArray
) -> float:
    """Return the probability that a report equals its truth, where truths have these shares.

    Numbers between others never equal their report exactly; points and atoms may.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import Warner
    >>> answer, coin = Categorical(["no", "yes"]), Warner(keep=0.8)
    >>> round(unchanged_share(answer, coin, coin.channel(answer), np.array([0.7, 0.3])), 6)
    0.8
    """
    if mechanism.name in ("identity", "withheld"):
        return float(mechanism.name == "identity")
    if channel.mixture is not None:
        kept, base = channel.mixture
        return float(shares @ (kept + base))
    if not isinstance(domain, Numeric):
        return float(shares @ np.diag(channel.matrix))
    cells = cast("Cells", channel.truth)
    at, weights = cells.lower[cells.is_point], shares[cells.is_point]
    return float(weights @ _told_exactly(domain, mechanism, channel, at))


def _told_exactly(
    domain: Numeric, mechanism: Mechanism, channel: Channel, at: FloatArray
) -> FloatArray:
    report = cast("Cells", channel.report)
    if report.is_point.all():
        codes = report.codes(at)
        rows = mechanism.matrix(domain, Cells.points(at), report) if len(at) else np.empty((0, 1))
        return np.where(codes >= 0, rows[np.arange(len(at)), codes], 0.0)
    grid = getattr(mechanism, "grid_on", None)
    if grid is None:
        return np.zeros(len(at))
    return np.array([_on_grid(domain, mechanism, truth, grid(domain)) for truth in at])


def _on_grid(domain: Numeric, mechanism: Mechanism, truth: Any, grid: float) -> float:
    """Return how often a report is rounded to the truth; never where that is off the grid."""
    steps = truth / grid
    if abs(steps - round(steps)) > 1e-6:
        return 0.0
    around = Cells.between([truth - grid / 2, truth + grid / 2])
    return float(mechanism.matrix(domain, Cells.points([truth]), around)[0, 0])
