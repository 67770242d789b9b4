"""A tree as a list of rules, one for each leaf."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from scumble.mining._tree import Tree
from scumble.mining.export._conditions import Conditions
from scumble.mining.export._wording import percent, plain


@dataclass(frozen=True)
class Rule:
    """If all conditions hold, then the label.

    Attributes
    ----------
    conditions : tuple of str
        What must hold, one text for each attribute; empty where nothing must.
    label : Any
        The class.
    support : float
        The share of all training records for which the conditions hold.
    confidence : float
        The share of the label among these.
    count : float
        How many records these are, or their weight.

    Examples
    --------
    >>> print(Rule(("40 <= age < 60", "salary < 50000"), "B", 0.123, 0.975, 1230.0))
    if 40 <= age < 60 and salary < 50000 then B (support 12.3 %, confidence 97.5 %)
    >>> print(Rule((), "A", 1.0, 0.6, 100.0))
    always A (support 100.0 %, confidence 60.0 %)
    """

    conditions: tuple[str, ...]
    label: Any
    support: float
    confidence: float
    count: float

    def __str__(self) -> str:
        several = len(self.conditions) > 1
        texts = [f"({c})" if several and c.endswith(" or missing") else c for c in self.conditions]
        start = f"if {' and '.join(texts)} then" if texts else "always"
        ground = f"(support {percent(self.support)}, confidence {percent(self.confidence)})"
        return f"{start} {plain(self.label)} {ground}"


def tree_rules(tree: Tree) -> list[Rule]:
    """Return the rules of a tree, that with the largest support first.

    Every record satisfies the conditions of exactly one of them; but where a missing value goes
    down every branch (C4.5, likelihood), one that misses what is tested counts for several.

    Examples
    --------
    >>> from scumble import DisguisedTreeClassifier
    >>> X, y = [[1], [2], [3], [4]], ["no", "yes", "no", "no"]
    >>> tree = DisguisedTreeClassifier(pruning=None).fit(X, y).tree_
    >>> for rule in tree_rules(tree)[:2]:
    ...     print(rule)
    if x0 >= 2.5 then no (support 50.0 %, confidence 100.0 %)
    if x0 < 1.5 then no (support 25.0 %, confidence 100.0 %)
    """
    conditions = Conditions(tree)
    counts = tree.counts.sum(axis=1)
    rules = [
        Rule(
            conditions=tuple(conditions.of_path(leaf)),
            label=tree.label(leaf),
            support=float(counts[leaf] / counts[0]),
            confidence=float(tree.probabilities[leaf].max()),
            count=float(counts[leaf]),
        )
        for leaf in np.flatnonzero(tree.attribute < 0).tolist()
    ]
    return sorted(rules, key=lambda rule: -rule.support)
