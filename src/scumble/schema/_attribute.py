"""Attributes of any kind: a declared domain, and what disguises it."""

from collections.abc import Callable
from dataclasses import MISSING, fields, replace
from typing import Any, TypeGuard

from scumble.errors import SpecificationError
from scumble.schema._categorical import Categorical
from scumble.schema._coding import Coding
from scumble.schema._date import Date
from scumble.schema._mechanism import Mechanism, mechanism_from_dict
from scumble.schema._named import suggestion
from scumble.schema._numeric import Numeric
from scumble.schema._text import Text
from scumble.schema._treatment import Treatment

Domain = Numeric | Categorical
"""What a channel can lead from; a date is a number of days."""
Attribute = Domain | Text
"""What a specification declares; text is one, but no channel leads from it."""
KINDS: dict[str, type[Attribute]] = {cls.kind: cls for cls in (Numeric, Categorical, Date, Text)}
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


def is_mined(attribute: Attribute) -> TypeGuard[Domain]:
    """Say whether something can be learned of an attribute: no text, and not withheld.

    Examples
    --------
    >>> is_mined(Numeric(0, 1)), is_mined(Numeric(0, 1, sensitivity="withheld")), is_mined(Text())
    (True, False, False)
    """
    return not isinstance(attribute, Text) and attribute.sensitivity != "withheld"


def attribute_from_dict(given: Any) -> Attribute:
    """Return the attribute that a table of a specification describes."""
    if not isinstance(given, dict):
        raise SpecificationError(f"expected a table, got {given!r}")
    kind = given.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise SpecificationError(
            f"kind: expected 'numeric', 'categorical', 'date' or 'text', got {kind!r}"
            f"{suggestion(kind, KINDS)}"
        )
    cls = KINDS[kind]
    known = [field.name for field in fields(cls) if field.init]
    needed = [f.name for f in fields(cls) if f.init and f.default is MISSING]
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
