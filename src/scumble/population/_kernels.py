"""The loops over records of a mixture, compiled.

Importing this file imports numba, so it is imported where it is used. Products are
single precision, eight factors at a time: more could leave its range.
"""

from typing import Any

import numba
import numpy as np

compiled = numba.njit(nogil=True, cache=True, fastmath=True)
# Where it is used, the compiler knows that rows do not overlap: it takes eight components at once.
inlined = numba.njit(nogil=True, cache=True, fastmath=True, inline="always")
_AT_ONCE = 8
_SOME = 1 << 13
# What is closer to nought has no reciprocal in single precision.
_LEAST = np.float32(1e-30)


@inlined
def posterior(codes: Any, i: int, offsets: Any, weights: Any, tables: Any, found: Any) -> float:
    """Set found to P(component | report i); return the log-likelihood of the report."""
    components = len(weights)
    for k in range(components):
        found[k] = weights[k]
    total = 0.0
    factors = codes.shape[1]
    for f in range(factors):
        row = offsets[f] + codes[i, f]
        for k in range(components):
            found[k] *= tables[row, k]
        if f == factors - 1 or f % _AT_ONCE == _AT_ONCE - 1:
            size = np.float32(0)
            for k in range(components):
                size += found[k]
            if size < _LEAST:
                # Hardly a component can have made it: none is more likely than another.
                size = _LEAST
                for k in range(components):
                    found[k] = weights[k] * size
            total += np.log(size)
            one = np.float32(1) / size
            for k in range(components):
                found[k] *= one
    return total


@compiled
def accumulate(
    codes: Any, offsets: Any, weights: Any, tables: Any, sums: Any, counts: Any
) -> float:
    """Add P(component | report) to sums, and by factor and code to counts.

    Returns the log-likelihood. Counts of some thousand records are added up in single
    precision, which takes less time, and then to those of all.
    """
    components = len(weights)
    found = np.empty(components, np.float32)
    some = np.zeros(counts.shape, np.float32)
    total = 0.0
    for i in range(len(codes)):
        total += posterior(codes, i, offsets, weights, tables, found)
        for k in range(components):
            sums[k] += found[k]
        for f in range(codes.shape[1]):
            row = offsets[f] + codes[i, f]
            for k in range(components):
                some[row, k] += found[k]
        if i % _SOME == _SOME - 1 or i == len(codes) - 1:
            counts += some
            some[:] = 0
    return total


@compiled
def log_likelihoods(codes: Any, offsets: Any, weights: Any, tables: Any, result: Any) -> None:
    """Set result[i] to the log-likelihood of record i."""
    found = np.empty(len(weights), np.float32)
    for i in range(len(codes)):
        result[i] = posterior(codes, i, offsets, weights, tables, found)


@compiled
def draw_cells(chosen: Any, cumulative: Any, uniform: Any, cells: Any) -> None:
    """Draw a cell for each record from the cumulated shares of its component."""
    for i in range(len(chosen)):
        cells[i] = np.searchsorted(cumulative[chosen[i]], uniform[i], side="right")


@compiled
def posteriors(codes: Any, offsets: Any, weights: Any, tables: Any, result: Any) -> None:
    """Set result[i] to P(component | report i)."""
    for i in range(len(codes)):
        posterior(codes, i, offsets, weights, tables, result[i])


@compiled
def draw_components(
    codes: Any, offsets: Any, weights: Any, tables: Any, uniform: Any, chosen: Any
) -> None:
    """Draw the component behind each record from P(component | report)."""
    found = np.empty(len(weights), np.float32)
    for i in range(len(codes)):
        posterior(codes, i, offsets, weights, tables, found)
        left = uniform[i] * found.sum()
        k = 0
        while k < len(weights) - 1 and left >= found[k]:
            left -= found[k]
            k += 1
        chosen[i] = k


@compiled
def box_sums(chances: Any, codes: Any, starts: Any, ratios: Any, result: Any) -> None:
    """Set result[i] to the chance that the truths of record i lie in a box.

    chances[i] is P(component | report i). codes[i] holds the codes of the factors that
    the box restricts; ratios, from starts[f] on, P(truths in the box | code, component).
    """
    components = chances.shape[1]
    inside = np.empty(components, np.float32)
    for i in range(len(codes)):
        for k in range(components):
            inside[k] = chances[i, k]
        for f in range(codes.shape[1]):
            row = starts[f] + codes[i, f]
            for k in range(components):
                inside[k] *= ratios[row, k]
        total = np.float32(0)
        for k in range(components):
            total += inside[k]
        result[i] = total


@compiled
def draw_behind(codes: Any, below: Any, uniform: Any, cells: Any) -> None:
    """Draw a cell for each record from cumulated chances by code."""
    for i in range(len(codes)):
        column = below[codes[i]]
        cell = np.searchsorted(column, uniform[i] * column[-1], side="right")
        cells[i] = min(cell, len(column) - 1)


@compiled
def code_products(places: Any, seen: Any, result: Any) -> None:
    """Set result[code] to the product of those rows of seen that places[code] tells."""
    components = seen.shape[1]
    for code in range(len(places)):
        for k in range(components):
            result[code, k] = seen[places[code, 0], k]
        for j in range(1, places.shape[1]):
            row = places[code, j]
            for k in range(components):
                result[code, k] *= seen[row, k]
