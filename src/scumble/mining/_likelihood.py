"""A tree by likelihood through the channel: populations compete, the best is distilled."""

import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scumble.errors import ScumbleWarning
from scumble.mining._beside import beside
from scumble.mining._candidate import Candidate
from scumble.mining._choice import Choice, choose
from scumble.mining._cuts import Column, cuts_of_values
from scumble.mining._distil import MOST_LEAVES, distil
from scumble.mining._grow import Growth
from scumble.mining._judged import Judges
from scumble.mining._labelled import Labelled
from scumble.mining._stages import Stages
from scumble.mining._sureness import sharpened, sureness_of, with_chances
from scumble.mining._teacher import Rules, Teacher, teacher_of, with_rules
from scumble.mining._tree import Tree
from scumble.mining._tree_of_nodes import tree_from_nodes
from scumble.mining._truth_codes import values_of_codes
from scumble.mining.leaves import Box, LeafModel, tree_of_leaves
from scumble.population import Population

FloatArray = NDArray[np.float64]
# A teacher is smoother than records are: what it says counts for more than they do.
_SAYS_MORE = 10
_MOST_WEIGHT = 3_000_000
# A tree grows from answers taken to this power: leaves go where classes change.
_DECIDED = 3.0
_DRAWS = (50_000, 300_000)
# In this part of the draws, the last of them, one attribute is drawn anew. A tree grows from them
# too, but they are no people: a leaf that has others hardly counts them.
_ANEW = 0.1
_HARDLY = 0.001
# A draw is a row for each class.
_MOST_ROWS = 3_000_000
_LEAST_LEAF = 1 / 50_000
# So many records there are for each leaf at the least, but a few leaves there may always be for
# each class; by whether the class is disguised. There, records tell less, but what is said of few
# is an average of trees, of folds and of mirror images: the tree may take more leaves to say it,
# and is pruned as if of so many records.
_RECORDS_PER_LEAF = {False: 100, True: 200}
_FEW_LEAVES = {False: 10.0, True: 17.5}
_LEAST_WEIGHT_OF_AVERAGES = 30_000
# Rules that weigh less are not heard.
_HEARD = 0.05
# How sure leaves are, where rules as likely differ, is told by so many draws.
_SOFTENED_DRAWS = 30_000
# How sure it may be is judged on some draws, cut into some 250 leaves.
_JUDGED_DRAWS = 60_000
_JUDGED_DEPTH = 8
_JUDGED_LEAF = 1 / 1000


@dataclass(frozen=True, eq=False)
class Chosen:
    """A tree by likelihood, and how it was chosen.

    Attributes
    ----------
    tree : Tree
        The tree; its counts are those of the training records.
    candidates : list of Candidate
        The learners that were compared.
    teacher : Teacher, optional
        What the tree was distilled from, or what says how sure its leaves are.
    """

    tree: Tree
    candidates: list[Candidate]
    teacher: "Teacher | None" = None


