"""Truths in boxes: how likely they are, given a report, and a population confined to them."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.population._factors import Factor
from scumble.population._population import Population
from scumble.population._reports import CodedReports

FloatArray = NDArray[np.float64]
Box = Mapping[int, FloatArray]
"""By the place of an attribute, how much of each cell lies inside, from 0 to 1.

An attribute that is not there is not restricted.
"""
_BLOCK = 1 << 15
_RARE = 1e-5


def box_chances(
    population: Population, reports: CodedReports, boxes: Sequence[Box], *, workers: int = 1
) -> FloatArray:
    """Return P(truths in the box | report), one row for each record.

    Parameters
    ----------
    population : Population
        The joint distribution of the truths.
    reports : CodedReports
        The reports. The classes that they report are not used.
    boxes : sequence of mapping of int to array
        The boxes: by the place of an attribute, how much of each of its cells lies
        inside, from 0 to 1.
    workers : int
        How many threads may work.

    Returns
    -------
    array, (records, boxes)
        The chances.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Categorical, Specification
    >>> from scumble.mechanisms import Warner
    >>> from scumble.population import Population, box_chances, code_reports
    >>> from scumble.tables import Table
    >>> smoker = Categorical(["no", "yes"], mechanism=Warner(keep=0.8))
    >>> reports = code_reports(Table(pa.table({"smoker": ["yes", "no"]})),
    ...     Specification({"smoker": smoker}), names=["smoker"])
    >>> half = Population({"smoker": smoker}, [smoker], np.array([1.0]), np.array([0]),
    ...     [np.array([[0.5, 0.5]])], 1)
    >>> box_chances(half, reports, [{0: np.array([0, 1])}]).round(2).ravel().tolist()
    [0.8, 0.2]

    Notes
    -----
    The posterior of the components is worked out once for each record. Within a
    component the factors are independent, so that a box costs only the factors that it
    restricts. Records are taken in blocks.
    """
    from scumble.population._kernels import box_sums

    tables = [factor.tables(population.all_shares) for factor in reports.factors]
    chances = np.empty((len(boxes), len(reports)), dtype=np.float32)
    for start in range(0, len(reports), _BLOCK):
        block = reports.some(np.arange(start, min(start + _BLOCK, len(reports))))
        behind = component_chances(population, block)

        def ask(
            box: Box, found: NDArray[np.float32], codes: Any = block.codes, behind: Any = behind
        ) -> None:
            places = _restricted(reports.factors, box)
            ratios = _ratios(reports.factors, places, tables, _inside(population.all_shares, box))
            starts = np.cumsum([0, *(len(tables[f]) for f in places)])
            box_sums(behind, np.ascontiguousarray(codes[:, places]), starts, ratios, found)

        with ThreadPoolExecutor(max(1, workers)) as pool:
            list(pool.map(ask, boxes, chances[:, start : start + _BLOCK]))
    return np.asarray(np.clip(chances.T.astype(float), 0, 1))


def component_chances(population: Population, reports: CodedReports) -> NDArray[np.float32]:
    """Return P(component | report), one row for each record; its class is not used."""
    from scumble.population._kernels import posteriors

    chances = np.empty((len(reports), len(population)), dtype=np.float32)
    posteriors(*posterior_tables(population, reports), chances)
    return chances


def posterior_tables(
    population: Population, reports: CodedReports
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
    """Return codes, where those of each factor begin, weights, and what a code tells of each."""
    weights = population.weights / population.weights.sum()
    tables = [factor.tables(population.all_shares) for factor in reports.factors]
    # Over their average, so that products stay near one; but for components that hardly
    # occur, of which they could leave the range of single precision.
    occurs = weights > _RARE
    tables = [occurs * table / np.maximum(table @ weights, 1e-12)[:, None] for table in tables]
    return (
        np.ascontiguousarray(reports.codes),
        reports.offsets,
        weights.astype(np.float32),
        np.concatenate(tables).astype(np.float32),
    )


def confined(population: Population, box: Box) -> Population:
    """Return a population confined to a box.

    Its weights are those of truths in the box: they sum to the share of the population
    that lies there.

    Examples
    --------
    >>> from scumble import Categorical
    >>> smoker = Categorical(["no", "yes"])
    >>> population = Population({"smoker": smoker}, [smoker], np.array([0.5, 0.5]),
    ...     np.array([0, 1]), [np.array([[0.8, 0.2], [0.4, 0.6]])], 2)
    >>> smokers = confined(population, {0: np.array([0, 1])})
    >>> smokers.weights.tolist(), smokers.shares[0].tolist()
    ([0.1, 0.3], [[0.0, 1.0], [0.0, 1.0]])
    """
    inside = _inside(population.shares, box)
    weights = population.weights.copy()
    for j in box:
        weights *= inside[j].sum(axis=1)
    shares = [own / np.maximum(own.sum(axis=1, keepdims=True), 1e-300) for own in inside]
    return replace(population, weights=weights, shares=shares)


def _inside(shares: Sequence[FloatArray], box: Box) -> list[FloatArray]:
    return [share * box[j] if j in box else share for j, share in enumerate(shares)]


def _restricted(factors: Sequence[Factor], box: Box) -> list[int]:
    """Return the places of the factors that a box restricts."""
    return [f for f, factor in enumerate(factors) if set(factor.attributes) & set(box)]


def _ratios(
    factors: Sequence[Factor], places: list[int], tables: list[FloatArray], inside: list[FloatArray]
) -> NDArray[np.float32]:
    """Return P(truths in the box | code, component), the codes of the factors one below another."""
    found = [factors[f].tables(inside) / np.maximum(tables[f], 1e-300) for f in places]
    none = np.empty((0, len(inside[0])))
    return np.concatenate([none, *found]).astype(np.float32)
