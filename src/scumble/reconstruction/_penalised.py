"""The default for numbers: an evidence-weighted average of penalised fits."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from scumble.errors import ReconstructionError
from scumble.reconstruction._average import averaged, posterior, scores
from scumble.reconstruction._bayes import Bayes
from scumble.reconstruction._climb import Member, Problem
from scumble.reconstruction._em import EMS, Observed
from scumble.reconstruction._fit import Fit
from scumble.reconstruction._members import end_members, plain_members
from scumble.reconstruction._posterior import PosteriorBand
from scumble.reconstruction._roughness import Mask
from scumble.schema import Cells, Channel

FloatArray = NDArray[np.float64]
_BAND_POWER = 0.5
_COUNTS = 0.01  # the weight from which on a fit must have come to rest
_REFERENCE_STEPS = 300


@dataclass(frozen=True, kw_only=True)
class Penalised:
    """An average over how smooth the truth may be, weighted by the evidence.

    The log density on the truth cells is fitted by penalised maximum likelihood under
    some seventy priors: Gaussian and Cauchy differences of order 1 to 3, their limits
    (uniform, exponential, bell), the same with a power law or with mass at both ends,
    Beta, gamma and lognormal laws, and mixtures of up to three bells. Each fit counts by
    how probable it makes the counts. Deterministic; it sees counts alone.

    Notes
    -----
    docs/reconstruction.md explains the method, the measurement behind it, and where
    it loses.
    """

    name: ClassVar[str] = "penalised"

    def fit(self, counts: FloatArray, channel: Channel) -> Fit:
        """Return the shares of the truth cells."""
        if not isinstance(channel.truth, Cells):
            raise ReconstructionError(
                "method: 'penalised' needs a numeric attribute; use 'likelihood' for categories"
            )
        cells = channel.truth
        possible = channel.matrix.max(axis=0) > 0
        seen, rows = counts[possible], channel.matrix[:, possible]
        grid = _regular(cells)
        members = plain_members(Problem(seen, rows, _log_widths(cells)), grid)
        ends = _ends(channel)
        if ends is not None:
            tall = np.vstack((rows, ends[:, possible]))
            widths = np.append(_log_widths(cells), [0.0, 0.0])
            members += end_members(Problem(seen, tall, widths), np.append(grid, [False, False]))
        return _fit(members, counts, channel, fold=_fold(grid))


def _fit(members: list[Member], counts: FloatArray, channel: Channel, *, fold: FloatArray) -> Fit:
    size = len(channel.truth)
    candidates = np.array([m.shares if len(m.shares) == size else fold @ m.shares for m in members])
    shares = averaged(
        scores(members),
        candidates,
        published=Bayes(most=_REFERENCE_STEPS).fit(counts, channel).shares,
        smoothed=EMS(most=_REFERENCE_STEPS).fit(counts, channel).shares,
        observed=Observed(counts, channel.matrix),
    )
    weights = posterior(scores(members), power=_BAND_POWER)
    return Fit(
        shares,
        iterations=sum(member.steps for member in members),
        converged=all(m.settled for m, w in zip(members, weights, strict=True) if w > _COUNTS),
        uncertainty=PosteriorBand(shares, members, weights, float(counts.sum()), fold),
    )


def _regular(cells: Cells) -> Mask:
    """Return which cells lie along the grid: intervals, or points where there is nothing else."""
    return ~cells.is_point if (~cells.is_point).any() else cells.is_point


def _log_widths(cells: Cells) -> FloatArray:
    """Return the logarithms of the widths of intervals, relative to their mean; 0 for points."""
    widths = np.where(cells.is_point, np.nan, cells.upper - cells.lower)
    if cells.is_point.all():
        return np.zeros(len(cells))
    return np.asarray(np.nan_to_num(np.log(widths / np.nanmean(widths))))


def _ends(channel: Channel) -> FloatArray | None:
    """Return the channel of points at both ends, where they may hold mass unseen."""
    cells = channel.truth
    assert isinstance(cells, Cells)
    ends = cells.edges[[0, -1]]
    declared = np.isin(ends, cells.lower[cells.is_point]).any()
    if declared or (~cells.is_point).sum() < 4:
        return None
    return channel.rows(Cells.points(ends))


def _fold(grid: Mask) -> FloatArray:
    """Return the matrix that adds two further truths to the first and last of the grid."""
    regular = np.flatnonzero(grid)
    fold = np.zeros((len(grid), len(grid) + 2))
    np.fill_diagonal(fold, 1.0)
    fold[regular[0], -2] = fold[regular[-1], -1] = 1.0
    return fold
