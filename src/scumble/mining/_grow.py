"""The one grower: level by level, from counts of codes by node, class and attribute."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from scumble.engines import Source, Splits, TellingSource
from scumble.mining._cuts import Column, is_nominal
from scumble.mining._nodes import Nodes
from scumble.mining._prune import Pruning
from scumble.schema import Categorical

CriterionName = Literal["gini", "entropy"]
CRITERIA = ("gini", "entropy")
# An attribute of more values, as a share of the records, does not count for the average gain.
_MANY_VALUES = 0.3
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Growth:
    """How a tree grows.

    Attributes
    ----------
    criterion : {"gini", "entropy", "gain-ratio"}
        What a good split decreases; or by gain ratio, with a branch for each category and
        missing values that go down all branches (C4.5).
    depth : int, optional
        How deep the tree may get.
    split, leaf : float
        The least weight of records in a node that is split, and in a leaf.
    decrease : float
        The least decrease of impurity, weighted by the share of the records.
    pruning : Pruning, optional
        What the tree is cut back by; a node that it would cut back anyway is not
        grown.
    significance : float, optional
        By how many standard errors the sides of a split must differ, where the source
        tells.
    """

    criterion: CriterionName | Literal["gain-ratio"] = "gini"
    depth: int | None = None
    split: float = 0
    leaf: float = 0
    decrease: float = 0.0
    pruning: Pruning | None = None
    significance: float | None = None


@dataclass(frozen=True, eq=False)
class Level:
    """The nodes of one level, and the best split of each.

    Attributes
    ----------
    counts : array of float, (nodes, classes)
        The weight of each class.
    gains : array of float
        The decrease of impurity times the weight of the node.
    attribute : array of int
        The attribute of the best split; -1 where there is none.
    branch : array of int16, (nodes, cells)
        The branch that each cell takes; cell 0 is the missing.
    ways : array of int
        The number of branches.
    ends : array of int, (nodes, 2)
        Of ordered cells, the last on the left and the first on the right that hold
        records; of others the number of values that do.
    """

    counts: FloatArray
    gains: FloatArray
    attribute: NDArray[np.int64]
    branch: NDArray[np.int16]
    ways: NDArray[np.int64]
    ends: NDArray[np.int64]


def grow(
    source: Source,
    columns: Sequence[Column],
    growth: Growth,
    *,
    told: Callable[[str], Any] = str,
) -> Nodes:
    """Grow a tree and cut it back.

    Parameters
    ----------
    source : Source
        Who counts.
    columns : sequence of Cuts or Categorical
        The cells of each attribute.
    growth : Growth
        When to split, when to stop, what to cut back.
    told : callable, optional
        Told of each level of nodes that is done.
    """
    kept = 1 + max((len(c) for c in columns if isinstance(c, Categorical)), default=0)
    levels: list[Level] = []
    attributes: list[NDArray[np.int64]] = []
    total = 0.0
    while not levels or (attributes[-1] >= 0).any():
        level = best_splits_of_level(source, columns, growth, total=total)
        total = total or float(level.counts.sum())
        stopped = _stopped(level, columns, growth, depth=len(levels), total=total)
        splits = Splits(np.where(stopped, -1, level.attribute), level.branch, level.ways)
        if growth.significance is not None:
            evidence = cast("TellingSource", source).evidence(splits)
            splits = replace(
                splits, attribute=np.where(evidence < growth.significance, -1, splits.attribute)
            )
        attributes.append(splits.attribute)
        levels.append(level)
        source.split(splits)
        # Of ordered cells the ends say all; a table of all cells would not fit in memory.
        levels[-1] = replace(level, branch=level.branch[:, :kept])
        told("grew a level")
    nodes = _joined(levels, attributes)
    return nodes if growth.pruning is None else growth.pruning.prune(nodes, columns)


def best_splits_of_level(
    source: Source, columns: Sequence[Column], growth: Growth, *, total: float = 0.0
) -> Level:
    """Return the nodes of a level with the best split of each.

    `total` is the weight of all records, which the root need not be told.
    """
    nominal = np.array([is_nominal(column) for column in columns])
    widest = max(len(column) for column in columns) + 1
    parts = []
    for counts in source.counts():
        size = len(counts)
        part = Level(
            np.empty((size, counts.shape[2])),
            np.empty(size),
            np.empty(size, dtype=np.int64),
            np.zeros((size, widest), dtype=np.int16),
            np.full(size, 2),
            np.zeros((size, 2), dtype=np.int64),
        )
        if growth.criterion == "gain-ratio":
            total = total or float(counts[0, : source.offsets[1]].sum())
            _search_ratios(counts, source.offsets, columns, growth.leaf, part, total=total)
        else:
            _search(counts, source.offsets, nominal, growth, part)
        parts.append(part)
    return Level(
        *(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Level))
    )


def _search(
    counts: FloatArray,
    offsets: NDArray[np.int64],
    nominal: NDArray[np.bool_],
    growth: Growth,
    part: Level,
) -> None:
    """Fill in the best splits by purity."""
    from scumble.mining._search import best_splits

    best_splits(
        counts,
        offsets,
        nominal if nominal.any() else None,
        CRITERIA.index(growth.criterion),
        # Whole numbers would be compiled for once more.
        float(growth.leaf),
        part.counts,
        part.gains,
        part.attribute,
        part.branch,
        part.ends,
    )


def _search_ratios(
    counts: FloatArray,
    offsets: NDArray[np.int64],
    columns: Sequence[Column],
    least: float,
    part: Level,
    *,
    total: float,
) -> None:
    """Fill in the best splits by gain ratio."""
    from scumble.mining._gain_ratio import best_ratios

    nominal = np.array([is_nominal(column) for column in columns])
    few = np.array([len(column) < _MANY_VALUES * total for column in columns])
    averaged = ~nominal | few
    best_ratios(
        counts,
        offsets,
        nominal,
        averaged if averaged.any() else np.ones_like(averaged),
        least,
        part.counts,
        part.gains,
        part.attribute,
        part.branch,
        part.ways,
        part.ends,
    )


def _stopped(
    level: Level, columns: Sequence[Column], growth: Growth, *, depth: int, total: float
) -> NDArray[np.bool_]:
    """Say which nodes become leaves."""
    weight = level.counts.sum(axis=1)
    stopped = (level.attribute < 0) | (level.counts.max(axis=1) >= weight) | (weight < growth.split)
    stopped |= level.gains / total < growth.decrease - np.finfo(float).eps
    if growth.depth is not None and depth >= growth.depth:
        stopped[:] = True
    if growth.pruning is not None:
        stopped |= growth.pruning.hopeless(level.counts, columns)
    return np.asarray(stopped)


def _joined(levels: Sequence[Level], attributes: Sequence[NDArray[np.int64]]) -> Nodes:
    """Return the nodes of all levels, numbered from the root down."""
    attribute = np.concatenate(attributes)
    ways, branch, ends, counts = (
        np.concatenate([getattr(level, name) for level in levels])
        for name in ("ways", "branch", "ends", "counts")
    )
    ways = np.where(attribute >= 0, ways, 0)
    # The children of the first node that is split begin with node 1, and so on.
    child = np.where(attribute >= 0, 1 + np.cumsum(ways) - ways, -1)
    return Nodes(attribute, child, ways, branch, ends, counts)
