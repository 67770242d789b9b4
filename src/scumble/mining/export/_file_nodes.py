"""The nodes of a tree as a readable list, and back."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from scumble.dates import day_of, iso
from scumble.engines import ALL
from scumble.errors import ModelError
from scumble.mining._tree import Tree
from scumble.mining.export._file_parts import (
    check_keys,
    listed,
    number_from_json,
    number_to_json,
    whole,
    wrong,
)
from scumble.schema import Categorical, Date, Domain, Numeric

_LEAF = ("id", "counts")
_INNER = (*_LEAF, "attribute", "missing")
_TWO = (*_INNER, "left", "right")
_SEVERAL = (*_INNER, "branches", "children")
_SIDES = ("left", "right")
_EVERY = "all"


def nodes_to_list(tree: Tree) -> list[dict[str, Any]]:
    """Return the nodes as plain tables.

    Examples
    --------
    >>> from scumble import DisguisedTreeClassifier
    >>> tree = DisguisedTreeClassifier(pruning=None).fit([[1], [2]], ["no", "yes"]).tree_
    >>> for node in nodes_to_list(tree)[:2]:
    ...     print(node)
    {'id': 0, 'attribute': 'x0', 'below': 1.5, 'missing': 'right', 'left': 1, 'right': 2,
     'counts': [1.0, 1.0]}
    {'id': 1, 'counts': [1.0, 0.0]}

    Notes
    -----
    A node of two branches has a left and a right child; what is below a threshold, or in
    a list of values, goes left. A node of more has a list of values for each child.
    "missing" tells where missing values go, "all" that they go everywhere, by share.
    """
    return [_node_to_dict(tree, node) for node in range(len(tree))]


def _node_to_dict(tree: Tree, node: int) -> dict[str, Any]:
    given: dict[str, Any] = {"id": node}
    if tree.child[node] >= 0:
        given["attribute"] = tree.names[tree.attribute[node]]
        given |= _two_ways(tree, node) if tree.ways[node] == 2 else _several_ways(tree, node)
    return given | {"counts": tree.counts[node].tolist()}


def _two_ways(tree: Tree, node: int) -> dict[str, Any]:
    given: dict[str, Any] = {}
    if node in tree.branches:
        given["values"] = _values(tree, node, branch=0)
    else:
        attribute = tree.attributes[tree.names[tree.attribute[node]]]
        assert isinstance(attribute, Numeric)
        given["below"] = _below(float(tree.threshold[node]), attribute)
    missing, left = int(tree.missing[node]), int(tree.child[node])
    given["missing"] = _EVERY if missing == ALL else _SIDES[missing]
    return given | {"left": left, "right": left + 1}


def _several_ways(tree: Tree, node: int) -> dict[str, Any]:
    missing, children = int(tree.missing[node]), list(tree.children(node))
    return {
        "branches": [_values(tree, node, branch=b) for b in range(len(children))],
        "missing": _EVERY if missing == ALL else children[missing],
        "children": children,
    }


def _values(tree: Tree, node: int, *, branch: int) -> list[Any]:
    attribute = tree.attributes[tree.names[tree.attribute[node]]]
    assert isinstance(attribute, Categorical)
    return [attribute.values[v] for v in np.flatnonzero(tree.branches[node] == branch).tolist()]


def tree_from_list(
    given: Any,
    attributes: Mapping[str, Domain],
    *,
    classes: Any,
    missing_seen: frozenset[str],
) -> Tree:
    """Return the tree that plain tables of nodes describe.

    Raises
    ------
    ModelError
        If they describe none.
    """
    nodes = listed(given, "nodes")
    if not nodes:
        raise wrong("nodes", "at least one", nodes)
    size = len(nodes)
    names = list(attributes)
    attribute, child = np.full((2, size), -1)
    ways, missing = np.zeros((2, size), dtype=np.int64)
    threshold = np.full(size, np.nan)
    counts = np.empty((size, len(classes)))
    branches = {}
    for place, node in enumerate(nodes):
        where = f"nodes[{place}]"
        _check_node(node, where, place=place)
        counts[place] = _counts(node["counts"], f"{where}.counts", classes=len(classes))
        if "attribute" not in node:
            continue
        attribute[place] = names.index(_attribute(node, where, attributes))
        child[place], ways[place] = _children(node, where, place=place, size=size)
        missing[place] = _missing(node, where)
        tested = attributes[node["attribute"]]
        if isinstance(tested, Categorical):
            branches[place] = _branches(node, where, tested)
        else:
            threshold[place] = _threshold(node, f"{where}.below", tested)
    _check_parents(child, ways)
    _check_weights(counts, child, ways)
    return Tree(
        attributes,
        classes,
        attribute,
        child,
        ways,
        threshold,
        branches,
        missing,
        counts,
        missing_seen,
    )


def _check_node(node: Any, where: str, *, place: int) -> None:
    inner = isinstance(node, dict) and "attribute" in node
    if inner and "branches" in node:
        check_keys(node, where, needed=_SEVERAL)
    else:
        known = ("below", "values") if inner else ()
        check_keys(node, where, needed=_TWO if inner else _LEAF, known=known)
    if type(node["id"]) is not int or node["id"] != place:
        raise wrong(f"{where}.id", str(place), node["id"])


def _attribute(node: dict[str, Any], where: str, attributes: Mapping[str, Domain]) -> str:
    """Return the attribute of a node, checked to have the test that is its kind's."""
    name = node["attribute"]
    if not isinstance(name, str | int) or name not in attributes:
        raise wrong(f"{where}.attribute", "one of the attributes", name)
    categories = isinstance(attributes[name], Categorical)  # type: ignore[index]
    test, other = ("values", "below") if categories else ("below", "values")
    if "branches" in node:
        test, other = ("branches", "below") if categories else ("below", "branches")
    if test not in node or other in node:
        raise ModelError(
            f"{where}: expected {test!r} and not {other!r} for the "
            f"{attributes[name].kind} attribute {name!r}; "  # type: ignore[index]
            "write the model again with to_json"
        )
    return name  # type: ignore[return-value]


