"""A tree by likelihood through the channel: populations compete, the best is distilled."""

import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.errors import ScumbleWarning
from scumble.mining._cuts import Column, cuts_of_values
from scumble.mining._distil import DRAWS, distil
from scumble.mining._grow import Growth
from scumble.mining._leaf_learner import class_log_scores, learn_leaves
from scumble.mining._screen import telling_attributes
from scumble.mining._tree import Tree, tree_from_nodes
from scumble.mining.leaves import Box, LeafModel, tree_of_leaves
from scumble.population import (
    CodedReports,
    MixtureFit,
    Population,
    attribute_codes,
    code_reports,
    fit_population,
)
from scumble.schema import Attribute, Specification
from scumble.tables import Table

FloatArray = NDArray[np.float64]
LEARNERS = {
    "mixture": MixtureFit(smooth=False, runs=1),
    "smooth mixture": MixtureFit(smooth=True, runs=1),
    "small mixture": MixtureFit(components=8, runs=1),
}
_HELD_OUT = 0.2
_FINAL_RUNS = 4
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
        Whether it was taken.
    why : str
        What else was looked at.
    """

    name: str
    score: float
    behind: float
    error: float
    chosen: bool
    why: str = ""


@dataclass(frozen=True, eq=False)
class Labelled:
    """Reports with the class that each record reports.

    Attributes
    ----------
    table : Table
        The reports.
    spec : Specification
        What disguised them.
    attributes : mapping of str to Numeric or Categorical
        What the tree may test.
    classes : array
        The labels of the classes.
    labels : array of int
        The reported class of each record, as its place.
    matrix : array, (classes, classes)
        P(reported class | class).
    """

    table: Table
    spec: Specification
    attributes: Mapping[str, Attribute]
    classes: NDArray[Any]
    labels: NDArray[np.int64]
    matrix: FloatArray

    @property
    def names(self) -> list[str]:
        """The names of the attributes."""
        return list(self.attributes)

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
        )


@dataclass(frozen=True, eq=False)
class Choice:
    """What won, fitted to all records: a population or leaves.

    Attributes
    ----------
    candidates : list of Candidate
        Everything that was compared.
    population : Population, optional
        The population, if one won.
    leaves : LeafModel, optional
        The leaves, if they won.
    """

    candidates: list[Candidate]
    population: Population | None = None
    leaves: LeafModel | None = None


def choose(reports: CodedReports, *, seed: int | None = None, workers: int = 1) -> Choice:
    """Fit every learner on some records, choose by the others, and fit the best on all.

    The score of a learner is the mean log-probability that it gives to the reported
    class, given the reports: no truth is needed.
    """
    rng = np.random.default_rng(None if seed is None else [seed, 1])
    parts = rng.random(len(reports)) < _HELD_OUT
    held_out, training = reports.some(np.flatnonzero(parts)), reports.some(np.flatnonzero(~parts))

    def scored(fit: MixtureFit) -> tuple[Population, FloatArray]:
        population = fit_population(training, fit=fit, seed=seed)
        return population, class_log_scores(population, held_out)

    with ThreadPoolExecutor(workers) as pool:
        rivals = dict(zip(LEARNERS, pool.map(scored, LEARNERS.values()), strict=True))
    scores = {name: found for name, (_, found) in rivals.items()}
    best = max(scores, key=lambda name: float(scores[name].mean()))
    leaves = learn_leaves(training, held_out, rivals, seed=seed, workers=workers)
    chosen = best
    if leaves is not None:
        scores["leaves"] = leaves.scores
        chosen = "leaves" if leaves.wins else best
    candidates = [
        Candidate(
            name,
            float(found.mean()),
            float((scores[best] - found).mean()),
            float((scores[best] - found).std() / np.sqrt(max(1, len(found)))),
            name == chosen,
            leaves.why if leaves is not None and name == "leaves" else "",
        )
        for name, found in scores.items()
    ]
    if leaves is not None and leaves.wins:
        return Choice(candidates, leaves=leaves.fitted(reports))
    final = replace(LEARNERS[best], runs=_FINAL_RUNS)
    return Choice(candidates, fit_population(reports, fit=final, seed=seed, workers=workers))


@dataclass(frozen=True, eq=False)
class Chosen:
    """A tree by likelihood, and how it was chosen.

    Attributes
    ----------
    tree : Tree
        The tree; its counts are those of the training records.
    candidates : list of Candidate
        The learners that were compared.
    """

    tree: Tree
    candidates: list[Candidate]


def likelihood_tree(
    labelled: Labelled, growth: Growth, *, seed: int | None = None, workers: int = 1
) -> Chosen:
    """Return the tree that the best of the learners says."""
    codes = attribute_codes(labelled.table, labelled.spec, names=labelled.names)
    missing = frozenset(
        name for name, column in zip(labelled.names, codes.T, strict=True) if not column.all()
    )
    reports = labelled.coded(codes)
    if reports is None:
        warnings.warn(
            "fit: no attribute tells anything of the class beyond noise; the tree is a single "
            "leaf. More records, or less noise, may show more",
            ScumbleWarning,
            stacklevel=4,
        )
        return Chosen(_tree_of(labelled, [Box()], _class_counts(labelled), [], missing), [])
    choice = choose(reports, seed=seed, workers=workers)
    if choice.leaves is not None:
        model = choice.leaves
        places = [labelled.names.index(name) for name in model.reports.attributes]
        counts = model.shares[:, None] * model.weights / model.norm * len(labelled.labels)
        return Chosen(_tree_of(labelled, model.boxes, counts, places, missing), choice.candidates)
    assert choice.population is not None
    tree = _distilled(labelled, choice.population, growth, missing, seed=seed, workers=workers)
    return Chosen(tree, choice.candidates)


def _distilled(
    labelled: Labelled,
    population: Population,
    growth: Growth,
    missing: frozenset[str],
    *,
    seed: int | None,
    workers: int,
) -> Tree:
    """Return the tree that says what a population says."""
    scale = len(labelled.labels) / DRAWS
    growth = replace(growth, leaf=max(growth.leaf / scale, _LEAST_LEAF * DRAWS))
    nodes, columns = distil(population, growth, seed=seed, workers=workers)
    own = dict(zip(population.attributes, columns, strict=True))
    places = np.array([labelled.names.index(name) for name in own] + [-1])
    # The last place is that of -1, which stands for a leaf.
    nodes = replace(nodes, attribute=places[nodes.attribute], counts=nodes.counts * scale)
    nothing: Column = cuts_of_values(np.empty(0))
    return tree_from_nodes(
        nodes,
        [own.get(name, nothing) for name in labelled.names],
        labelled.attributes,
        classes=labelled.classes,
        missing_seen=missing,
    )


def _tree_of(
    labelled: Labelled,
    boxes: Sequence[Box],
    counts: FloatArray,
    places: Sequence[int],
    missing: frozenset[str],
) -> Tree:
    return tree_of_leaves(
        boxes,
        counts,
        places,
        attributes=labelled.attributes,
        classes=labelled.classes,
        missing_seen=missing,
    )


def _class_counts(labelled: Labelled) -> FloatArray:
    """Return how many records each class has, as one row."""
    classes = len(labelled.matrix)
    reported = np.bincount(labelled.labels[labelled.labels >= 0], minlength=classes)
    shares = np.linalg.lstsq(labelled.matrix.T, reported / max(1, reported.sum()), rcond=None)[0]
    return np.asarray(np.maximum(shares, 0)[None] * len(labelled.labels))
