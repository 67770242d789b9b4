"""How the tests of a tree read: on one branch, and along a whole path."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from scumble.mining._tree import Tree
from scumble.mining.export._bounds import Bound, between, bounds_of
from scumble.mining.export._wording import among, plain
from scumble.schema import Categorical, Domain, Numeric


@dataclass(frozen=True)
class Scope:
    """Which values of an attribute lead to a node.

    Attributes
    ----------
    low, high : float
        Numbers from `low` on and below `high`.
    left_out : frozenset of int
        The categories that do not lead there, by their place in the list.
    missing : bool
        Whether a missing value leads there.
    """

    low: float = -math.inf
    high: float = math.inf
    left_out: frozenset[int] = frozenset()
    missing: bool = True

    def holds_none(self, attribute: Domain) -> bool:
        """Say whether no value that is known leads there."""
        if isinstance(attribute, Categorical):
            return len(self.left_out) == len(attribute)
        return self.low >= self.high

    @property
    def holds_all(self) -> bool:
        """Whether every value that is known leads there."""
        return replace(self, missing=True) == Scope()


@dataclass(frozen=True, eq=False)
class Conditions:
    """The conditions of a tree, as text.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import DisguisedTreeClassifier
    >>> X = pa.table({"age": [20, 30, 50, 70], "car": ["old", "new", "old", "none"]})
    >>> model = DisguisedTreeClassifier(pruning=None).fit(X, ["A", "A", "B", "A"])
    >>> conditions = Conditions(model.tree_)
    >>> conditions.of_branch(1), conditions.of_branch(2)
    ('age < 40', 'age >= 40')
    >>> conditions.of_path(3)
    ['40 <= age < 60']

    Notes
    -----
    A threshold just above a number comes from a number with a cell of its own, such as
    a commission of 0; it reads "commission <= 0". An infinite one has all numbers on
    its left and reads "age is known" and "age is missing". Whether missing values take
    a branch is told where there were any in training; not where they go down every branch.
    """

    tree: Tree

    def of_branch(self, node: int, *, width: int | None = None) -> str:
        """Return the condition that leads from the parent of a node to it.

        Parameters
        ----------
        node : int
            The node; not the root.
        width : int, optional
            Shorten a list of categories so that the text has about so many characters.
        """
        return self._text(self._tested(node), self._narrowed(Scope(), node), width)

    def word(self, node: int, *, width: int | None = None) -> str:
        """Return what stands at the branch to a node in a picture, where its parent has a test.

        Of two branches the test stands at the parent, and holds or not; of more than two the
        attribute does.
        """
        parent = int(self.tree.parent[node])
        if self.tree.ways[parent] == 2:
            return "yes" if node == self.tree.child[parent] else "no"
        text = self.of_branch(node, width=width)
        return (
            text.removeprefix(plain(self.tree.names[self._tested(node)]))
            .removeprefix(" = ")
            .strip()
        )

    def test(self, node: int, *, width: int | None = None) -> str:
        """Return what stands in the box of a node that has a test."""
        if self.tree.ways[node] == 2:
            return self.of_branch(int(self.tree.child[node]), width=width)
        return f"{plain(self.tree.names[self.tree.attribute[node]])}?"

    def of_path(self, node: int) -> list[str]:
        """Return the conditions that lead from the root to a node, one for each attribute."""
        return [self._text(place, scope, None) for place, scope in self.scopes(node).items()]

    def scopes(self, node: int) -> dict[int, Scope]:
        """Return which values lead to a node, by the place of the attributes tested on the way."""
        scopes: dict[int, Scope] = {}
        for step in self.tree.path(node)[1:]:
            place = self._tested(step)
            scopes[place] = self._narrowed(scopes.get(place, Scope()), step)
        return scopes

    @cached_property
    def _attributes(self) -> list[Domain]:
        return list(self.tree.attributes.values())

    def _tested(self, node: int) -> int:
        """Return the place of the attribute that the parent of a node tests."""
        return int(self.tree.attribute[self.tree.parent[node]])

    def _narrowed(self, scope: Scope, node: int) -> Scope:
        """Return what is left of a scope behind the branch to a node."""
        parent = int(self.tree.parent[node])
        branch = node - int(self.tree.child[parent])
        # One that goes down every branch is told of none.
        missing = scope.missing and bool(self.tree.missing[parent] == branch)
        attribute = self._attributes[self._tested(node)]
        if isinstance(attribute, Categorical):
            away = frozenset(np.flatnonzero(self.tree.branches[parent] != branch).tolist())
            return replace(scope, left_out=scope.left_out | away, missing=missing)
        threshold = float(self.tree.threshold[parent])
        if branch == 0:
            return replace(scope, high=min(scope.high, threshold), missing=missing)
        return replace(scope, low=max(scope.low, threshold), missing=missing)

    def _text(self, place: int, scope: Scope, width: int | None) -> str:
        attribute, key = self._attributes[place], self.tree.names[place]
        name = plain(key)
        if scope.holds_none(attribute):
            # Tests of reports may contradict each other: no truth takes such a path.
            return f"{name} is {'missing' if scope.missing else 'impossible'}"
        if scope.holds_all:
            return f"{name} is {'anything' if scope.missing else 'known'}"
        end = " or missing" if scope.missing and key in self.tree.missing_seen else ""
        if isinstance(attribute, Categorical):
            room = None if width is None else width - len(name) - len(end) - 1
            return f"{name} {_of_values(attribute, scope.left_out, room)}{end}"
        return between(name, scope.low, scope.high, bounds=self._bounds[place]) + end

    @cached_property
    def _bounds(self) -> list[dict[float, Bound]]:
        """How the thresholds of each attribute read."""
        # The more records, the closer they lie: a number is not rounded past one.
        digits = max(6, 2 + math.ceil(math.log10(max(1.0, self.tree.counts[0].sum()))))
        bounds: list[dict[float, Bound]] = []
        for place, attribute in enumerate(self._attributes):
            found = self.tree.threshold[self.tree.attribute == place]
            finite = np.unique(found[np.isfinite(found)]).tolist()
            if isinstance(attribute, Numeric):
                bounds.append(bounds_of(attribute, finite, digits=digits))
            else:
                bounds.append({})
        return bounds


def _of_values(attribute: Categorical, left_out: frozenset[int], width: int | None) -> str:
    """Return a set of categories as text, by those outside where these are fewer."""
    inside = [plain(v) for place, v in enumerate(attribute.values) if place not in left_out]
    outside = [plain(v) for place, v in enumerate(attribute.values) if place in left_out]
    if len(inside) == 1:
        return f"= {inside[0]}"
    if len(outside) == 1:
        return f"!= {outside[0]}"
    if len(inside) <= len(outside):
        return "in " + among(inside, width=None if width is None else width - len("in "))
    return "not in " + among(outside, width=None if width is None else width - len("not in "))
