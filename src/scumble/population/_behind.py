"""Draws of the truths behind reports: any learner can be taught on them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scumble.population._boxes import posterior_tables
from scumble.population._coin import Coin
from scumble.population._factors import Factor, FloatArray
from scumble.population._joined import Reports
from scumble.population._population import Population, generator
from scumble.population._reports import CodedReports

Codes = NDArray[np.uint16]
Draws = Sequence[tuple[Codes, NDArray[np.int64]]]
"""Draws of the same records, again and again: cells of truths, and classes."""


def draw_truths(
    population: Population, reports: Reports, *, seed: int | None = None
) -> tuple[Codes, NDArray[np.int64]]:
    """Draw the truths and the class behind each report, once.

    Draws, never means: means lie closer together than the truths do, and would teach a
    learner a table that there is not.

    Parameters
    ----------
    population : Population
        The joint distribution of truths and class.
    reports : CodedReports or JoinedReports
        The reports, with the classes that they report.
    seed : int, optional
        Makes the draws repeatable.

    Returns
    -------
    codes, classes
        The cells of the truths, from 1 on; 0 where a report is missing. And the classes.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Categorical, Specification
    >>> from scumble.mechanisms import Warner
    >>> from scumble.population import Population, code_reports, draw_truths
    >>> from scumble.tables import Table
    >>> smoker = Categorical(["no", "yes"], mechanism=Warner(keep=0.8))
    >>> reports = code_reports(Table(pa.table({"smoker": ["yes"] * 1000})),
    ...     Specification({"smoker": smoker}), names=["smoker"])
    >>> half = Population({"smoker": smoker}, [smoker], np.array([1.0]), np.array([0]),
    ...     [np.array([[0.5, 0.5]])], 1)
    >>> codes, _ = draw_truths(half, reports, seed=1)
    >>> bool(abs((codes == 2).mean() - 0.8) < 0.05)
    True
    """
    return draw_again(population, reports, times=1, seed=seed)[0]


def draw_again(
    population: Population, reports: Reports, *, times: int, seed: int | None = None
) -> Draws:
    """Draw the truths and the class behind each report again and again.

    Faster than one draw after the other: what the population says of a code is worked out
    once.

    Parameters
    ----------
    population : Population
        The joint distribution of truths and class.
    reports : CodedReports or JoinedReports
        The reports, with the classes that they report.
    times : int
        How often, at least once.
    seed : int, optional
        Makes the draws repeatable.

    Returns
    -------
    list of (codes, classes)
        As from `draw_truths`, so many.
    """
    rng = generator(seed)
    parts = []
    for part in reports.parts:
        again = part.some(np.tile(np.arange(len(part)), times))
        codes, classes = _drawn_of_party(population, again, rng)
        parts.append((np.split(codes, times), np.split(classes, times)))
    return [
        (np.concatenate([c[k] for c, _ in parts]), np.concatenate([own[k] for _, own in parts]))
        for k in range(times)
    ]


def _drawn_of_party(
    population: Population, reports: CodedReports, rng: np.random.Generator
) -> tuple[Codes, NDArray[np.int64]]:
    cells = np.zeros((len(reports), len(population.shares)), dtype=np.uint16)
    chosen = _drawn_components(population, reports, rng)
    rows_of = _by_component(chosen)
    for f, factor in enumerate(reports.factors):
        codes = reports.codes[:, f].astype(np.int64)
        if isinstance(factor, Coin):
            _draw_group(factor, population.all_shares, codes, chosen, rng, cells)
        else:
            j = factor.attributes[0]

            def given(component: int, f: Factor = factor, j: int = j) -> FloatArray:
                own = [share[[component]] for share in population.shares]
                return np.asarray(f.by_cell(own, j)[:, :, 0])

            cells[:, j] = _drawn(given, codes, rows_of, rng) + 1
            cells[codes == 0, j] = 0
    return cells, population.classes[chosen]


def _drawn_components(
    population: Population, reports: CodedReports, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw the component behind each record, given its reports and its class."""
    from scumble.population._kernels import draw_components

    chosen = np.empty(len(reports), dtype=np.int64)
    for label in np.unique(reports.labels).tolist():
        rows = np.flatnonzero(reports.labels == label)
        chance = np.ones(population.class_count)
        if label >= 0:
            chance = reports.label_matrix[:, label]
        weights = population.weights * chance[population.classes]
        if not weights.any():
            # A class that the population has lost: as if it were not told.
            weights = population.weights
        likely = np.flatnonzero(weights > 0)
        own = replace(
            population,
            weights=weights[likely],
            classes=population.classes[likely],
            shares=[shares[likely] for shares in population.shares],
        )
        drawn = np.empty(len(rows), dtype=np.int64)
        tables = posterior_tables(own, reports.some(rows))
        draw_components(*tables, rng.random(len(rows)), drawn)
        chosen[rows] = likely[drawn]
    return chosen


def _drawn(
    given: Callable[[int], FloatArray],
    codes: NDArray[np.int64],
    rows_of: Sequence[NDArray[np.int64]],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Draw a cell for each record from P(cell and code | component), one component at a time."""
    from scumble.population._kernels import draw_behind

    cells = np.empty(len(codes), dtype=np.int64)
    uniform = rng.random(len(codes))
    for component, rows in enumerate(rows_of):
        if len(rows):
            below = np.ascontiguousarray(np.cumsum(given(component), axis=0).T)
            own = np.empty(len(rows), dtype=np.int64)
            draw_behind(codes[rows], below, uniform[rows], own)
            cells[rows] = own
    return cells


def _by_component(chosen: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the records of each component."""
    order = np.argsort(chosen, kind="stable")
    return np.split(order, np.cumsum(np.bincount(chosen))[:-1])


def _draw_group(
    coin: Coin,
    shares: Sequence[FloatArray],
    codes: NDArray[np.int64],
    chosen: NDArray[np.int64],
    rng: np.random.Generator,
    cells: Codes,
) -> None:
    """Draw which way the coin fell, and then each attribute."""
    sides = coin.by_side(shares)
    kept = sides[0][codes, chosen]
    fallen = rng.random(len(codes)) * (kept + sides[1][codes, chosen]) >= kept
    for place, attribute in enumerate(coin.attributes):
        if attribute == cells.shape[1]:
            continue  # the class, which the component has
        told = coin.reports[codes, place]
        for side in (0, 1):
            rows = np.flatnonzero(fallen == bool(side))

            def given(component: int, place: int = place, side: int = side) -> FloatArray:
                own = [share[[component]] for share in shares]
                return np.asarray(coin.cells_of_side(own, place, side)[:, :, 0])

            cells[rows, attribute] = _drawn(given, told[rows], _by_component(chosen[rows]), rng) + 1
        cells[told == 0, attribute] = 0
