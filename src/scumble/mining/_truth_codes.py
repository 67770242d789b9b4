"""Truths as the cells of a population, and back."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scumble.mining._training import truth_column
from scumble.population import Population
from scumble.schema import Cells, CellSet
from scumble.tables import Table

FloatArray = NDArray[np.float64]
_BLOCK = 1 << 16


def truth_codes(table: Table, population: Population) -> Iterator[NDArray[np.uint16]]:
    """Yield the cells of truths as a population has them, from 1 on, block by block."""
    for start in range(0, len(table), _BLOCK):
        part = table.rows(start, start + _BLOCK)
        columns = [
            _codes(truth_column(part, name, attribute), cells)
            for (name, attribute), cells in zip(
                population.attributes.items(), population.cells, strict=True
            )
        ]
        yield np.column_stack(columns)


def values_of_codes(
    codes: NDArray[np.uint16], population: Population, names: Sequence[str] | None = None
) -> FloatArray:
    """Return what stands for each cell: the middle of an interval, the place of a category.

    Parameters
    ----------
    codes : array of uint16, (records, attributes)
        The cell of each truth, from 1 on; 0 is missing.
    population : Population
        Whose cells they are.
    names : sequence of str, optional
        The columns that a tree takes; those that the population does not know are missing.
        By default its own.
    """
    names = list(population.attributes) if names is None else names
    found = np.full((len(codes), len(names)), np.nan)
    for name, cells, own in zip(population.attributes, population.cells, codes.T, strict=True):
        middles = cells.middles if isinstance(cells, Cells) else np.arange(len(cells))
        found[:, names.index(name)] = np.append(np.nan, middles)[own]
    return found


def _codes(values: FloatArray, cells: CellSet) -> NDArray[np.uint16]:
    """Return the cell of each truth, from 1 on, or the nearest; 0 is missing."""
    known = np.flatnonzero(~np.isnan(values))
    codes = np.zeros(len(values), dtype=np.uint16)
    if not isinstance(cells, Cells):
        codes[known] = values[known].astype(np.int64) + 1
        return codes
    found = cells.codes(values[known])
    outside = found < 0
    edges = (cells.middles[1:] + cells.middles[:-1]) / 2
    found[outside] = np.searchsorted(edges, values[known][outside])
    codes[known] = found + 1
    return codes
