"""How sensitive an attribute is, and what that asks of its mechanism."""

from typing import Any, Literal, get_args

from scumble.errors import SpecificationError
from scumble.schema._mechanism import Mechanism
from scumble.schema._treatment import Treatment

Sensitivity = Literal["public", "private", "withheld"]
"""Who may see an attribute: all, nobody but through a disguise, nobody."""


def settle_sensitivity(attribute: Any) -> None:
    """Fill in the sensitivity that a mechanism or treatment implies; refuse contradictions."""
    mechanism, sensitivity = attribute.mechanism, attribute.sensitivity
    for family in (Mechanism, Treatment):
        given = getattr(attribute, family.noun)
        if given is not None and not isinstance(given, family):
            raise SpecificationError(
                f"{family.noun}: expected a {family.noun}, got {type(given).__name__}"
            )
    if mechanism is not None and attribute.treatment is not None:
        raise SpecificationError(
            "treatment: expected none beside a mechanism; an attribute is disguised answer by "
            "answer or treated in a whole table"
        )
    protection = attribute.treatment if mechanism is None else mechanism
    if sensitivity is None:
        sensitivity = "public" if protection is None else "private"
        object.__setattr__(attribute, "sensitivity", sensitivity)
    if sensitivity not in get_args(Sensitivity):
        raise SpecificationError(
            f"sensitivity: expected public, private or withheld, got {sensitivity!r}"
        )
    if sensitivity == "private" and protection is None:
        raise SpecificationError(
            "mechanism: missing; a private attribute needs one, or a treatment of the whole table"
        )
    # A public attribute may be coarsened, so that nobody stands out; it is not disguised.
    allowed = ("public", "private") if mechanism is None else ("private",)
    if sensitivity not in allowed and protection is not None:
        raise SpecificationError(
            f"{protection.noun}: expected none for a {sensitivity} attribute, got "
            f"{protection.name!r}; make it private or drop the {protection.noun}"
        )
    if mechanism is not None and mechanism.name in ("identity", "withheld"):
        clear = "public" if mechanism.name == "identity" else "withheld"
        raise SpecificationError(
            f"mechanism: {mechanism.name!r} disguises nothing; declare the attribute as {clear}"
        )
    if protection is not None:
        protection.check(attribute)


def disguise_to_dict(attribute: Any) -> dict[str, Any]:
    """Return how an attribute is disguised, as part of its table in a specification."""
    given: dict[str, Any] = {"sensitivity": attribute.sensitivity}
    for family in (Mechanism, Treatment):
        protection = getattr(attribute, family.noun)
        if protection is not None:
            given[family.noun] = protection.to_dict()
    return given
