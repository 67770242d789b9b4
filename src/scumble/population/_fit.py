"""Fitting a population through the channels, by expectation-maximisation."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scumble.population._population import Population, generator
from scumble.population._reports import CodedReports
from scumble.schema import Cells

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class MixtureFit:
    """How a population is fitted.

    Attributes
    ----------
    components : int
        The components of each class at the most; fewer where it has few records.
    smooth : bool
        Whether neighbouring intervals are made alike after each step: better where
        densities are smooth, worse where they jump.
    runs : int
        How many fits from different starts are averaged.
    most : int
        The most steps of each.
    held_out : float
        The share of the records that tells when to stop.
    first : int
        So many records serve for the first steps.
    prior : float
        So many records, spread like those of its class, are added to each component.
        That binds components to each other: better where attributes hang together little.
    """

    components: int = 32
    smooth: bool = False
    runs: int = 2
    most: int = 150
    held_out: float = 0.1
    first: int = 30_000
    prior: float = 0.0


_INNER = 3
_FIRST_STEPS = 40
_PER_COMPONENT = 50
_LOOK_EVERY = 10
# Of a record; a whole one blurs jumps even among 100,000.
_LIKE_ALL = 0.1


def fit_population(
    reports: CodedReports,
    *,
    fit: MixtureFit | None = None,
    seed: int | None = None,
    workers: int = 1,
) -> Population:
    """Fit the joint distribution of truths and class to reports.

    Parameters
    ----------
    reports : CodedReports
        The reports.
    fit : MixtureFit, optional
        How to fit.
    seed : int, optional
        Makes the starts repeatable.
    workers : int
        How many runs may go on at once.

    Returns
    -------
    Population
        The average of the runs.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Categorical, Specification
    >>> from scumble.mechanisms import Warner
    >>> from scumble.population import code_reports, fit_population
    >>> from scumble.tables import Table
    >>> spec = Specification({"smoker": Categorical(["no", "yes"], mechanism=Warner(keep=0.8))})
    >>> table = Table(pa.table({"smoker": ["yes"] * 380 + ["no"] * 620}))
    >>> population = fit_population(code_reports(table, spec, names=["smoker"]), seed=1)
    >>> bool(abs(population.marginal("smoker")[1] - 0.3) < 0.02)  # (.38 - .2) / .6
    True

    Notes
    -----
    A step counts, by component, the codes of each factor (the records are read once,
    and nothing else of them is kept), and moves the shares of each component towards
    the truths expected behind these counts. Only counts pass, so that parts of a table
    can be counted apart.
    """
    fit = fit or MixtureFit()
    rng = generator(seed)
    parts = rng.random(len(reports)) < fit.held_out
    held_out, training = reports.some(np.flatnonzero(parts)), reports.some(np.flatnonzero(~parts))
    with ThreadPoolExecutor(max(1, workers)) as pool:
        runs = pool.map(lambda own: _run(training, held_out, fit, own), rng.spawn(fit.runs))
        return averaged(list(runs))


def averaged(populations: Sequence[Population]) -> Population:
    """Return the average of populations of the same cells."""
    first = populations[0]
    return replace(
        first,
        weights=np.concatenate([p.weights for p in populations]) / len(populations),
        classes=np.concatenate([p.classes for p in populations]),
        shares=[np.vstack(parts) for parts in zip(*(p.shares for p in populations), strict=True)],
    )


def _run(
    training: CodedReports, held_out: CodedReports, fit: MixtureFit, rng: np.random.Generator
) -> Population:
    """Fit once, from one random start."""
    marginals = _marginals(training)
    population = _start(training, fit, marginals, rng)
    few = training.some(rng.permutation(len(training))[: fit.first])
    best, best_score, worse = population, -np.inf, 0
    for step in range(fit.most):
        records = few if step < _FIRST_STEPS else training
        population = em_step(
            population, records, smooth=fit.smooth, marginals=marginals, prior=fit.prior
        )
        if step < _FIRST_STEPS or step % _LOOK_EVERY:
            continue
        score = mean_log_likelihood(population, held_out)
        worse = 0 if score > best_score + 1e-5 else worse + 1
        if score > best_score:
            best, best_score = population, score
        if worse == 2:
            break
    return best


def _start(
    reports: CodedReports,
    fit: MixtureFit,
    marginals: Sequence[FloatArray],
    rng: np.random.Generator,
) -> Population:
    """Return equal components for each class: the marginals, tilted at random."""
    class_count = len(reports.label_matrix)
    per_class = np.bincount(reports.labels[reports.labels >= 0], minlength=class_count)
    counts = np.clip(per_class // _PER_COMPONENT, 1, fit.components)
    classes = np.repeat(np.arange(class_count), counts)
    shares = [_tilted(marginal, len(classes), rng) for marginal in marginals]
    prior = np.maximum(per_class, 1) / np.maximum(per_class, 1).sum()
    return Population(
        reports.attributes, reports.cells, (prior / counts)[classes], classes, shares, class_count
    )


def _marginals(reports: CodedReports) -> list[FloatArray]:
    return [_marginal(reports, j) for j in range(len(reports.cells))]


def _marginal(reports: CodedReports, j: int) -> FloatArray:
    """Return the shares of the cells of an attribute, by a few steps from equal ones."""
    place, factor = next(
        (f, factor) for f, factor in enumerate(reports.factors) if j in factor.attributes
    )
    counts = np.bincount(reports.codes[:, place], minlength=factor.size)[:, None].astype(float)
    shares = [np.full((1, len(cells)), 1 / len(cells)) for cells in reports.cells]
    for _ in range(50):
        for attribute, behind in zip(
            factor.attributes, factor.expected(shares, counts), strict=True
        ):
            shares[attribute] = behind / behind.sum()
    return np.asarray(shares[j][0])


def _tilted(share: FloatArray, components: int, rng: np.random.Generator) -> FloatArray:
    place = np.linspace(-1, 1, len(share))
    tilt = rng.normal(0, 1.5, (components, 1)) * place
    tilt += rng.normal(0, 1.5, (components, 1)) * (place**2 - 1 / 3)
    for waves in (2, 3):
        phase = rng.uniform(0, 2 * np.pi, (components, 1))
        tilt += rng.normal(0, 0.7, (components, 1)) * np.cos(waves * np.pi * place + phase)
    tilted = (share + 1e-6) * np.exp(tilt)
    return np.asarray(tilted / tilted.sum(axis=1, keepdims=True))


def em_step(
    population: Population,
    reports: CodedReports,
    *,
    smooth: bool = False,
    marginals: Sequence[FloatArray] | None = None,
    prior: float = 0.0,
) -> Population:
    """Return the population after one step.

    The likelihood does not fall, unless it is smoothed or records are added.

    Parameters
    ----------
    population : Population
        Where the step starts.
    reports : CodedReports
        What it is fitted to.
    smooth : bool
        Whether neighbouring intervals are made alike.
    marginals : sequence of array, optional
        For each attribute, the shares of its cells among all: a tenth of a record,
        spread like that, is added to each component, so that what it has not seen stays
        possible.
    prior : float
        So many records, spread like those of its class, are added to each component.
    """
    sums, counts = _counted(population, reports)
    shares = list(population.shares)
    added = _added(population, sums, marginals, prior)
    start = 0
    for factor in reports.factors:
        own = counts[start : start + factor.size]
        start += factor.size
        for _ in range(_INNER):
            found = factor.expected(shares, own)
            for attribute, behind in zip(factor.attributes, found, strict=True):
                full = behind + added[attribute]
                new = full / np.maximum(full.sum(axis=1, keepdims=True), 1e-300)
                shares[attribute] = _smoothed(new, reports.cells[attribute]) if smooth else new
    return replace(population, weights=sums / sums.sum(), shares=shares)


def _added(
    population: Population,
    sums: FloatArray,
    marginals: Sequence[FloatArray] | None,
    prior: float,
) -> list[FloatArray]:
    """Return the records that are added to each component, by attribute and cell."""
    classes = np.zeros((population.class_count, len(population)))
    classes[population.classes, np.arange(len(population))] = sums
    classes *= prior / np.maximum(classes.sum(axis=1, keepdims=True), 1e-300)
    like_class = [(classes @ share)[population.classes] for share in population.shares]
    if marginals is None:
        return like_class
    return [own + _LIKE_ALL * marginal for own, marginal in zip(like_class, marginals, strict=True)]


def _smoothed(shares: FloatArray, cells: object) -> FloatArray:
    """Return shares with neighbouring intervals made alike; points are left alone."""
    if not isinstance(cells, Cells) or np.count_nonzero(~cells.is_point) < 3:
        return shares
    intervals = ~cells.is_point
    run = shares[:, intervals]
    padded = np.concatenate((run[:, :1], run, run[:, -1:]), axis=1)
    shares = shares.copy()
    shares[:, intervals] = 0.8 * run + 0.1 * (padded[:, :-2] + padded[:, 2:])
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _tables(population: Population, reports: CodedReports) -> NDArray[np.float32]:
    """Return P(code | component) over its average, so that products stay near one."""
    tables = [factor.tables(population.shares) for factor in reports.factors]
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


def _counted(population: Population, reports: CodedReports) -> tuple[FloatArray, FloatArray]:
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


def mean_log_likelihood(population: Population, reports: CodedReports) -> float:
    """Return the mean log-likelihood of reports and classes, up to a constant of the reports."""
    from scumble.population._kernels import log_likelihoods

    tables = [factor.tables(population.shares) for factor in reports.factors]
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
    return total / max(1, len(reports))
