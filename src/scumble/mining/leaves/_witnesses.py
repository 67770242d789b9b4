"""Attributes beside the tree that tell of those in it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scumble.mining._screen import bins_of, g_squared
from scumble.population import CodedReports, Factor, Population, Single
from scumble.schema import Cells, CellSet

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
_BINS = 24
_MOST_CATEGORIES = 60
_INSIDE = 0.382
# What cells that nobody has are taken to tell: what all people do.
_LEAST = 1e-9


@dataclass(frozen=True, eq=False)
class Witness:
    """What a factor tells of an attribute that it is not a report of.

    A commission is no part of a rule, but tells of the salary, which is.

    Attributes
    ----------
    factor : int
        Its place among all factors.
    of : int
        The place of the factor of which it tells.
    bins : array of int
        The bin of each of its codes.
    cells : CellSet
        The cells of the attribute that it tells of.
    shares : array, (cells,)
        How many people are in each.
    given : array, (cells, bins)
        P(bin | cell).
    """

    factor: int
    of: int
    bins: IntArray
    cells: CellSet
    shares: FloatArray
    given: FloatArray

    def given_in(self, cells: CellSet) -> FloatArray:
        """Return P(bin | cell) for other cells of the attribute, which may be parts of these."""
        if not isinstance(cells, Cells):
            return self.given
        # Not the middle, where an atom may lie that has a row of its own.
        inside = cells.lower + _INSIDE * (cells.upper - cells.lower)
        return np.asarray(self.given[self.cells.codes(inside)])


def witnesses_of(reports: CodedReports, own: list[int], population: Population) -> list[Witness]:
    """Return what all other factors tell, each of that one on which it hangs most.

    Parameters
    ----------
    reports : CodedReports
        The reports of all attributes.
    own : list of int
        The factors of which the others tell. What hangs on a group that shares a coin, or on
        what is told as it is, is left out.
    population : Population
        Who says how the attributes hang together.
    """
    bins = [bins_of(column) for column in reports.codes.T]
    found = []
    for f in range(len(reports.factors)):
        size = int(bins[f].max()) + 1
        told = [g_squared(bins[g], bins[f], size) - int(bins[g].max()) * (size - 1) for g in own]
        of = own[int(np.argmax(told))]
        if f not in own and _may_be_helped(reports.factors[of]):
            found.append(_learned(reports, f, of, population))
    return found


def _may_be_helped(factor: Factor) -> bool:
    """Say whether a factor leaves anything to tell, and is not of too many categories."""
    if not isinstance(factor, Single):
        return False
    matrix = factor.channel.matrix
    clear = matrix.shape[0] == matrix.shape[1] and np.array_equal(matrix, np.eye(len(matrix)))
    few = isinstance(factor.channel.truth, Cells) or matrix.shape[1] <= _MOST_CATEGORIES
    return few and not clear


def _learned(reports: CodedReports, f: int, of: int, population: Population) -> Witness:
    codes = reports.codes[:, f]
    fine = bins_of(codes, most=_BINS)
    bins = np.zeros(reports.factors[f].size, dtype=np.int64)
    bins[codes] = fine
    # Codes that do not occur are like the last before them that does.
    bins = np.maximum.accumulate(bins)
    missing = float(np.mean(codes == 0))
    tables = (1 - missing) * reports.factors[f].tables(population.all_shares)
    tables[0] = missing
    by_bin = np.zeros((int(fine.max()) + 1, len(population)))
    np.add.at(by_bin, bins, tables)
    name = list(reports.attributes)[reports.factors[of].attributes[0]]
    place = list(population.attributes).index(name)
    behind = population.weights[:, None] * population.shares[place]
    given = (by_bin @ behind).T + _LEAST * (by_bin @ population.weights)
    given /= given.sum(axis=1, keepdims=True)
    return Witness(f, of, bins, population.cells[place], behind.sum(axis=0), given)
