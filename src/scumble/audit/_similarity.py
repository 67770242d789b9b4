"""How similar are two trees? Their rules, their answers and what they look at."""

import textwrap
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._rules import Box, TreeOnRecords, on_records
from scumble.errors import SpecificationError
from scumble.mining.export._wording import percent

FloatArray = NDArray[np.float64]
_WIDTH = 80


@dataclass(frozen=True)
class ComparedRule:
    """A rule of one tree, and what the other tree has of it.

    Attributes
    ----------
    rule : str
        The rule as text.
    support : float
        The share of the original records for which its conditions hold.
    matched : bool
        Whether the other tree has a rule that matches it.
    overlap : float
        The largest Jaccard overlap, in original records, with a rule of the same class of
        the other tree.

    Examples
    --------
    >>> from scumble.audit import ComparedRule
    >>> ComparedRule("if age < 40 then A", support=0.3, matched=True, overlap=0.97).matched
    True
    """

    rule: str
    support: float
    matched: bool
    overlap: float


@dataclass(frozen=True, kw_only=True)
class TreeSimilarity:
    """How similar a tree is to the original one, on the original records.

    Attributes
    ----------
    recall : float
        The share of the records that lie in rules of the original tree which the other has.
    precision : float
        The share of the records that lie in rules of the other tree which the original has.
    soft_jaccard : float
        The overlap of each rule of the original tree with the nearest one of its class, as
        the Jaccard index of the records that they hold, weighted by support.
    agreement : float
        The share of the records to which both give the same class.
    attributes : float
        The Jaccard index of the sets of attributes that are tested.
    same_root : bool
        Whether both roots test the same attribute.
    same_root_test : bool
        Whether they test it at the same place.
    records : int
        The number of records.
    rules : tuple of ComparedRule
        The rules of the original tree, that with the largest support first.
    other_rules : tuple of ComparedRule
        Those of the other tree.

    Examples
    --------
    >>> from scumble import DisguisedTreeClassifier
    >>> from scumble.audit import compare_trees
    >>> X, y = [[1], [2], [3], [4]], ["no", "no", "yes", "yes"]
    >>> tree = DisguisedTreeClassifier(pruning=None).fit(X, y)
    >>> print(compare_trees(tree, tree, X).to_text())
    similarity of two trees on 4 records
      recall         1.000  records in rules that the other tree has, too
      precision      1.000  records in rules of the other tree that this one has
      soft Jaccard   1.000  overlap of the rules with their nearest
      agreement      1.000  records to which both give the same class
      attributes     1.000  overlap of the attributes tested
      root                  the same attribute, the same test
    kept
      50.0 %  if x0 < 2.5 then no
      50.0 %  if x0 >= 2.5 then yes
    """

    recall: float
    precision: float
    soft_jaccard: float
    agreement: float
    attributes: float
    same_root: bool
    same_root_test: bool
    records: int
    rules: tuple[ComparedRule, ...] = ()
    other_rules: tuple[ComparedRule, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return asdict(self)

    def to_text(self) -> str:
        """Return the figures and the rules kept, lost and new, at most 80 columns wide."""
        figures = (
            ("recall", self.recall, "records in rules that the other tree has, too"),
            ("precision", self.precision, "records in rules of the other tree that this one has"),
            ("soft Jaccard", self.soft_jaccard, "overlap of the rules with their nearest"),
            ("agreement", self.agreement, "records to which both give the same class"),
            ("attributes", self.attributes, "overlap of the attributes tested"),
        )
        lines = [f"similarity of two trees on {self.records:,} records"]
        lines += [f"  {name:14} {share:.3f}  {meaning}" for name, share, meaning in figures]
        lines.append(f"  {'root':14}        {self._root()}")
        lines += _listed("kept", [rule for rule in self.rules if rule.matched])
        lines += _listed("lost", [rule for rule in self.rules if not rule.matched])
        lines += _listed("new", [rule for rule in self.other_rules if not rule.matched])
        return "\n".join(lines)

    def _root(self) -> str:
        if not self.same_root:
            return "another attribute"
        return f"the same attribute, {'the same' if self.same_root_test else 'another'} test"


def _listed(heading: str, rules: Sequence[ComparedRule]) -> list[str]:
    lines = [heading] if rules else []
    for rule in rules:
        start = f"{percent(rule.support):>8}  "
        lines += textwrap.wrap(
            rule.rule,
            _WIDTH,
            initial_indent=start,
            subsequent_indent=" " * (len(start) + 2),
            break_on_hyphens=False,
        )
    return lines


def compare_trees(original: Any, other: Any, X: Any, *, tolerance: float = 0.05) -> TreeSimilarity:
    """Compare a tree, from a treated table say, with the tree from the original one.

    Parameters
    ----------
    original, other : Tree, or a fitted classifier that has one
        The trees.
    X : DataFrame or array
        The original records, on which supports are counted.
    tolerance : float
        By how much two bounds may differ, as a share of the original records, to count as
        the same.

    Raises
    ------
    TableError
        If the table does not hold what a tree tests.

    Examples
    --------
    >>> from scumble import DisguisedTreeClassifier
    >>> from scumble.audit import compare_trees
    >>> X, y = [[1], [2], [3], [4]], ["no", "no", "yes", "yes"]
    >>> tree = DisguisedTreeClassifier(pruning=None).fit(X, y)
    >>> moved = DisguisedTreeClassifier(pruning=None).fit(X, ["no", "yes", "yes", "yes"])
    >>> found = compare_trees(tree, moved, X)
    >>> found.recall, found.agreement, round(found.soft_jaccard, 2), found.same_root
    (0.0, 0.75, 0.58, True)

    Notes
    -----
    A rule is the box of a leaf with its class. Two rules match if they have the same class
    and the same attributes bounded on the same sides, and each bound of one lies within
    `tolerance` of the other's on the empirical distribution function of the attribute; of
    categories, if they let in the same of those that occur. Whether missing values go there
    does not matter. A record that misses a value and is sent down several ways counts for
    the leaf that gets most of it.

    The soft Jaccard index is sum_k s_k max_l |R_k & S_l| / |R_k | S_l|, where R_k are the
    records of leaf k of the original tree, s_k their share of all, and S_l those of the
    leaves of the other tree with the same class. It is not symmetric.
    """
    if not 0 <= tolerance < 1:
        raise SpecificationError(f"tolerance: expected 0 to 1, got {tolerance!r}")
    first, second = on_records(original, X), on_records(other, X)
    alike = _matches(first, second, tolerance)
    kept, known = np.asarray(alike.any(axis=1)), np.asarray(alike.any(axis=0))
    overlaps = _overlaps(first, second)
    size = len(first.values)
    return TreeSimilarity(
        recall=float(first.sizes[kept].sum() / size),
        precision=float(second.sizes[known].sum() / size),
        soft_jaccard=float(first.sizes @ overlaps.max(axis=1) / size),
        agreement=sum(map(_equal, first.answers, second.answers)) / size,
        attributes=_jaccard(first.attributes, second.attributes),
        same_root=first.root == second.root,
        same_root_test=first.root == second.root and _same_test(first, second, tolerance),
        records=size,
        rules=_compared(first, kept, overlaps.max(axis=1)),
        other_rules=_compared(second, known, overlaps.max(axis=0)),
    )


def _matches(first: TreeOnRecords, second: TreeOnRecords, tolerance: float) -> NDArray[np.bool_]:
    """Say which rules match, a line for each of the first tree."""
    return np.array(
        [
            [
                _equal(label, other) and box.is_near(near, tolerance=tolerance)
                for near, other in zip(second.boxes, second.labels, strict=True)
            ]
            for box, label in zip(first.boxes, first.labels, strict=True)
        ]
    )


def _overlaps(first: TreeOnRecords, second: TreeOnRecords) -> FloatArray:
    """Return the Jaccard index of the records of each two leaves; 0 of different classes."""
    shape = (len(first.leaves), len(second.leaves))
    both = np.bincount(first.reached * shape[1] + second.reached, minlength=shape[0] * shape[1])
    both = both.reshape(shape)
    either = first.sizes[:, None] + second.sizes[None, :] - both
    same = np.array([[_equal(a, b) for b in second.labels] for a in first.labels])
    return np.asarray(np.where(same, both / np.maximum(either, 1), 0.0))


def _same_test(first: TreeOnRecords, second: TreeOnRecords, tolerance: float) -> bool:
    """Tell whether the roots part the records alike; branches that nobody takes do not count."""
    branches: list[list[Box]] = [
        [box for box in boxes if all(box.values.values())]
        for boxes in (first.first_boxes, second.first_boxes)
    ]
    return all(
        any(box.is_near(near, tolerance=tolerance) for near in some)
        for boxes, some in (branches, branches[::-1])
        for box in boxes
    )


def _equal(label: Any, other: Any) -> bool:
    return bool(label == other)


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 1.0


def _compared(
    tree: TreeOnRecords, matched: NDArray[np.bool_], overlaps: FloatArray
) -> tuple[ComparedRule, ...]:
    rules = [
        ComparedRule(text, float(size / len(tree.values)), bool(found), float(overlap))
        for text, size, found, overlap in zip(
            tree.texts, tree.sizes, matched, overlaps, strict=True
        )
    ]
    return tuple(sorted(rules, key=lambda rule: -rule.support))
