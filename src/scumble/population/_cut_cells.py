"""A population on cells that are cut further."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scumble.population._population import Population
from scumble.schema import Cells, CellSet

FloatArray = NDArray[np.float64]


def cut_at(
    population: Population, thresholds: Mapping[str, Sequence[float]]
) -> tuple[Population, list[NDArray[np.uint16]]]:
    """Return the population with intervals cut at thresholds, so that none lies inside one.

    Parameters
    ----------
    population : Population
        The population.
    thresholds : mapping of str to sequence of float
        Where the cells of a number are cut. Those that lie outside, or between cells as
        they are, change nothing.

    Returns
    -------
    population, wholes
        The parts of an interval share its people by their widths. For each attribute, the
        code that each new code had before; 0, which is missing, stays 0.

    Examples
    --------
    >>> from scumble import Numeric
    >>> age = Numeric(0, 100)
    >>> population = Population({"age": age}, [age.cells(2)], np.array([1.0]), np.array([0]),
    ...     [np.array([[0.6, 0.4]])], 1)
    >>> finer, (wholes,) = cut_at(population, {"age": [25.0, 50.0]})
    >>> finer.shares[0].tolist(), wholes.tolist()
    ([[0.3, 0.3, 0.4]], [0, 1, 1, 2])
    """
    cells, shares, wholes = [], [], []
    for name, own, share in zip(
        population.attributes, population.cells, population.shares, strict=True
    ):
        cut = _cut(own, thresholds.get(name, ()))
        places, parts = _parts(own, cut)
        cells.append(cut)
        shares.append(share[:, places] * parts)
        wholes.append(np.append(0, places + 1).astype(np.uint16))
    return replace(population, cells=cells, shares=shares), wholes


def in_wider(shares: FloatArray, fine: CellSet, cells: CellSet) -> FloatArray:
    """Return the shares of cells of which finer ones are parts.

    Parameters
    ----------
    shares : array
        The shares of the finer cells.
    fine, cells : CellSet
        The finer cells, and those that they are parts of.

    Examples
    --------
    >>> from scumble import Numeric
    >>> age = Numeric(0, 100)
    >>> in_wider(np.array([0.1, 0.2, 0.3, 0.4]), age.cells(4), age.cells(2)).round(1).tolist()
    [0.3, 0.7]
    """
    return np.bincount(_parts(cells, fine)[0], shares, len(cells)).astype(float)


def _cut(cells: CellSet, thresholds: Sequence[float]) -> CellSet:
    if type(cells) is not Cells:  # categories have no inside, and days are not cut
        return cells
    intervals = ~cells.is_point
    edges = np.union1d(cells.lower[intervals], cells.upper[intervals])
    inner = [at for at in thresholds if len(edges) and edges[0] < at < edges[-1]]
    if np.isin(inner, edges).all():
        return cells
    fine = Cells.between(np.union1d(edges, inner))
    return fine.with_points(cells.lower[~intervals]) if cells.is_point.any() else fine


def _parts(cells: CellSet, cut: CellSet) -> tuple[NDArray[np.int64], FloatArray]:
    """Return for each new cell where it was before, and which part of that it is."""
    if cells is cut or not (isinstance(cells, Cells) and isinstance(cut, Cells)):
        return np.arange(len(cells)), np.ones(len(cells))
    # A piece of an interval may have its middle where a point lies.
    intervals = np.flatnonzero(~cells.is_point)
    places = np.asarray(cells.codes(cut.middles), dtype=np.int64)
    pieces = np.searchsorted(cells.lower[intervals], cut.middles[~cut.is_point], side="right") - 1
    places[~cut.is_point] = intervals[pieces]
    width = (cells.upper - cells.lower)[places]
    parts = np.where(cut.is_point, 1.0, (cut.upper - cut.lower) / np.where(width > 0, width, 1))
    return places, parts
