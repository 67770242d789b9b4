"""What is checked before a tree is fitted: its parameters, its classes, whose reports they are."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.errors import DomainError, ScumbleWarning, SpecificationError, TableError
from scumble.mining._grow import CRITERIA
from scumble.mining._prune import PRUNINGS, WITH_INVERSION
from scumble.mining._sources import METHODS, is_disguised
from scumble.schema import Categorical, Specification
from scumble.schema._named import suggestion
from scumble.tables import provenance

MOST_CELLS = 4000
SCORE_METHODS = ("likelihood", "inversion")
_KNOWN: dict[str, tuple[str | None, ...]] = {
    "method": (*METHODS, "inversion", "likelihood"),
    "criterion": CRITERIA,
    "pruning": (*PRUNINGS, *WITH_INVERSION, None),
}
_LEAST = {
    "max_depth": 1,
    "min_samples_split": 2,
    "min_samples_leaf": 1,
    "min_impurity_decrease": 0,
    "significance": 0,
    "cells": 1,
    "min_samples_reconstruct": 0,
}


def check_parameters(given: Mapping[str, Any]) -> None:
    """Raise where a parameter of a tree classifier makes no sense; it is named."""
    spec, cells, method = given["spec"], given["cells"], given["reconstruction"]
    if spec is not None and not isinstance(spec, Specification):
        raise SpecificationError(
            f"spec: expected a Specification, got {type(spec).__name__}; "
            "Specification.from_toml reads a file"
        )
    for name, known in _KNOWN.items():
        if given[name] not in known:
            names = [str(name) for name in known]
            raise SpecificationError(
                f"{name}: unknown {given[name]!r}{suggestion(given[name], names)}"
            )
    for name, least in _LEAST.items():
        _check_least(name, given[name], least)
    if given["pruning"] in WITH_INVERSION and given["method"] != "inversion":
        raise SpecificationError(
            f"pruning: {given['pruning']!r} goes with method='inversion', got {given['method']!r}"
        )
    if cells is not None and (cells % 1 or cells > MOST_CELLS):
        raise SpecificationError(
            f"cells: expected a whole number up to {MOST_CELLS}, got {cells!r}"
        )
    if method is not None and not hasattr(method, "fit"):
        raise SpecificationError(
            "reconstruction: expected a method such as Bayes() of scumble.reconstruction, "
            f"got {method!r}"
        )


def check_score_method(method: Any) -> None:
    """Raise where there is no such way to estimate an accuracy."""
    if method not in SCORE_METHODS:
        raise SpecificationError(f"method: unknown {method!r}{suggestion(method, SCORE_METHODS)}")


def _check_least(name: str, value: Any, least: int) -> None:
    if value is None:
        return
    if not isinstance(value, int | float | np.number):
        raise SpecificationError(f"{name}: expected a number, got {value!r}")
    if not value >= least:
        raise SpecificationError(f"{name}: expected at least {least}, got {value!r}")


def check_classes(classes: NDArray[Any], spec: Specification | None, *, method: str) -> None:
    """Raise where classes are not those that a specification declares, or not fit for a method."""
    declared = None if spec is None else spec.declared_class
    if not isinstance(declared, Categorical):
        return
    try:
        declared.conform(classes)
    except DomainError as error:
        raise DomainError(f"class: {error}") from None
    if not is_disguised(declared) or method == "uncorrected":
        return
    if method not in ("likelihood", "inversion"):
        raise SpecificationError(
            f"class: {method!r} needs it in clear, but the specification disguises it; "
            "declare it public, or take method='likelihood'"
        )
    if len(classes) < len(declared):
        raise TableError(
            f"class: expected reports of all {len(declared)} values, got {len(classes)} of them; "
            "a disguised class needs more records"
        )


def warn_of_another_specification(
    X: Any, spec: Specification | None, *, where: str = "fit", what: str = "the tree"
) -> None:
    """Warn where reports say that another specification disguised them."""
    made = provenance(X)
    if spec is not None and made is not None and made.digest != spec.digest:
        warnings.warn(
            f"{where}: these reports were disguised by another specification, whose digest begins "
            f"{made.digest[:12]}; unless that differs in other columns only, {what} is wrong",
            ScumbleWarning,
            stacklevel=3,
        )
