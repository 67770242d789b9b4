"""The nodes of a tree as a readable list, and back."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from scumble.dates import day_of, iso
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
_INNER = (*_LEAF, "attribute", "missing", "left", "right")


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
    """
    return [_node_to_dict(tree, node) for node in range(len(tree))]


def _node_to_dict(tree: Tree, node: int) -> dict[str, Any]:
    given: dict[str, Any] = {"id": node}
    if tree.child[node] >= 0:
        name = tree.names[tree.attribute[node]]
        attribute, left = tree.attributes[name], int(tree.child[node])
        given["attribute"] = name
        if isinstance(attribute, Categorical):
            given["values"] = [attribute.values[v] for v in tree.left_values[node].tolist()]
        else:
            given["below"] = _below(float(tree.threshold[node]), attribute)
        given["missing"] = "left" if tree.missing_left[node] else "right"
        given |= {"left": left, "right": left + 1}
    return given | {"counts": tree.counts[node].tolist()}


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
    threshold, missing_left = np.full(size, np.nan), np.zeros(size, dtype=bool)
    counts = np.empty((size, len(classes)))
    left_values = {}
    for place, node in enumerate(nodes):
        where = f"nodes[{place}]"
        _check_node(node, where, place=place)
        counts[place] = _counts(node["counts"], f"{where}.counts", classes=len(classes))
        if "attribute" not in node:
            continue
        attribute[place] = names.index(_attribute(node, where, attributes))
        child[place] = _child(node, where, place=place, size=size)
        missing_left[place] = _missing_left(node, where)
        tested = attributes[node["attribute"]]
        if isinstance(tested, Categorical):
            left_values[place] = _places(node["values"], f"{where}.values", tested)
        else:
            threshold[place] = _threshold(node, f"{where}.below", tested)
    _check_parents(child)
    return Tree(
        attributes,
        classes,
        attribute,
        child,
        threshold,
        left_values,
        missing_left,
        counts,
        missing_seen,
    )


def _check_node(node: Any, where: str, *, place: int) -> None:
    needed = _INNER if isinstance(node, dict) and "attribute" in node else _LEAF
    known = ("below", "values") if needed is _INNER else ()
    check_keys(node, where, needed=needed, known=known)
    if type(node["id"]) is not int or node["id"] != place:
        raise wrong(f"{where}.id", str(place), node["id"])


def _attribute(node: dict[str, Any], where: str, attributes: Mapping[str, Domain]) -> str:
    """Return the attribute of a node, checked to have the test that is its kind's."""
    name = node["attribute"]
    if not isinstance(name, str | int) or name not in attributes:
        raise wrong(f"{where}.attribute", "one of the attributes", name)
    categories = isinstance(attributes[name], Categorical)  # type: ignore[index]
    test, other = ("values", "below") if categories else ("below", "values")
    if test not in node or other in node:
        raise ModelError(
            f"{where}: expected {test!r} and not {other!r} for the "
            f"{attributes[name].kind} attribute {name!r}; "  # type: ignore[index]
            "write the model again with to_json"
        )
    return name  # type: ignore[return-value]


def _child(node: dict[str, Any], where: str, *, place: int, size: int) -> int:
    # A child has a larger number than its parent: no path can run in a circle.
    left = whole(node["left"], f"{where}.left", least=place + 1, below=size - 1)
    if type(node["right"]) is not int or node["right"] != left + 1:
        raise wrong(f"{where}.right", f"{left + 1}, the node after the left one", node["right"])
    return left


def _missing_left(node: dict[str, Any], where: str) -> bool:
    if node["missing"] not in ("left", "right"):
        raise wrong(f"{where}.missing", "'left' or 'right'", node["missing"])
    return bool(node["missing"] == "left")


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
    if min(counts) < 0 or not 0 < sum(counts) < math.inf:
        raise wrong(where, "numbers from 0, not all of them 0", counts)
    return counts


def _check_parents(child: Any) -> None:
    """Raise unless every node but the root has exactly one parent."""
    lefts = child[child >= 0]
    parents = np.bincount(np.concatenate((lefts, lefts + 1)), minlength=len(child))
    lost = np.flatnonzero(parents[1:] != 1) + 1
    if len(lost):
        raise ModelError(
            f"nodes[{lost[0]}]: expected one parent, got {parents[lost[0]]}; "
            "write the model again with to_json"
        )
