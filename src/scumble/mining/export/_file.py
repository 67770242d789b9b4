"""A fitted tree as a JSON file that says what it is, and back."""

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from scumble.errors import ModelError, SpecificationError
from scumble.mining._training import declared_attributes
from scumble.mining._tree import Tree
from scumble.mining.export._file_classes import classes_from_dict, classes_to_dict
from scumble.mining.export._file_nodes import nodes_to_list, tree_from_list
from scumble.mining.export._file_parameters import parameters_from_dict, parameters_to_dict
from scumble.mining.export._file_parts import check_keys, listed, whole, wrong
from scumble.schema import Domain, Numeric, Specification, Text, attribute_from_dict

FORMAT = "scumble-tree"
FORMAT_VERSION = 1
_KEYS = (
    "format",
    "version",
    "scumble",
    "specification_digest",
    "specification",
    "parameters",
    "classes",
    "columns",
    "column_names",
    "attributes",
    "missing_seen",
    "nodes",
)


@dataclass(frozen=True, eq=False)
class Model:
    """What a model file holds.

    Attributes
    ----------
    spec : Specification or None
        What disguised the records that the tree was grown from.
    parameters : mapping of str to Any
        How it was grown.
    tree : Tree
        The tree.
    columns : int
        The number of columns of the table.
    column_names : tuple of str, optional
        Their names, where they had names.
    """

    spec: Specification | None
    parameters: Mapping[str, Any]
    tree: Tree
    columns: int
    column_names: tuple[str, ...] | None


def model_to_dict(model: Model) -> dict[str, Any]:
    """Return a model as plain tables.

    Raises
    ------
    ModelError
        If it holds what no file can: labels or parameters that are not plain.
    """
    tree, spec = model.tree, model.spec
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "scumble": _library_version(),
        "specification_digest": None if spec is None else spec.digest,
        "specification": None if spec is None else spec.to_dict(),
        "parameters": parameters_to_dict(model.parameters),
        "classes": classes_to_dict(tree.classes),
        "columns": model.columns,
        "column_names": None if model.column_names is None else list(model.column_names),
        "attributes": [{"name": name} | a.to_dict() for name, a in _shown(model).items()],
        "missing_seen": [name for name in tree.names if name in tree.missing_seen],
        "nodes": nodes_to_list(tree),
    }


def _shown(model: Model) -> dict[str, Domain]:
    """Return the attributes without the values of a clear table that no test needs."""
    tree = model.tree
    if model.spec is not None:
        return dict(tree.attributes)
    return {
        name: attribute if j in tree.tested else Numeric(-math.inf, math.inf)
        for j, (name, attribute) in enumerate(tree.attributes.items())
    }


def model_from_dict(given: Any) -> Model:
    """Return the model that plain tables describe.

    Raises
    ------
    ModelError
        If they describe none, or one of a newer version.
    """
    _check_format(given)
    check_keys(given, "model", needed=_KEYS)
    spec = _specification(given)
    columns = whole(given["columns"], "columns", least=1)
    names = _column_names(given["column_names"], columns)
    attributes = _attributes(given["attributes"])
    _check_attributes(attributes, spec, names, columns)
    missing_seen = frozenset(_names(given["missing_seen"], "missing_seen"))
    if not missing_seen <= set(attributes):
        raise wrong("missing_seen", "names of attributes", given["missing_seen"])
    tree = tree_from_list(
        given["nodes"],
        attributes,
        classes=classes_from_dict(given["classes"]),
        missing_seen=missing_seen,
    )
    return Model(spec, parameters_from_dict(given["parameters"]), tree, columns, names)


def model_to_json(model: Model) -> str:
    """Return a model as JSON, each node on a line of its own."""
    given = model_to_dict(model)
    nodes = ",\n".join(f"    {json.dumps(node, allow_nan=False)}" for node in given.pop("nodes"))
    head = json.dumps(given, indent=2, allow_nan=False).removesuffix("\n}")
    return f'{head},\n  "nodes": [\n{nodes}\n  ]\n}}\n'


