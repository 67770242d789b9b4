"""Attributes of either kind: a declared domain, and what disguises it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from scumble.errors import SpecificationError
from scumble.schema._categorical import Categorical
from scumble.schema._coding import Coding
from scumble.schema._mechanism import Mechanism, mechanism_from_dict
from scumble.schema._named import suggestion
from scumble.schema._numeric import Numeric
from scumble.schema._treatment import Treatment

Attribute = Numeric | Categorical
Domain = Attribute
_KINDS: dict[str, type[Attribute]] = {"numeric": Numeric, "categorical": Categorical}
_TABLES: dict[str, Callable[[Any], Any]] = {
    "coding": Coding.from_dict,
    "mechanism": mechanism_from_dict,
    "treatment": Treatment.from_dict,
}


def own_mechanism(attribute: Attribute) -> Mechanism:
    """Return what disguises an attribute, whatever its sensitivity.

    Raises
    ------
    SpecificationError
        If it is not disguised answer by answer, but treated by a custodian.

    Examples
    --------
    >>> import scumble.mechanisms
    >>> own_mechanism(Numeric(0, 1))
    Identity()
    """
    if attribute.mechanism is not None:
        return attribute.mechanism
    if attribute.treatment is not None:
        raise SpecificationError(
            f"treatment: {attribute.treatment.name!r} needs the whole table, no answer alone has "
            "it; release the table, and mine what was released as a table in clear"
        )
    name = "withheld" if attribute.sensitivity == "withheld" else "identity"
    return mechanism_from_dict({"name": name})


def attribute_from_dict(given: Any) -> Attribute:
    """Return the attribute that a table of a specification describes."""
    if not isinstance(given, dict):
        raise SpecificationError(f"expected a table, got {given!r}")
    kind = given.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise SpecificationError(
            f"kind: expected 'numeric' or 'categorical', got {kind!r}{suggestion(kind, _KINDS)}"
        )
    cls = _KINDS[kind]
    known = [name for name in cls.__dataclass_fields__ if name not in ("_", "kind")]
    needed = ["low", "high"] if cls is Numeric else ["values"]
    for key in given:
        if key != "kind" and key not in known:
            raise SpecificationError(f"{key}: unknown key{suggestion(key, known)}")
    for key in needed:
        if key not in given:
            raise SpecificationError(f"{key}: missing; a {kind} attribute declares it")
    parameters = {key: value for key, value in given.items() if key != "kind"}
    for key, parse in _TABLES.items():
        if key in parameters:
            try:
                parameters[key] = parse(parameters[key])
            except SpecificationError as error:
                raise error.within(key) from None
    return cls(**parameters)


def with_mechanism(attribute: Attribute, mechanism: Mechanism | None) -> Attribute:
    """Return the attribute under another mechanism (None: public).

    Examples
    --------
    >>> from scumble.mechanisms import UniformNoise
    >>> with_mechanism(Numeric(0, 1), UniformNoise(privacy=0.5)).sensitivity
    'private'
    """
    return replace(attribute, mechanism=mechanism, treatment=None, sensitivity=None)
