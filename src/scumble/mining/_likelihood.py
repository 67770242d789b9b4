"""A tree by likelihood through the channel: populations compete, the best is distilled."""

import warnings
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scumble.errors import ScumbleWarning
from scumble.mining._cuts import Column, cuts_of_values
from scumble.mining._distil import DRAWS, distil
from scumble.mining._grow import Growth
from scumble.mining._nodes import Nodes
from scumble.mining._screen import telling_attributes
from scumble.population import (
    CodedReports,
    MixtureFit,
    Population,
    attribute_codes,
    averaged,
    code_reports,
    fit_population,
)
from scumble.schema import Specification
from scumble.tables import Table

FloatArray = NDArray[np.float64]
LEARNERS = {
    "mixture": MixtureFit(smooth=False, runs=1),
    "smooth mixture": MixtureFit(smooth=True, runs=1),
    "bound mixture": MixtureFit(smooth=True, prior=5, runs=1),
    "small mixture": MixtureFit(components=4, smooth=True, runs=1),
    "naive Bayes": MixtureFit(components=1, smooth=True, runs=1),
}
# With few records all are held out once, a fifth at a time; of many, some suffice.
_FOLDS = 5
_FEW = 5_000
_MOST = 60_000
_FINAL_RUNS = 4
_CELLS = (15, 100)
_RECORDS_PER_CELL = 40
# A population is smoother than records are: what it says counts for more than they do.
_SAYS_MORE = 10
_LEAST_DRAWS = 50_000
_LEAST_LEAF = 1 / 3000


@dataclass(frozen=True)
class Candidate:
    """A learner, and how well it foretold the classes of records that were held out.

    Attributes
    ----------
    name : str
        The learner.
    score : float
        The mean log-probability of the reported class given the reports, in nats.
    behind : float
        How far it lies behind the best, and `error`, the standard error of that.
    error : float
        The standard error of the difference.
    chosen : bool
        Whether it was taken. Of few records several may be: those that cannot be told
        apart from the best are averaged.
    """

    name: str
    score: float
    behind: float
    error: float
    chosen: bool


