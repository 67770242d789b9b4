"""Trees grown from draws of the truths behind few reports, averaged with the population."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scumble.mining._distil import distil
from scumble.mining._grow import Growth
from scumble.mining._prune import PRUNINGS
from scumble.mining._tree import Tree
from scumble.mining._tree_of_nodes import tree_from_nodes
from scumble.mining._truth_codes import values_of_codes
from scumble.population import Population, Reports, draw_truths

FloatArray = NDArray[np.float64]
Codes = NDArray[np.uint16]
_TREES = 10
# What a leaf knows before it has seen a record: half a record of each class, as where trees
# are pruned by the length of their description.
_BEFORE = 0.5


@dataclass(frozen=True, eq=False)
class DrawnTrees:
    """Trees grown from draws behind the records.

    Attributes
    ----------
    population : Population
        The joint distribution of truths and class.
    trees : sequence of Tree
        The trees, over the truths of the population.
    """

    population: Population
    trees: Sequence[Tree]

    def chances(self, codes: Codes) -> FloatArray:
        """Return P(class | truths), one row for each record: the average of the trees.

        Parameters
        ----------
        codes : array of uint16, (records, attributes)
            The cell of each truth, from 1 on; 0 is missing.
        """
        values = values_of_codes(codes, self.population)
        return np.asarray(np.mean([tree.chances(values) for tree in self.trees], axis=0))


def drawn_trees(
    population: Population, reports: Reports, *, seed: int | None = None, workers: int = 1
) -> DrawnTrees:
    """Grow trees from draws of the truths and classes behind reports.

    A mixture weighs every attribute, a pruned tree a few; on few records it is mostly
    chance which of them is nearer to the truth, and the average of both is better than either.
    Draws given the reports and the classes keep what the records say: what a coin that the
    class shares tells of it in clear, or what noise has hardly touched. Where noise leaves
    nothing of that, they are draws of the population, and the trees agree with it.

    Parameters
    ----------
    population : Population
        The joint distribution of truths and class.
    reports : CodedReports or JoinedReports
        The reports with their classes.
    seed : int, optional
        Makes it repeatable.
    workers : int
        How many threads may count.
    """
    rng = np.random.default_rng(None if seed is None else [seed, 2])
    trees = []
    for _ in range(_TREES):
        some = reports.some(rng.integers(0, len(reports), len(reports)))
        codes, classes = draw_truths(population, some, seed=int(rng.integers(2**31)))
        trees.append(_tree(population, codes, classes, workers))
    return DrawnTrees(population, trees)


def _tree(population: Population, codes: Codes, classes: NDArray[np.int64], workers: int) -> Tree:
    chances = np.eye(population.class_count)[classes]
    # They are asked for probabilities: leaves that tell shares apart but not classes are kept.
    growth = Growth(pruning=PRUNINGS["mdl"])
    nodes, columns = distil(codes, chances, population.cells, growth, workers=workers)
    tree = tree_from_nodes(
        nodes,
        columns,
        population.attributes,
        classes=np.arange(population.class_count),
        missing_seen=frozenset(),
    )
    return replace(tree, counts=tree.counts + _BEFORE)
