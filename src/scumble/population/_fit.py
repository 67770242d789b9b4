"""Fitting a population through the channels, by expectation-maximisation."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scumble.population._factors import Coin
from scumble.population._pairs import pair_tables, shares_behind
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
    shared : bool
        Whether components are of no class: each has a share of every class, within which
        the attributes are spread the same (a latent-class model). Fewer numbers to fit.
    paired : bool
        Whether a start is what each attribute alone tells of the class, tilted at random,
        and not what it is among all. Where the class is disguised, steps from elsewhere
        may take one class for another.
    tries : int
        So many starts are followed; again and again the less likely half is dropped.
    """

    components: int = 32
    smooth: bool = False
    runs: int = 2
    most: int = 150
    held_out: float = 0.1
    first: int = 30_000
    prior: float = 0.0
    shared: bool = False
    paired: bool = False
    tries: int = 1


_FIRST_STEPS = 40
_PER_COMPONENT = 50
_LOOK_EVERY = 10
# Of a record; a whole one blurs jumps even among 100,000.
_LIKE_ALL = 0.1
# How unlike each other components begin; less so where it is known what they should be like.
_STRONG_TILT, _TILT = 1.5, 0.7
# How sure of its class a component begins that may have any.
_SURE = 0.9


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
    """Fit once, from the likeliest of some random starts."""
    known = _known(training, paired=fit.paired)
    few = training.some(rng.permutation(len(training))[: fit.first])

    def stepped(population: Population, records: CodedReports) -> Population:
        return em_step(
            population,
            records,
            smooth=fit.smooth,
            marginals=known.marginals,
            prior=fit.prior,
            shared=fit.shared,
        )

    first = min(_FIRST_STEPS, fit.most)
    starts = [_start(training, fit, known, rng) for _ in range(fit.tries)]
    for step in range(first):
        starts = [stepped(start, few) for start in starts]
        if step % _LOOK_EVERY == _LOOK_EVERY - 1 and len(starts) > 1:
            # Of those that are followed the worse half is dropped.
            starts = [turned(start, few) for start in starts]
            starts.sort(key=lambda start: -mean_log_likelihood(start, few))
            starts = starts[: -(-len(starts) // 2)]
    population = turned(starts[0], few)
    best, best_score, worse = population, -np.inf, 0
    for step in range(first, fit.most):
        population = stepped(population, training)
        if step % _LOOK_EVERY:
            continue
        score = mean_log_likelihood(population, held_out)
        worse = 0 if score > best_score + 1e-5 else worse + 1
        if score > best_score:
            best, best_score = population, score
        if worse == 2:
            break
    return best


def turned(population: Population, reports: CodedReports) -> Population:
    """Return the likelier of a population and of its mirror images.

    A group of answers is all true or all reversed. So truths all reversed, told by the
    opposite coin, make the same reports: a population of them is wrong, but no steps lead
    away from it.

    Parameters
    ----------
    population : Population
        The population.
    reports : CodedReports
        What it is fitted to.
    """
    level = mean_log_likelihood(population, reports)
    for factor in reports.factors:
        if isinstance(factor, Coin) and factor.mirrors:
            mirrored = _mirrored(population, factor)
            found = mean_log_likelihood(mirrored, reports)
            if found > level:
                population, level = mirrored, found
    return population


def _mirrored(population: Population, coin: Coin) -> Population:
    """Return a population with the truths of one group reversed."""
    shares = [
        share[:, ::-1] if place in coin.attributes else share
        for place, share in enumerate(population.shares)
    ]
    classes = population.classes
    if len(shares) in coin.attributes:
        classes = 1 - classes
    return replace(population, shares=shares, classes=classes)


class _Known(NamedTuple):
    """What is known before a fit: shares of cells in all records and in each class, of classes."""

    marginals: list[FloatArray]
    by_class: list[FloatArray]
    classes: FloatArray


def _known(reports: CodedReports, *, paired: bool) -> _Known:
    *marginals, classes = _marginals(reports)
    if not paired:
        return _Known(marginals, [np.tile(own, (len(classes), 1)) for own in marginals], classes)
    # Of half a record it is not known where it belongs.
    tables = [
        table.T + marginal / (2 * len(reports))
        for table, marginal in zip(pair_tables(reports), marginals, strict=True)
    ]
    by_class = [table / table.sum(axis=1, keepdims=True) for table in tables]
    return _Known(marginals, by_class, classes)


def _start(
    reports: CodedReports,
    fit: MixtureFit,
    known: _Known,
    rng: np.random.Generator,
) -> Population:
    """Return equal components: what the attributes are in each class, tilted at random."""
    _, by_class, class_shares = known
    classes = np.arange(len(class_shares))
    if fit.shared:
        # Components begin with a class, but may take up others.
        count = int(np.clip(len(reports) // _PER_COMPONENT, len(classes), fit.components))
        own = np.resize(classes, count)
        each = class_shares[own] / np.bincount(own)[own]
        weights = each[:, None] * np.where(own[:, None] == classes, _SURE, 1 - _SURE)
        weights = (weights / weights.sum()).ravel()
        tilted = [_tilted(share[own], rng, paired=fit.paired) for share in by_class]
        shares = [np.repeat(share, len(classes), axis=0) for share in tilted]
        own = np.tile(classes, count)
    else:
        counts = np.clip(class_shares * len(reports) // _PER_COMPONENT, 1, fit.components)
        own = np.repeat(classes, counts.astype(int))
        weights = (class_shares / counts)[own]
        shares = [_tilted(share[own], rng, paired=fit.paired) for share in by_class]
        if fit.components == 1 and fit.paired:
            shares = list(by_class)
    return Population(reports.attributes, reports.cells, weights, own, shares, len(classes))


def _marginals(reports: CodedReports) -> list[FloatArray]:
    """Return the shares of the cells of each attribute alone, and last of the classes."""
    found = {}
    for factor, codes in zip(reports.factors, reports.codes.T, strict=True):
        for attribute in factor.attributes:
            matrix, told = factor.matrix(attribute), factor.told(attribute)[codes]
            counts = np.bincount(told, minlength=matrix.shape[1] + 1)[1:]
            found[attribute] = shares_behind(counts, matrix)
    if reports.class_factor is None:
        known = reports.labels[reports.labels >= 0]
        per_class = np.maximum(np.bincount(known, minlength=len(reports.label_matrix)), 1)
        found[len(reports.cells)] = per_class / per_class.sum()
    return [found[place] for place in range(len(reports.cells) + 1)]


def _tilted(shares: FloatArray, rng: np.random.Generator, *, paired: bool) -> FloatArray:
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


def em_step(
    population: Population,
    reports: CodedReports,
    *,
    smooth: bool = False,
    marginals: Sequence[FloatArray] | None = None,
    prior: float = 0.0,
    shared: bool = False,
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
    shared : bool
        Whether components are the same for all classes: one for each class, in turn.
    """
    sums, counts = _counted(population, reports)
    shares, attributes = population.all_shares, len(population.shares)
    added = _added(population, sums, marginals, prior)
    start = 0
    for factor in reports.factors:
        own = counts[start : start + factor.size]
        start += factor.size
        for _ in range(factor.steps):
            found = factor.expected(shares, own)
            for attribute, behind in zip(factor.attributes, found, strict=True):
                if attribute == attributes:
                    continue  # the class: a component has one
                full = behind + added[attribute]
                full = _for_all_classes(full, population.class_count) if shared else full
                new = full / np.maximum(full.sum(axis=1, keepdims=True), 1e-300)
                shares[attribute] = _smoothed(new, reports.cells[attribute]) if smooth else new
    return replace(population, weights=sums / sums.sum(), shares=shares[:attributes])


def _for_all_classes(counts: FloatArray, classes: int) -> FloatArray:
    """Return the counts of components in which those that differ by class alone are joined."""
    joined = counts.reshape(-1, classes, counts.shape[1]).sum(axis=1)
    return np.repeat(joined, classes, axis=0)


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
    return total / max(1, len(reports))