def model_from_json(path: str | os.PathLike[str]) -> Model:
    """Read a model from a JSON file.

    Raises
    ------
    ModelError
        If the file cannot be read or holds no model; it names the file.
    """
    name = Path(path).name
    try:
        text = Path(path).read_text(encoding="utf-8")
        given = json.loads(text, object_pairs_hook=_unique, parse_constant=_refused)
        return model_from_dict(given)
    except OSError as error:
        raise ModelError(f"{name}: cannot be read ({error.strerror}); check the path") from None
    except ModelError as error:
        raise ModelError(f"{name}: {error}") from None
    except (ValueError, RecursionError):
        raise ModelError(f"{name}: expected JSON, got something else; is it a model?") from None


def _library_version() -> str:
    try:
        return metadata.version("scumble")
    except metadata.PackageNotFoundError:  # run from a folder, never installed
        return "unknown"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ModelError("expected each key once in a table, got one more than once")
    return table


def _refused(constant: str) -> Any:
    raise ModelError(f"expected numbers of JSON, got {constant}")


def _check_format(given: Any) -> None:
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        got = given.get("format") if isinstance(given, dict) else type(given).__name__
        raise wrong("format", repr(FORMAT), got)
    version = given.get("version")
    if type(version) is not int or version != FORMAT_VERSION:
        writer = given.get("scumble")
        by = f" ({writer[:20]})" if isinstance(writer, str) else ""
        raise ModelError(
            f"version: expected {FORMAT_VERSION}, got {str(version)[:20]}; "
            f"read the file with the scumble that wrote it{by}, or a newer one"
        )


def _specification(given: dict[str, Any]) -> Specification | None:
    digest = given["specification_digest"]
    if given["specification"] is None:
        if digest is not None:
            raise wrong("specification_digest", "null without a specification", digest)
        return None
    try:
        spec = Specification.from_dict(given["specification"])
    except SpecificationError as error:
        raise ModelError(str(error.within("specification"))) from None
    if digest != spec.digest:
        raise ModelError(
            "specification_digest: expected that of the specification in the file, got another "
            "one; one of them was changed, take the file as it was written"
        )
    return spec


def _names(given: Any, where: str) -> list[Any]:
    """Return a list of names, each once; numbers may be names of columns too."""
    names = listed(given, where)
    if any(type(name) not in (str, int) for name in names) or len(set(names)) < len(names):
        raise wrong(where, "names, each once", names)
    return names


def _column_names(given: Any, columns: int) -> tuple[str, ...] | None:
    if given is None:
        return None
    names = _names(given, "column_names")
    if len(names) != columns or not all(isinstance(name, str) for name in names):
        raise wrong("column_names", f"{columns} texts", names)
    return tuple(names)


def _attributes(given: Any) -> dict[str, Domain]:
    attributes: dict[str, Domain] = {}
    for place, table in enumerate(listed(given, "attributes")):
        where = f"attributes[{place}]"
        name: Any = table.get("name") if isinstance(table, dict) else None
        if type(name) not in (str, int) or name in attributes:
            raise wrong(where, "a table with a name of its own", table)
        try:
            plain = {key: value for key, value in table.items() if key != "name"}
            attribute = attribute_from_dict(plain)
        except SpecificationError as error:
            raise ModelError(str(error.within(where))) from None
        if isinstance(attribute, Text):
            raise wrong(f"{where}.kind", "an attribute that a tree may test", attribute.kind)
        attributes[name] = attribute
    return attributes


def _check_attributes(
    attributes: dict[str, Domain],
    spec: Specification | None,
    names: tuple[str, ...] | None,
    columns: int,
) -> None:
    """Raise unless the attributes are those of the specification, or of the columns."""
    if not attributes:
        raise wrong("attributes", "at least one", [])
    if spec is None:
        fits = len(attributes) <= columns and (names is None or set(attributes) <= set(names))
    else:
        declared = _declared(spec)
        fits = list(attributes.items()) == list(declared.items()) and names == tuple(declared)
    if not fits:
        raise wrong("attributes", "those of the specification or the columns", list(attributes))


def _declared(spec: Specification) -> dict[str, Domain]:
    try:
        return declared_attributes(spec)
    except SpecificationError as error:
        raise ModelError(str(error.within("specification"))) from None
