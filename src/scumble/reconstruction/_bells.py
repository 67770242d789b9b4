"""Mixtures of a few bells: no sum of shapes makes their log density."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scumble.reconstruction._climb import Climb, Member, Place, Problem
from scumble.reconstruction._laws import places
from scumble.reconstruction._roughness import GaussianPrior, Mask

FloatArray = NDArray[np.float64]

# Prior means and spreads of the middle of a bell, of its log width, the domain being 0 to 1, and
# of its log weight; and the spread of the log densities of atoms.
_MEAN = np.array([[0.5], [np.log(0.2)], [0.0]])
_SPREAD = np.array([[0.4], [0.9], [1.0]])
_ATOM_SPREAD = 10.0
# A mixture starts from one bell for each part of a rougher fit, which is cut at these levels, or
# from a smaller mixture, a bell of which becomes two in the same place, of these relative widths.
_CUTS: tuple[tuple[float, ...], ...] = ((), (0.2,), (0.15, 0.85))
_NARROW, _WIDE = 0.4, 1.6
_MOST_STEPS = 60  # few coefficients: a step costs little


def bell_members(problem: Problem, grid: Mask, guess: FloatArray) -> Iterator[Member]:
    """Return the best mixture of each number of bells, up to the first that is one too many.

    Parameters
    ----------
    problem : Problem
        The counts and the channel.
    grid : array of bool
        Which truths lie along the grid; the others are atoms.
    guess : array
        Shares of the truths, from which the climbs start along the grid; atoms start alike.
    """
    atoms, starts, last = np.zeros((~grid).sum()), list[FloatArray](), -np.inf
    for count, levels in enumerate(_CUTS, start=1):
        prior = GaussianPrior.flat(3 * count + len(atoms), ridge=1.0)
        climb = BellClimb(problem, prior, grid=grid)
        starts.append(_parts(guess[grid], levels))
        fits = [
            climb.member(np.append(start, atoms), family="bells", roughness=0.0) for start in starts
        ]
        best = max(fits, key=lambda member: (member.settled, member.evidence))
        yield best
        if best.evidence < last:
            break
        starts, last = _splits(best.coefficients[: 3 * count]), best.evidence


@dataclass(frozen=True, eq=False, kw_only=True)
class BellClimb(Climb):
    """The way to a mixture of bells.

    The coefficients are the middles, log widths and log weights of the bells, and the
    log densities of atoms, each measured from its prior mean in its prior spread.
    """

    grid: Mask

    @property
    def _allowance(self) -> int:
        return _MOST_STEPS

    def _spanned(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        atoms = np.flatnonzero(~self.grid)
        own = len(at) - len(atoms)
        log_density = np.zeros(len(self.grid))
        basis = np.zeros((len(self.grid), len(at)))
        log_density[self.grid], basis[self.grid, :own] = mixture(at[:own], int(self.grid.sum()))
        log_density[atoms] = _ATOM_SPREAD * at[own:]
        basis[atoms, own + np.arange(len(atoms))] = _ATOM_SPREAD
        return log_density, basis

    def _stretch(self, place: Place, move: FloatArray) -> float:
        # Far from a narrow bell the log density moves by hundreds, where nothing hangs on it.
        return float(np.abs(move).max())


def mixture(at: FloatArray, cells: int) -> tuple[FloatArray, FloatArray]:
    """Return the log density of a mixture, and how it moves with each coefficient."""
    middles, log_widths, log_weights = _MEAN + _SPREAD * at.reshape(3, -1)
    away, square = places(cells)[:, None] - middles, np.exp(2 * log_widths)
    # The mean of a bell over a cell is nearly a bell that is wider by the cell's variance.
    variance = square + 1 / (12 * cells**2)
    bells = _log_shares(-0.5 * away**2 / variance)
    mass = _log_shares(log_weights)
    total = np.logaddexp.reduce(bells + mass, axis=1)
    belongs = np.exp(bells + mass - total[:, None])

    def moves(slope: FloatArray) -> FloatArray:
        """Return what a slope of the bells, not normalised, makes of the whole."""
        return np.asarray(belongs * (slope - (np.exp(bells) * slope).sum(axis=0)))

    along, across = moves(away / variance), moves(square * (away / variance) ** 2)
    basis = np.hstack((along, across, belongs - np.exp(mass))) * np.repeat(_SPREAD, len(middles))
    return total + np.log(cells), basis


def _log_shares(logs: FloatArray) -> FloatArray:
    return np.asarray(logs - np.logaddexp.reduce(logs, axis=0))


def _parts(shares: FloatArray, levels: Sequence[float]) -> FloatArray:
    """Return a bell for each part of some shares, cut where their sum reaches the levels."""
    at, ends = places(len(shares)), np.append(0.0, np.cumsum(shares) / shares.sum())
    bells = []
    for low, high in pairwise((0.0, *levels, 1.0)):
        part = np.diff(ends.clip(low, high)) / (high - low)
        middle = part @ at
        width = np.sqrt(np.maximum(part @ (at - middle) ** 2, 1 / len(shares) ** 2))
        bells.append((middle, np.log(width), np.log(high - low)))
    return _coefficients(np.array(bells).T)


def _splits(at: FloatArray) -> list[FloatArray]:
    """Return for each bell of a mixture the one in which it is two: a narrow and a wide one."""
    bells = _MEAN + _SPREAD * at.reshape(3, -1)
    twins = np.array([[0.0, 0.0], np.log([_NARROW, _WIDE]), np.log([0.5, 0.5])])
    return [
        _coefficients(np.hstack((np.delete(bells, each, axis=1), bells[:, [each]] + twins)))
        for each in range(bells.shape[1])
    ]


def _coefficients(bells: FloatArray) -> FloatArray:
    return np.asarray((bells - _MEAN) / _SPREAD).ravel()
