"""Truths as the cells of a population."""

from collections.abc import Iterator

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