def likelihood_tree(
    labelled: Labelled,
    growth: Growth,
    *,
    ensembles: int = 1,
    stages: Stages | None = None,
    seed: int | None = None,
    workers: int = 1,
) -> Chosen:
    """Return the tree that the best of the learners says.

    Parameters
    ----------
    labelled : Labelled
        The records.
    growth : Growth
        How the tree grows.
    ensembles : int
        How many networks and ensembles of trees teach it, where there are many records; and
        how many times as many fits of a population are averaged.
    stages : Stages, optional
        Who is told how far it has come.
    seed : int, optional
        Makes it repeatable.
    workers : int
        How many threads may work.
    """
    missing = labelled.missing_seen
    reports = labelled.coded()
    if reports is None:
        warnings.warn(
            "fit: no attribute tells anything of the class beyond noise; the tree is a single "
            "leaf. More records, or less noise, may show more",
            ScumbleWarning,
            stacklevel=4,
        )
        counts = labelled.class_counts()
        return Chosen(_tree_of(labelled, [Box()], counts, [], missing, growth), [])
    stages = stages or Stages(shown=False)
    choice = choose(reports, times=ensembles, stages=stages, seed=seed, workers=workers)
    if choice.population is None:
        model = choice.leaves
        assert model is not None
        places = [labelled.names.index(name) for name in model.reports.attributes]
        counts = model.shares[:, None] * model.weights / model.norm * len(labelled)
        tree = _tree_of(labelled, model.boxes, counts, places, missing, growth)
        teacher = _alone(model, choice.rules, len(counts.T))
        draws, _ = teacher.population.sample(_SOFTENED_DRAWS, seed=seed)
        values = values_of_codes(draws, teacher.population, labelled.names)
        tree = with_chances(tree, tree.leaves(values), teacher.chances(draws))
        return Chosen(tree, choice.candidates, teacher)
    stages.expect(2)
    teacher, taught = teacher_of(
        choice.population,
        reports if choice.rest is None else choice.rest,
        choice.judges,
        many=choice.rest is not None,
        ensembles=ensembles,
        seed=seed,
        workers=workers,
    )
    teacher, candidates = _heard(teacher, choice, seed=seed, workers=workers)
    stages.done("taught the teacher")
    of_averages = reports.class_is_disguised
    said = _said(labelled, teacher, of_averages=of_averages, seed=seed, workers=workers)
    with ThreadPoolExecutor(max(1, workers)) as pool:
        grown = pool.submit(_distilled, said, growth, of_averages=of_averages)
        sureness = pool.submit(_sureness, said, growth, choice.judges)
    tree = grown.result()
    said = replace(said, teacher=replace(teacher, sureness=sureness.result()))
    teacher = said.teacher
    tree = with_chances(tree, tree.leaves(said.values), said.chances, counted=said.counted)
    stages.done("distilled the tree")
    return Chosen(tree, candidates + taught, teacher)


def _heard(
    teacher: Teacher, choice: Choice, *, seed: int | None, workers: int
) -> tuple[Teacher, list[Candidate]]:
    """Return a teacher who hears rules, if they are no worse, and what was compared."""
    if choice.rules is None or choice.tried is None:
        return teacher, choice.candidates
    chance, ahead = beside(choice.tried, teacher, choice.judges, seed=seed, workers=workers)
    weight = choice.tried.weight * chance
    heard = weight >= _HEARD
    why = f"; beside the others {ahead:+.1f} standard errors, and weighs {100 * weight:.0f} %"
    candidates = [
        replace(own, chosen=heard, why=own.why + why) if own.name == "leaves" else own
        for own in choice.candidates
    ]
    return with_rules(teacher, choice.rules if heard else None, weight), candidates


def _alone(model: LeafModel, rules: Rules | None, classes: int) -> Teacher:
    """Return a teacher who says what rules say, of people whose attributes are independent."""
    shares = [density.shares[None] for density in model.densities]
    reports = model.reports
    one = Population(
        reports.attributes, reports.cells, np.array([1.0]), np.array([0]), shares, classes
    )
    return with_rules(Teacher(one), rules or model, 1.0)


@dataclass(frozen=True, eq=False)
class _Said:
    """Draws of truths, what is said of them, and how many records that is worth."""

    labelled: Labelled
    teacher: Teacher
    codes: NDArray[np.uint16]
    others: FloatArray
    rules: FloatArray | None
    weight: float
    workers: int

    @property
    def population(self) -> Population:
        """Whose draws they are."""
        return self.teacher.population

    @cached_property
    def chances(self) -> FloatArray:
        """What the teacher says of them."""
        return self.teacher.average(self.others, self.rules)

    @property
    def counted(self) -> FloatArray:
        """How much each draw counts where people are counted."""
        people = _people(len(self.codes))
        return np.repeat([1.0, _HARDLY], [people, len(self.codes) - people])

    @property
    def values(self) -> FloatArray:
        """The draws as a tree takes them."""
        return values_of_codes(self.codes, self.population, self.labelled.names)

    def tree(self, growth: Growth, *, leaves: int = MOST_LEAVES) -> Tree:
        """Return the tree that says it, which weighs as much as the records."""
        population, records = self.population, len(self.labelled)
        nodes, columns = distil(
            self.codes,
            sharpened(self.chances, _DECIDED),
            population.cells,
            growth,
            weight=self.weight,
            leaves=leaves,
            workers=self.workers,
        )
        own = dict(zip(population.attributes, columns, strict=True))
        places = np.array([self.labelled.names.index(name) for name in own] + [-1])
        # The last place is that of -1, which stands for a leaf.
        nodes = replace(
            nodes, attribute=places[nodes.attribute], counts=nodes.counts * records / self.weight
        )
        nothing: Column = cuts_of_values(np.empty(0))
        return tree_from_nodes(
            nodes,
            [own.get(name, nothing) for name in self.labelled.names],
            self.labelled.attributes,
            classes=self.labelled.classes,
            missing_seen=self.labelled.missing_seen,
        )


