"""Which attributes are independent of each other, but for the class."""

from copy import copy
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from scumble.mining._screen import bins_of, g_squared
from scumble.population import CodedReports

_CLEARLY = 5.0
# A dependence of less than this part of what the pair tells of the class comes from the class.
_PART = 0.3


def apart(reports: CodedReports, *, strictly: bool = False) -> list[int]:
    """Return factors no two of which depend on each other; of two that do, the more telling.

    Parameters
    ----------
    reports : CodedReports
        The reports and classes.
    strictly : bool
        Whether a dependence counts, too, that may come from the class.

    Notes
    -----
    Where classes are drawn unequally, attributes that decide on the class seem to depend
    on each other, though only as much as the class explains.
    """
    classes = len(reports.label_matrix)
    known = reports.labels >= 0
    labels = reports.labels[known]
    bins = [bins_of(column) for column in reports.codes[known].T]
    sizes = [int(b.max()) + 1 for b in bins]
    told = np.array(
        [
            g_squared(b, labels, classes) - (size - 1) * (classes - 1)
            for b, size in zip(bins, sizes, strict=True)
        ]
    )
    worth, dependent = told.copy(), set()
    for i, j in combinations(range(len(bins)), 2):
        pair = g_squared(bins[i] * sizes[j] + bins[j], labels, classes)
        pair -= (sizes[i] * sizes[j] - 1) * (classes - 1)
        for k in (i, j):
            worth[k] = max(worth[k], told[k] + pair - told[i] - told[j])
        degrees = (sizes[i] - 1) * (sizes[j] - 1)
        excess = g_squared(bins[i], bins[j], sizes[j]) - degrees
        explained = 0.0 if strictly else _PART * max(pair, 0.0)
        if excess > max(explained, _CLEARLY * np.sqrt(2 * max(degrees, 1))):
            dependent.add((i, j))
    return _chosen(worth, dependent)


def _chosen(worth: NDArray[np.float64], dependent: set[tuple[int, int]]) -> list[int]:
    kept: list[int] = []
    for k in np.argsort(-worth, kind="stable").tolist():
        if not any((min(k, other), max(k, other)) in dependent for other in kept):
            kept.append(k)
    return sorted(kept)


def only(reports: CodedReports, factors: list[int]) -> CodedReports:
    """Return the reports of some factors alone."""
    places = [a for f in factors for a in reports.factors[f].attributes]
    names = list(reports.attributes)
    own = []
    for f in factors:
        factor = copy(reports.factors[f])
        factor.attributes = tuple(places.index(a) for a in factor.attributes)
        own.append(factor)
    return replace(
        reports,
        attributes={names[a]: reports.attributes[names[a]] for a in places},
        cells=[reports.cells[a] for a in places],
        factors=own,
        codes=np.ascontiguousarray(reports.codes[:, factors]),
    )
