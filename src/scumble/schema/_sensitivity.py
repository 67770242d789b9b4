"""How sensitive an attribute is, and what that asks of its mechanism."""

from typing import Any, Literal, get_args

from scumble.errors import SpecificationError
from scumble.schema._mechanism import Mechanism

Sensitivity = Literal["public", "private", "withheld"]


def settle_sensitivity(attribute: Any) -> None:
    """Fill in the sensitivity that a mechanism implies, and refuse contradictions."""
    mechanism, sensitivity = attribute.mechanism, attribute.sensitivity
    if mechanism is not None and not isinstance(mechanism, Mechanism):
        raise SpecificationError(f"mechanism: expected a mechanism, got {type(mechanism).__name__}")
    if sensitivity is None:
        sensitivity = "public" if mechanism is None else "private"
        object.__setattr__(attribute, "sensitivity", sensitivity)
    if sensitivity not in get_args(Sensitivity):
        raise SpecificationError(
            f"sensitivity: expected public, private or withheld, got {sensitivity!r}"
        )
    if sensitivity == "private" and mechanism is None:
        raise SpecificationError("mechanism: missing; a private attribute needs one")
    if sensitivity != "private" and mechanism is not None:
        raise SpecificationError(
            f"mechanism: expected none for a {sensitivity} attribute, got {mechanism.name!r}; "
            "make it private or drop the mechanism"
        )
    if mechanism is not None and mechanism.name in ("identity", "withheld"):
        clear = "public" if mechanism.name == "identity" else "withheld"
        raise SpecificationError(
            f"mechanism: {mechanism.name!r} disguises nothing; declare the attribute as {clear}"
        )
    if mechanism is not None:
        mechanism.check(attribute)


def disguise_to_dict(attribute: Any) -> dict[str, Any]:
    """Return how an attribute is disguised, as part of its table in a specification."""
    given: dict[str, Any] = {"sensitivity": attribute.sensitivity}
    if attribute.mechanism is not None:
        given["mechanism"] = attribute.mechanism.to_dict()
    return given