def _said(
    labelled: Labelled, teacher: Teacher, *, of_averages: bool, seed: int | None, workers: int
) -> _Said:
    """Ask a teacher about draws of its population."""
    population = teacher.population
    least = _LEAST_WEIGHT_OF_AVERAGES if of_averages else 0
    weight = min(max(_SAYS_MORE * len(labelled), least), _MOST_WEIGHT)
    draws = min(int(np.clip(weight, *_DRAWS)), _MOST_ROWS // population.class_count)
    codes = _asked(population, draws, seed)
    rules = None if teacher.rules is None else teacher.rules.chances_of(population, codes)
    with ThreadPoolExecutor(max(1, workers)) as pool:
        parts = np.array_split(codes, max(1, workers))
        others = np.concatenate(list(pool.map(teacher.without_rules, parts)))
    return _Said(labelled, teacher, codes, others, rules, weight, workers)


def _asked(population: Population, draws: int, seed: int | None) -> NDArray[np.uint16]:
    """Return truths to ask a teacher about: draws, in the last of which one attribute is anything.

    Behind much noise a population may have next to nobody with a value that many have. What
    the teacher says of them is right all the same, as rules and neighbours tell; a tree that
    had seen none would not know.
    """
    codes, _ = population.sample(draws, seed=seed)
    rng = np.random.default_rng(None if seed is None else [seed, 6])
    people = _people(draws)
    which = rng.integers(0, codes.shape[1], draws - people)
    for j, cells in enumerate(population.cells):
        own = people + np.flatnonzero(which == j)
        codes[own, j] = rng.integers(1, len(cells) + 1, len(own))
    return codes


def _people(draws: int) -> int:
    """Return how many of the draws that a teacher is asked about are people as they are."""
    return draws - int(_ANEW * draws)


def _distilled(said: _Said, growth: Growth, *, of_averages: bool) -> Tree:
    """Return the tree that says what a teacher says."""
    records = len(said.labelled)
    growth = replace(
        growth,
        split=growth.split * said.weight / records,
        leaf=max(growth.leaf * said.weight / records, _LEAST_LEAF * said.weight),
    )
    few = int(_FEW_LEAVES[of_averages] * said.population.class_count)
    most = max(records // _RECORDS_PER_LEAF[of_averages], few)
    return said.tree(growth, leaves=min(most, MOST_LEAVES))


def _sureness(said: _Said, growth: Growth, judges: Judges) -> float:
    """Return how sure the teacher may be but for rules, judged on leaves that are small."""
    few = slice(0, min(_JUDGED_DRAWS, _people(len(said.codes))))
    said = replace(said, codes=said.codes[few], others=said.others[few], rules=None)
    finer = Growth(criterion=growth.criterion, depth=_JUDGED_DEPTH, leaf=_JUDGED_LEAF * said.weight)
    tree = said.tree(finer)
    leaves = tree.leaves(said.values)
    return sureness_of(tree, leaves, said.chances, judges, workers=said.workers)


def _tree_of(
    labelled: Labelled,
    boxes: Sequence[Box],
    counts: FloatArray,
    places: Sequence[int],
    missing: frozenset[str],
    growth: Growth,
) -> Tree:
    return tree_of_leaves(
        boxes,
        counts,
        places,
        attributes=labelled.attributes,
        classes=labelled.classes,
        missing_seen=missing,
        depth=growth.depth,
        least=growth.leaf,
    )