@dataclass(frozen=True, eq=False)
class Labelled:
    """Reports with the class that each record reports.

    Attributes
    ----------
    table : Table
        The reports.
    spec : Specification
        What disguised them.
    names : list of str
        The attributes.
    labels : array of int
        The reported class of each record, as its place.
    matrix : array, (classes, classes)
        P(reported class | class).
    """

    table: Table
    spec: Specification
    names: list[str]
    labels: NDArray[np.int64]
    matrix: FloatArray

    def coded(self, codes: NDArray[np.uint16]) -> CodedReports | None:
        """Return the codes of the attributes that tell of the class; None if none does."""
        telling = telling_attributes(codes, self.labels, classes=len(self.matrix))
        kept = [name for name, tells in zip(self.names, telling, strict=True) if tells]
        # Members of a group tell which way its coin fell.
        for members in self.spec.groups.values():
            if set(members) & set(kept):
                kept += [name for name in members if name in self.names and name not in kept]
        if not kept:
            return None
        return code_reports(
            self.table,
            self.spec,
            names=[name for name in self.names if name in kept],
            labels=self.labels,
            label_matrix=self.matrix,
            cells=int(np.clip(len(self.labels) // _RECORDS_PER_CELL, *_CELLS)),
        )


def choose_population(
    reports: CodedReports, *, seed: int | None = None, workers: int = 1
) -> tuple[Population, list[Candidate]]:
    """Fit every learner on some records, choose by the others, and fit the chosen on all.

    The score of a learner is the mean log-probability that it gives to the reported
    class, given the reports: no truth is needed.
    """
    folds = _folds(reports, seed)

    def scored(fit: MixtureFit) -> FloatArray:
        found = [
            log_scores(fit_population(training, fit=fit, seed=seed), held_out)
            for training, held_out in folds
        ]
        return np.concatenate(found)

    with ThreadPoolExecutor(workers) as pool:
        scores = dict(zip(LEARNERS, pool.map(scored, LEARNERS.values()), strict=True))
    candidates = compared(scores, doubt=len(reports) <= _FEW)
    chosen = [LEARNERS[candidate.name] for candidate in candidates if candidate.chosen]
    runs = -(-_FINAL_RUNS // len(chosen))
    fits = [
        fit_population(reports, fit=replace(fit, runs=runs), seed=seed, workers=workers)
        for fit in chosen
    ]
    return averaged(fits), candidates


def _folds(reports: CodedReports, seed: int | None) -> list[tuple[CodedReports, CodedReports]]:
    """Return records to fit and others to score, all of them once where they are few."""
    rng = np.random.default_rng(None if seed is None else [seed, 1])
    few = len(reports) <= _FEW
    order = rng.permutation(len(reports))[:_MOST]
    parts = np.array_split(order, _FOLDS)
    return [
        (
            reports.some(np.sort(np.concatenate(parts[:k] + parts[k + 1 :]))),
            reports.some(np.sort(part)),
        )
        for k, part in enumerate(parts if few else parts[:1])
    ]


def compared(scores: Mapping[str, FloatArray], *, doubt: bool = False) -> list[Candidate]:
    """Return candidates from the scores of the same records by each.

    The best is chosen; in doubt, so is each that lies behind by no more than the standard
    error of that.
    """
    best = max(scores, key=lambda name: float(scores[name].mean()))
    found = []
    for name, own in scores.items():
        behind = scores[best] - own
        mean, error = float(behind.mean()), float(behind.std() / np.sqrt(max(1, len(own))))
        chosen = name == best or (doubt and mean <= error)
        found.append(Candidate(name, float(own.mean()), mean, error, chosen))
    return found


def log_scores(population: Population, reports: CodedReports) -> FloatArray:
    """Return the log-probability of the class that each record reports, given its reports."""
    chances = population.report_class_probabilities(reports) @ reports.label_matrix
    known = reports.labels >= 0
    return np.log(np.maximum(chances[known, reports.labels[known]], 1e-12))


@dataclass(frozen=True, eq=False)
class Chosen:
    """A tree by likelihood, and how it was chosen.

    Attributes
    ----------
    nodes : Nodes
        The tree on cells; its counts are those of the training records.
    columns : list of Cuts or Categorical
        The cells of all attributes; an attribute that tells nothing has none.
    missing : frozenset of str
        The attributes that had missing values.
    candidates : list of Candidate
        The learners that were compared.
    """

    nodes: Nodes
    columns: list[Column]
    missing: frozenset[str]
    candidates: list[Candidate]


def likelihood_tree(
    labelled: Labelled, growth: Growth, *, seed: int | None = None, workers: int = 1
) -> Chosen:
    """Return the tree that the best of the learners says."""
    codes = attribute_codes(labelled.table, labelled.spec, names=labelled.names)
    missing = frozenset(
        name for name, column in zip(labelled.names, codes.T, strict=True) if not column.all()
    )
    nothing: Column = cuts_of_values(np.empty(0))
    reports = labelled.coded(codes)
    if reports is None:
        warnings.warn(
            "fit: no attribute tells anything of the class beyond noise; the tree is a single "
            "leaf. More records, or less noise, may show more",
            ScumbleWarning,
            stacklevel=4,
        )
        return Chosen(_single_leaf(labelled), [nothing] * len(labelled.names), missing, [])
    population, candidates = choose_population(reports, seed=seed, workers=workers)
    records = len(labelled.labels)
    weight = min(_SAYS_MORE * records, DRAWS)
    growth = replace(
        growth,
        split=growth.split * weight / records,
        leaf=max(growth.leaf * weight / records, _LEAST_LEAF * weight),
    )
    draws = max(_LEAST_DRAWS, weight)
    nodes, columns = distil(
        population, growth, weight=weight, draws=draws, seed=seed, workers=workers
    )
    own = dict(zip(reports.attributes, columns, strict=True))
    places = np.array([labelled.names.index(name) for name in own] + [-1])
    # The last place is that of -1, which stands for a leaf.
    nodes = replace(
        nodes, attribute=places[nodes.attribute], counts=nodes.counts * records / weight
    )
    return Chosen(nodes, [own.get(name, nothing) for name in labelled.names], missing, candidates)


def _single_leaf(labelled: Labelled) -> Nodes:
    """Return the tree that knows nothing but the shares of the classes."""
    classes = len(labelled.matrix)
    reported = np.bincount(labelled.labels[labelled.labels >= 0], minlength=classes)
    shares = np.linalg.lstsq(labelled.matrix.T, reported / max(1, reported.sum()), rcond=None)[0]
    counts = np.maximum(shares, 0)[None] * len(labelled.labels)
    return Nodes(
        np.array([-1]),
        np.array([-1]),
        np.zeros((1, 1), dtype=np.uint8),
        np.zeros((1, 2), dtype=np.int64),
        counts,
    )
