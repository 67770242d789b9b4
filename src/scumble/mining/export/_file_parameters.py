"""The parameters of a classifier as plain values, and back."""

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from scumble.errors import ModelError
from scumble.mining.export._file_parts import check_keys, wrong
from scumble.reconstruction import EM, EMS, Bayes, Inversion, Penalised, ResponseLikelihood
from scumble.schema._named import suggestion

_RECONSTRUCTIONS: dict[str, type[Any]] = {
    kind.name: kind for kind in (Bayes, EM, EMS, Inversion, Penalised, ResponseLikelihood)
}
_OBJECT = "reconstruction"


def parameters_to_dict(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as plain values; a method of reconstruction by name and fields.

    Examples
    --------
    >>> parameters_to_dict({"max_depth": 3, "reconstruction": Inversion(project=False)})
    {'max_depth': 3, 'reconstruction': {'name': 'inversion', 'project': False}}
    """
    return {name: _to_plain(name, value) for name, value in parameters.items()}


def parameters_from_dict(given: Any) -> dict[str, Any]:
    """Return the parameters that plain values describe.

    Raises
    ------
    ModelError
        If a value is none that a file can hold, or the reconstruction is unknown.
    """
    if not isinstance(given, dict):
        raise wrong("parameters", "a table", given)
    return {name: _from_plain(name, value) for name, value in given.items()}


def _to_plain(name: str, value: Any) -> Any:
    if name == _OBJECT and type(value) in _RECONSTRUCTIONS.values():
        return {"name": value.name} | {f.name: getattr(value, f.name) for f in fields(value)}
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and math.isinf(value):
        return str(value)
    plain = value is None or type(value) in (bool, int, float, str)
    if not plain or value != value:
        raise ModelError(
            f"parameters.{name}: expected a plain value or a reconstruction of scumble, got "
            f"{type(value).__name__}; a file cannot hold it"
        )
    return value


def _from_plain(name: str, given: Any) -> Any:
    if name == _OBJECT and given is not None:
        return _reconstruction(given, f"parameters.{name}")
    if isinstance(given, str) and given in ("inf", "-inf"):
        return float(given)
    if given is not None and type(given) not in (bool, int, float, str):
        raise wrong(f"parameters.{name}", "a plain value", given)
    return given


def _reconstruction(given: Any, where: str) -> Any:
    name = given.get("name") if isinstance(given, dict) else None
    if not isinstance(name, str) or name not in _RECONSTRUCTIONS:
        raise ModelError(f"{where}.name: unknown {name!r}{suggestion(name, _RECONSTRUCTIONS)}")
    kind = _RECONSTRUCTIONS[name]
    known = [field.name for field in fields(kind)]
    check_keys(given, where, needed=("name",), known=known)
    for key, value in given.items():
        if type(value) not in (bool, int, float, str):
            raise wrong(f"{where}.{key}", "a plain value", value)
    return kind(**{key: value for key, value in given.items() if key != "name"})