def _children(node: dict[str, Any], where: str, *, place: int, size: int) -> tuple[int, int]:
    """Return the first child and the number of children."""
    # A child has a larger number than its parent: no path can run in a circle.
    if "children" in node:
        children = listed(node["children"], f"{where}.children")
        if len(children) < 3:
            raise wrong(f"{where}.children", "at least three", children)
        first = whole(children[0], f"{where}.children", least=place + 1, below=size)
        if any(type(c) is not int for c in children) or children != list(
            range(first, first + len(children))
        ):
            raise wrong(f"{where}.children", "nodes that follow each other", children)
        if first + len(children) > size:
            raise wrong(f"{where}.children", f"nodes below {size}", children)
        return first, len(children)
    left = whole(node["left"], f"{where}.left", least=place + 1, below=size - 1)
    if type(node["right"]) is not int or node["right"] != left + 1:
        raise wrong(f"{where}.right", f"{left + 1}, the node after the left one", node["right"])
    return left, 2


def _missing(node: dict[str, Any], where: str) -> int:
    """Return the branch that a missing value takes."""
    given, names = node["missing"], node.get("children", _SIDES)
    if isinstance(given, str) and given == _EVERY:
        return ALL
    if type(given) is not type(names[0]) or given not in names:
        known = "'left' or 'right', or 'all'" if names is _SIDES else "a child or 'all'"
        raise wrong(f"{where}.missing", known, given)
    return int(names.index(given))


def _below(threshold: float, attribute: Numeric) -> float | str:
    """Return a threshold as a file has it: a number, or a date as text."""
    dated = isinstance(attribute, Date) and math.isfinite(threshold)
    return iso(threshold) if dated else number_to_json(threshold)


def _threshold(node: dict[str, Any], where: str, attribute: Numeric) -> float:
    given = node["below"]
    if isinstance(attribute, Date) and given not in ("inf", "-inf"):
        day = day_of(given)
        if day is None:
            raise wrong(where, "a date such as 1990-01-01 or 'inf'", given)
        return day
    threshold = number_from_json(given, where)
    if threshold == -math.inf:
        raise wrong(where, "a number or 'inf'", node["below"])
    if threshold == math.inf and node["missing"] == "left":
        raise ModelError(f"{where}: expected a number, or missing values on the right of 'inf'")
    return threshold


def _branches(node: dict[str, Any], where: str, attribute: Categorical) -> Any:
    """Return the branch that each category takes."""
    if "values" in node:
        left = _places(node["values"], f"{where}.values", attribute)
        return np.where(np.isin(np.arange(len(attribute)), left), 0, 1)
    lists = listed(node["branches"], f"{where}.branches")
    branch = np.full(len(attribute), -1)
    places = [_places(given, f"{where}.branches", attribute) for given in lists]
    for number, own in enumerate(places):
        branch[own] = number
    if len(lists) != len(node["children"]):
        raise wrong(f"{where}.branches", "a list for each child", lists)
    if sum(map(len, places)) != len(attribute) or (branch < 0).any():
        raise wrong(f"{where}.branches", "each value of the attribute once", lists)
    return branch


def _places(given: Any, where: str, attribute: Categorical) -> Any:
    """Return the places of categories in the list of their attribute."""
    kind = type(attribute.values[0])
    places = {value: place for place, value in enumerate(attribute.values)}
    values = listed(given, where)
    for value in values:
        # True is 1 to Python, but not to the reader of a file.
        if type(value) is not kind or value not in places:
            raise wrong(where, "values of the attribute", value)
    if len(set(values)) < len(values):
        raise wrong(where, "each value once", values)
    return np.array(sorted(places[value] for value in values), dtype=np.int64)


def _counts(given: Any, where: str, *, classes: int) -> list[float]:
    counts = [number_from_json(count, where) for count in listed(given, where)]
    if len(counts) != classes:
        raise wrong(where, f"{classes} numbers, one for each class", counts)
    if min(counts) < 0 or not sum(counts) < math.inf:
        raise wrong(where, "numbers from 0", counts)
    return counts


def _check_parents(child: Any, ways: Any) -> None:
    """Raise unless every node but the root has exactly one parent."""
    parents = np.zeros(len(child), dtype=np.int64)
    for first, number in zip(child[child >= 0].tolist(), ways[child >= 0].tolist(), strict=True):
        parents[first : first + number] += 1
    lost = np.flatnonzero(parents[1:] != 1) + 1
    if len(lost):
        raise ModelError(
            f"nodes[{lost[0]}]: expected one parent, got {parents[lost[0]]}; "
            "write the model again with to_json"
        )


def _check_weights(counts: Any, child: Any, ways: Any) -> None:
    """Raise where no record is, unless it is a leaf that is one of several."""
    may_be_empty = np.zeros(len(counts), dtype=bool)
    for node in np.flatnonzero(ways > 2).tolist():
        may_be_empty[child[node] : child[node] + ways[node]] = True
    empty = np.flatnonzero((counts.sum(axis=1) <= 0) & ~(may_be_empty & (child < 0)))
    if len(empty):
        where = f"nodes[{empty[0]}].counts"
        raise wrong(where, "numbers from 0, not all of them 0", counts[empty[0]].tolist())
