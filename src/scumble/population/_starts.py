"""Where a fit begins: what is known of each attribute alone, tilted at random."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scumble.population._joined import Reports
from scumble.population._pairs import pair_tables, shares_behind, stacked
from scumble.population._population import Population

if TYPE_CHECKING:
    from scumble.population._fit import MixtureFit

FloatArray = NDArray[np.float64]
RECORDS_PER_COMPONENT = 50
# How unlike each other components begin; less so where it is known what they should be like.
_STRONG_TILT, _TILT = 1.5, 0.7
# How sure of its class a component begins that may have any.
_SURE = 0.9


class Known(NamedTuple):
    """What is known before a fit: shares of cells in all records and in each class, of classes."""

    marginals: list[FloatArray]
    by_class: list[FloatArray]
    classes: FloatArray


def known_of(reports: Reports, *, paired: bool) -> Known:
    """Return what is known of reports before a fit; in each class only where it is asked for."""
    *marginals, classes = _marginals(reports)
    if not paired:
        return Known(marginals, [np.tile(own, (len(classes), 1)) for own in marginals], classes)
    # Of half a record it is not known where it belongs.
    tables = [
        table.T + marginal / (2 * len(reports))
        for table, marginal in zip(pair_tables(reports), marginals, strict=True)
    ]
    by_class = [table / table.sum(axis=1, keepdims=True) for table in tables]
    return Known(marginals, by_class, classes)


def start(
    reports: Reports,
    fit: "MixtureFit",
    known: Known,
    rng: np.random.Generator,
) -> Population:
    """Return equal components: what the attributes are in each class, tilted at random."""
    _, by_class, class_shares = known
    classes = np.arange(len(class_shares))
    if fit.shared:
        # Components begin with a class, but may take up others.
        count = int(np.clip(len(reports) // RECORDS_PER_COMPONENT, len(classes), fit.components))
        own = np.resize(classes, count)
        each = class_shares[own] / np.bincount(own)[own]
        weights = each[:, None] * np.where(own[:, None] == classes, _SURE, 1 - _SURE)
        weights = (weights / weights.sum()).ravel()
        alike = [tilted(share[own], rng, paired=fit.paired) for share in by_class]
        shares = [np.repeat(share, len(classes), axis=0) for share in alike]
        own = np.tile(classes, count)
    else:
        counts = np.clip(class_shares * len(reports) // RECORDS_PER_COMPONENT, 1, fit.components)
        own = np.repeat(classes, counts.astype(int))
        weights = (class_shares / counts)[own]
        shares = [tilted(share[own], rng, paired=fit.paired) for share in by_class]
        if fit.components == 1 and fit.paired:
            shares = list(by_class)
    return Population(reports.attributes, reports.cells, weights, own, shares, len(classes))


def _marginals(reports: Reports) -> list[FloatArray]:
    """Return the shares of the cells of each attribute alone, and last of the classes."""
    found: dict[int, list[tuple[NDArray[np.int64], FloatArray]]] = {}
    for part in reports.parts:
        for factor, codes in zip(part.factors, part.codes.T, strict=True):
            for attribute in factor.attributes:
                matrix, told = factor.matrix(attribute), factor.told(attribute)[codes]
                counts = np.bincount(told, minlength=matrix.shape[1] + 1)[1:]
                found.setdefault(attribute, []).append((counts, matrix))
        if part.class_factor is None:
            known = part.labels[part.labels >= 0]
            counts = np.maximum(np.bincount(known, minlength=part.class_count), 1)
            own = (counts, part.label_matrix)
            found.setdefault(len(part.cells), []).append(own)
    return [shares_behind(*stacked(found[place])) for place in range(len(reports.cells) + 1)]


def tilted(shares: FloatArray, rng: np.random.Generator, *, paired: bool) -> FloatArray:
    """Return shares made unequal at random, one row for each component."""
    components, cells = shares.shape
    place = np.linspace(-1, 1, cells)
    size = _TILT if paired else _STRONG_TILT
    tilt = rng.normal(0, size, (components, 1)) * place
    tilt += rng.normal(0, size, (components, 1)) * (place**2 - 1 / 3)
    for waves in (2, 3):
        phase = rng.uniform(0, 2 * np.pi, (components, 1))
        tilt += rng.normal(0, size / 2, (components, 1)) * np.cos(waves * np.pi * place + phase)
    tilted = (shares + 1e-6) * np.exp(tilt)
    return np.asarray(tilted / tilted.sum(axis=1, keepdims=True))
