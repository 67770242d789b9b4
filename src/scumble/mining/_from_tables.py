"""Trees grown from and tested on tables with a class column, as files have them."""

import math
import warnings
from dataclasses import replace
from typing import Any

from scumble.engines import truth_types
from scumble.errors import ScumbleWarning, SpecificationError, TableError
from scumble.mining._classifier import DisguisedTreeClassifier
from scumble.mining._score import DisguisedScore
from scumble.schema import Specification
from scumble.schema._named import column_suggestion


def grown_from(
    table: Any, spec: Specification | None, *, class_attribute: str | None = None, **parameters: Any
) -> DisguisedTreeClassifier:
    """Grow a tree from a pyarrow Table that holds the class.

    Parameters
    ----------
    table : pyarrow Table
        The reports, or truths where there is no specification.
    spec : Specification, optional
        What disguised them.
    class_attribute : str, optional
        The class; by default that of the specification.
    **parameters
        As for `DisguisedTreeClassifier`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble.mining import grown_from
    >>> people = pa.table({"age": [20, 30, 60, 70], "ill": ["no", "no", "yes", "yes"]})
    >>> print(grown_from(people, None, class_attribute="ill", pruning=None).to_text())
    age < 45: no (2 records, 100.0 %)
    age >= 45: yes (2 records, 100.0 %)
    """
    if spec is not None and class_attribute not in (None, spec.class_attribute):
        spec[str(class_attribute)]
        spec = replace(spec, class_attribute=class_attribute)
    target = class_attribute if spec is None else spec.class_attribute
    table = with_class(table, target)
    labels = table[target]
    if spec is None:
        table = table.drop_columns([target])
    return DisguisedTreeClassifier(spec, **parameters).fit(table, labels)


def with_class(table: Any, name: str | None) -> Any:
    """Return the records of a pyarrow Table that have a class; a warning tells of the others."""
    if name is None:
        raise SpecificationError(
            'class: missing; name a column, or write class = "..." into the specification'
        )
    if name not in table.column_names:
        raise TableError(f"class: no column {name!r}{column_suggestion(name, table.column_names)}")
    missing = table[name].null_count
    if not missing:
        return table
    warnings.warn(
        f"class: {missing} of {table.num_rows} records have none and are left out",
        ScumbleWarning,
        stacklevel=3,
    )
    return table.filter(table[name].is_valid())


def accuracy_on(
    tree: DisguisedTreeClassifier,
    *,
    reports: Any = None,
    truth: Any = None,
    class_attribute: str | None = None,
    method: Any = "likelihood",
) -> dict[str, Any]:
    """Test a tree on tables that hold the class: on reports, on truths, or on both.

    Parameters
    ----------
    tree : DisguisedTreeClassifier
        The tree; its specification says what disguised the reports.
    reports, truth : pyarrow Table, optional
        What to test on.
    class_attribute : str, optional
        The class; by default that of the specification.
    method : {"likelihood", "inversion"}
        How the accuracy is estimated from reports.

    Returns
    -------
    dict
        For "reports" a `DisguisedScore`, for "truth" the same with its binomial error.
    """
    spec = tree.spec
    target = class_attribute or (None if spec is None else spec.class_attribute)
    found = {}
    if reports is not None:
        told = with_class(reports, target)
        X = told if spec is not None else own_columns(told, tree)
        found["reports"] = tree.score_disguised(X, told[target], method=method)
    if truth is not None:
        told = with_class(truth, target)
        X = told if spec is not None else own_columns(told, tree)
        accuracy = float(tree.score(X, told[target].to_numpy(zero_copy_only=False)))
        error = math.sqrt(accuracy * (1 - accuracy) / told.num_rows)
        found["truth"] = DisguisedScore(accuracy, error, told.num_rows)
    return found


def own_columns(table: Any, tree: DisguisedTreeClassifier) -> Any:
    """Return the columns that a tree of clear data was grown from."""
    names = [str(name) for name in getattr(tree, "feature_names_in_", table.column_names)]
    for name in names:
        if name not in table.column_names:
            raise TableError(
                f"table: no column {name!r}{column_suggestion(name, table.column_names)}"
            )
    return table.select(names)


def own_types(tree: DisguisedTreeClassifier) -> dict[str, Any]:
    """Return the Arrow types of columns of truths, as far as a tree knows them.

    In clear, what it does not test is not looked at and may be any text.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble.mining import grown_from, own_types
    >>> people = pa.table({"age": [20, 30, 60, 70], "ill": ["no", "no", "yes", "yes"]})
    >>> own_types(grown_from(people, None, class_attribute="ill", pruning=None))
    {'age': DataType(double)}
    """
    if tree.spec is not None:
        return truth_types(tree.spec)
    import pyarrow as pa

    grown = tree.tree_
    known = truth_types(Specification(dict(grown.attributes)))
    return {
        name: known[name] if place in grown.tested else pa.string()
        for place, name in enumerate(grown.names)
    }
