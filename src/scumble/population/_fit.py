"""Fitting a population through the channels, by expectation-maximisation."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scumble.population._drawn import DrawnFit, drawn_population
from scumble.population._factors import Factor
from scumble.population._joined import Reports
from scumble.population._mirror import image_chances, images, turned
from scumble.population._population import Population, averaged, generator
from scumble.population._records import counted, mean_log_likelihood
from scumble.population._starts import RECORDS_PER_COMPONENT, known_of, start
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
        The share of the records that tells when to stop; if it is 0, all steps are made.
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

    def for_records(self, reports: Reports) -> "MixtureFit":
        """Return the fit without what makes no difference to these records.

        Categories have no neighbours to be made alike, and of few records no more
        components are made than they can tell apart.
        """
        smooth = self.smooth and any(isinstance(cells, Cells) for cells in reports.cells)
        largest = len(reports)
        if not (self.shared or reports.class_is_disguised):
            labels = np.concatenate([part.labels for part in reports.parts])
            largest = int(np.bincount(labels[labels >= 0], minlength=1).max())
        most = max(1, largest // RECORDS_PER_COMPONENT)
        return replace(self, smooth=smooth, components=min(self.components, most))


_FIRST_STEPS = 40
_LOOK_EVERY = 10
# Of a record; a whole one blurs jumps even among 100,000.
_LIKE_ALL = 0.1


def fit_population(
    reports: Reports,
    *,
    fit: MixtureFit | DrawnFit | None = None,
    seed: int | None = None,
    workers: int = 1,
) -> Population:
    """Fit the joint distribution of truths and class to reports.

    Parameters
    ----------
    reports : CodedReports or JoinedReports
        The reports.
    fit : MixtureFit or DrawnFit, optional
        How to fit; by default a `MixtureFit`.
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
    fit, rng = fit or MixtureFit(), generator(seed)
    if isinstance(fit, DrawnFit):
        return drawn_population(reports, fit, rng)
    parts = rng.random(len(reports)) < fit.held_out
    held_out, training = reports.some(np.flatnonzero(parts)), reports.some(np.flatnonzero(~parts))
    with ThreadPoolExecutor(max(1, workers)) as pool:
        runs = pool.map(lambda own: _run(training, held_out, fit, own), rng.spawn(fit.runs))
        return averaged(list(runs))


def _run(
    training: Reports, held_out: Reports, fit: MixtureFit, rng: np.random.Generator
) -> Population:
    """Fit once, from the likeliest of some random starts."""
    known = known_of(training, paired=fit.paired)
    few = training.some(rng.permutation(len(training))[: fit.first])
    run = _Run(training, held_out, few, fit, known.marginals)
    starts = [start(training, fit, known, rng) for _ in range(fit.tries)]
    population = run.best_of(starts)
    if run.first == fit.most:
        return population
    # Of few records it may not be known which way round a group is.
    found = [run.followed(own) for own in images(population, few, rng)]
    return averaged(found, image_chances(found, few, rng))


@dataclass(frozen=True, eq=False)
class _Run:
    """Steps from starts: the first ones on few records, the others on all."""

    training: Reports
    held_out: Reports
    few: Reports
    fit: MixtureFit
    marginals: Sequence[FloatArray]

    @property
    def first(self) -> int:
        return min(_FIRST_STEPS, self.fit.most)

    def _stepped(self, population: Population, records: Reports) -> Population:
        return em_step(
            population,
            records,
            smooth=self.fit.smooth,
            marginals=self.marginals,
            prior=self.fit.prior,
            shared=self.fit.shared,
        )

    def best_of(self, starts: list[Population]) -> Population:
        """Return what the likeliest of some starts leads to in the first steps."""
        for step in range(self.first):
            starts = [self._stepped(own, self.few) for own in starts]
            if step % _LOOK_EVERY == _LOOK_EVERY - 1 and len(starts) > 1:
                # Of those that are followed the worse half is dropped.
                starts = [turned(own, self.few) for own in starts]
                starts.sort(key=lambda own: -mean_log_likelihood(own, self.few))
                starts = starts[: -(-len(starts) // 2)]
        return turned(starts[0], self.few)

    def followed(self, population: Population) -> Population:
        """Return the best of what further steps lead to, by the records held out if there are."""
        if not len(self.held_out):
            for _ in range(self.first, self.fit.most):
                population = self._stepped(population, self.training)
            return population
        best, best_score, worse = population, -np.inf, 0
        for step in range(self.first, self.fit.most):
            population = self._stepped(population, self.training)
            if step % _LOOK_EVERY:
                continue
            score = mean_log_likelihood(population, self.held_out)
            worse = 0 if score > best_score + 1e-5 else worse + 1
            if score > best_score:
                best, best_score = population, score
            if worse == 2:
                break
        return best


def em_step(
    population: Population,
    reports: Reports,
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
    reports : CodedReports or JoinedReports
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
    found = [counted(population, part) for part in reports.parts]
    sums = np.sum([own for own, _ in found], axis=0)
    shares, attributes = population.all_shares, len(population.shares)
    added = _added(population, sums, marginals, prior)
    for inner in range(max(_steps(reports, factor) for factor in reports.parts[0].factors)):
        for attribute, behind in _truths_behind(reports, shares, [own for _, own in found], inner):
            full = behind + added[attribute]
            full = _for_all_classes(full, population.class_count) if shared else full
            new = full / np.maximum(full.sum(axis=1, keepdims=True), 1e-300)
            shares[attribute] = _smoothed(new, reports.cells[attribute]) if smooth else new
    return replace(population, weights=sums / sums.sum(), shares=shares[:attributes])


def _steps(reports: Reports, factor: Factor) -> int:
    """Return how many steps a factor makes; where parties differ, all make one together."""
    return factor.steps if len(reports.parts) == 1 else 1


def _truths_behind(
    reports: Reports, shares: Sequence[FloatArray], counts: Sequence[FloatArray], inner: int
) -> list[tuple[int, FloatArray]]:
    """Return the truths expected behind counts of codes, by attribute; the class is left out."""
    found: dict[int, FloatArray] = {}
    for part, own in zip(reports.parts, counts, strict=True):
        stops = np.cumsum([factor.size for factor in part.factors])
        for factor, stop in zip(part.factors, stops, strict=True):
            if inner >= _steps(reports, factor):
                continue
            expected = factor.expected(shares, own[stop - factor.size : stop])
            for attribute, behind in zip(factor.attributes, expected, strict=True):
                if attribute < len(part.cells):  # else it is the class: a component has one
                    found[attribute] = found.get(attribute, 0) + behind
    return list(found.items())


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
