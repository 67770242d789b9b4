"""One reading of the records: what is counted by component, and how likely they are."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from scumble.population._joined import Reports
from scumble.population._population import Population
from scumble.population._reports import CodedReports

FloatArray = NDArray[np.float64]


def _tables(population: Population, reports: CodedReports) -> NDArray[np.float32]:
    """Return P(code | component) over its average, so that products stay near one."""
    tables = [factor.tables(population.all_shares) for factor in reports.factors]
    tables = [t / np.maximum(t @ population.weights, 1e-12)[:, None] for t in tables]
    return np.concatenate(tables).astype(np.float32)


def _by_label(
    population: Population, reports: CodedReports
) -> Iterator[tuple[NDArray[np.uint16], FloatArray]]:
    """Yield the records of each label, and the components that can have made it."""
    for label, codes in reports.by_label:
        chance = np.ones(population.class_count)
        if label >= 0:
            chance = reports.label_matrix[:, label]
        weights = population.weights * chance[population.classes]
        yield codes, weights


def counted(population: Population, reports: CodedReports) -> tuple[FloatArray, FloatArray]:
    """Return how often each component, and each code with it, occurs among the reports."""
    from scumble.population._kernels import accumulate

    tables = _tables(population, reports)
    sums, counts = np.zeros(len(population)), np.zeros(tables.shape)
    for codes, weights in _by_label(population, reports):
        own = np.flatnonzero(weights > 0)
        part_sums, part = np.zeros(len(own)), np.zeros((len(tables), len(own)))
        table = np.ascontiguousarray(tables[:, own])
        accumulate(codes, reports.offsets, weights[own].astype(np.float32), table, part_sums, part)
        sums[own] += part_sums
        counts[:, own] += part
    return sums, counts


def counted_once_drawn(
    population: Population, reports: CodedReports, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the same, where the component behind each record is drawn."""
    from scumble.population._kernels import draw_components

    tables, size = _tables(population, reports), len(population)
    sums, counts = np.zeros(size, dtype=np.int64), np.zeros(len(tables) * size, dtype=np.int64)
    for codes, weights in _by_label(population, reports):
        own = np.flatnonzero(weights > 0)
        table, chosen = np.ascontiguousarray(tables[:, own]), np.empty(len(codes), dtype=np.int64)
        likely, uniform = weights[own].astype(np.float32), rng.random(len(codes))
        draw_components(codes, reports.offsets, likely, table, uniform, chosen)
        behind = own[chosen]
        sums += np.bincount(behind, minlength=size)
        for offset, column in zip(reports.offsets, codes.T, strict=True):
            places = (offset + column.astype(np.int64)) * size + behind
            counts += np.bincount(places, minlength=len(counts))
    return sums, counts.reshape(-1, size)


def mean_log_likelihood(population: Population, reports: Reports) -> float:
    """Return the mean log-likelihood of reports and classes, up to a constant of the reports."""
    total = sum(_log_likelihood(population, part) for part in reports.parts)
    return total / max(1, len(reports))


def _log_likelihood(population: Population, reports: CodedReports) -> float:
    from scumble.population._kernels import log_likelihoods

    tables = [factor.tables(population.all_shares) for factor in reports.factors]
    sizes = [np.bincount(c, minlength=len(t)) for c, t in zip(reports.codes.T, tables, strict=True)]
    # One scale for all populations, or their likelihoods could not be compared.
    tables = [t * (len(reports) / (s + 1))[:, None] for t, s in zip(tables, sizes, strict=True)]
    stacked = np.concatenate(tables).astype(np.float32)
    total = 0.0
    for codes, weights in _by_label(population, reports):
        own = np.flatnonzero(weights > 0)
        found = np.empty(len(codes))
        table = np.ascontiguousarray(stacked[:, own])
        log_likelihoods(codes, reports.offsets, weights[own].astype(np.float32), table, found)
        total += float(found.sum())
    return total
