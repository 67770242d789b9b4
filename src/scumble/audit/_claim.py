"""What a mechanism states of two truths: how far their reports may differ."""

import math
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scumble.schema import Categorical, Cells, CellSet, Domain, Mechanism

FloatArray = NDArray[np.float64]
_RATIOS = np.array([0.0, 0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0])
_MOST_CELLS = 2_000_000
# Channels are computed in floats: far below what any sample could show.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Claim:
    """P(event | one) <= e^x P(event | other) + delta for every event and each x.

    Parameters
    ----------
    ratios : array
        Some x. None where nothing is claimed.
    deltas : array
        What is claimed for each: the hockey-stick divergence of the two truths. An
        epsilon is the x from which on it is zero.
    """

    ratios: FloatArray
    deltas: FloatArray

    def __len__(self) -> int:
        return len(self.ratios)

    def excess(self, low: float, high: float) -> float:
        """Return by how much bounds of the two probabilities contradict the claim.

        The greatest log(low / (e^x high + delta)); above zero the claim cannot hold.
        """
        if not len(self) or not low:
            return -math.inf
        return float(np.max(np.log(low / (np.exp(self.ratios) * high + self.deltas))))


def claim_of(mechanism: Mechanism, domain: Domain, one: float, other: float) -> Claim:
    """Return what a mechanism claims of two truths.

    Its epsilon, and what its channel says of these very two: neighbouring truths have
    much in common also where epsilon is infinite.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import Warner
    >>> claim = claim_of(Warner(keep=0.75), Categorical(["no", "yes"]), 0, 1)
    >>> claim.ratios[[0, -1]].round(3).tolist(), claim.deltas[[0, -1]].round(3).tolist()
    ([0.0, 1.099], [0.5, 0.0])
    """
    epsilon = mechanism.epsilon_on(domain)
    rows = report_rows(mechanism, domain, one, other)
    ratios = deltas = np.empty(0)
    if rows is not None:
        ratios = _RATIOS[epsilon > _RATIOS]
        deltas = _divergences(*rows, ratios) + _ROUNDING
    if math.isfinite(epsilon):
        ratios, deltas = np.append(ratios, epsilon), np.append(deltas, 0.0)
    return Claim(ratios, deltas)


def _divergences(rows: FloatArray, unsure: float, ratios: FloatArray) -> FloatArray:
    one, other = rows
    sums = [np.maximum(one - factor * other, 0).sum() for factor in np.exp(ratios)]
    return np.array(sums) + unsure


def report_rows(
    mechanism: Mechanism, domain: Domain, one: float, other: float
) -> tuple[FloatArray, float] | None:
    """Return both rows of the channel, report by report, and what of the first is less exact.

    None where the channel is known on wider cells only, which hide differences.
    """
    if isinstance(domain, Categorical):
        return _category_rows(mechanism, domain, int(one), int(other)), 0.0
    swapped = one > other
    truths = Cells.points(sorted([one, other]))
    report = _finest(mechanism, domain, truths)
    if report is None:
        return None
    rows = mechanism.matrix(domain, truths, report)
    rows = rows[::-1] if swapped else rows
    if not isinstance(report, Cells):
        return rows, 0.0
    # Of a tail without end only the probability is known: all of it may tell.
    tails = np.isinf(report.lower) | np.isinf(report.upper)
    return rows[:, ~tails], float(rows[0, tails].sum())


def _category_rows(mechanism: Mechanism, domain: Categorical, one: int, other: int) -> FloatArray:
    mixture = mechanism.mixture(domain)
    if mixture is None:
        return mechanism.channel(domain).matrix[[one, other]]
    rows = np.tile(mixture[1], (2, 1))
    rows[[0, 1], [one, other]] += mixture[0]
    return rows


def _finest(mechanism: Mechanism, domain: Domain, truths: Cells) -> CellSet | None:
    """Return report cells of one possible report each; None where that cannot be said."""
    cells = mechanism.report_cells(domain, truths)
    if not isinstance(cells, Cells) or cells.is_point.all():
        return cells
    if not hasattr(mechanism, "grid_on"):
        return None
    grid = cast("float", mechanism.grid_on(domain))
    ends = cells.edges[np.isfinite(cells.edges)][[0, -1]]
    first, last = math.floor(ends[0] / grid), math.ceil(ends[1] / grid)
    if last - first > _MOST_CELLS:
        return None
    edges = (np.arange(first, last) + 0.5) * grid
    inner = (edges > ends[0] + grid / 4) & (edges < ends[1] - grid / 4)
    edges = np.concatenate((ends[:1], edges[inner], ends[1:]))
    if np.isinf(cells.lower[0]):
        edges = np.insert(edges, 0, -math.inf)
    if np.isinf(cells.upper[-1]):
        edges = np.append(edges, math.inf)
    return Cells.between(edges)
