"""A plan for people who disguise their own answers, instead of a table that is treated."""

from dataclasses import replace

from scumble.release._plan import Plan, Planned
from scumble.schema import Attribute, Categorical, Mechanism, Numeric, Specification, Text
from scumble.schema._mechanism import mechanism_from_dict

# Randomized response among more values than this tells next to nothing.
_MOST_VALUES = 100


def disguised_specification(
    plan: Plan, *, privacy: float = 1.0, epsilon: float = 1.0
) -> Specification:
    """Return the specification of a plan with mechanisms in place of treatments.

    Public attributes and the class stay as they are; identifiers, text and what is withheld
    are withheld; all others are disguised.

    Parameters
    ----------
    plan : Plan
        The plan.
    privacy : float
        Of numbers and dates: Gaussian noise of this share of the range, at 95 %.
    epsilon : float
        Of categories: randomized response that tells at most this much.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from scumble.release import disguised_specification, plan
    >>> rng = np.random.default_rng(0)
    >>> ill = rng.random(500) < 0.4
    >>> people = pd.DataFrame({
    ...     "id": np.arange(500), "age": rng.integers(20, 60, 500) + 20 * ill,
    ...     "ill": np.where(ill, "yes", "no")})
    >>> spec = disguised_specification(plan(people, class_attribute="ill"))
    >>> {name: spec[name].sensitivity for name in spec}
    {'id': 'withheld', 'age': 'private', 'ill': 'public'}
    """
    noise = mechanism_from_dict({"name": "gaussian", "privacy": privacy})
    response = mechanism_from_dict({"name": "randomized-response", "epsilon": epsilon})
    rows = {row.name: row for row in plan}
    attributes: dict[str, Attribute] = {}
    for name, attribute in plan.specification.attributes.items():
        row = rows.get(name)
        if row is None:
            attributes[name] = attribute
            continue
        if isinstance(row.domain, Categorical) and _why_withheld(row) is not None:
            # The specification goes to everyone: it lists no values that nobody is to tell.
            attributes[name] = Text(sensitivity="withheld")
            continue
        sensitivity = row.sensitivity if _why_withheld(row) is None else "withheld"
        attributes[name] = _declared(_of_two(row.domain), sensitivity, noise, response)
    return Specification(attributes, class_attribute=plan.specification.class_attribute)


def disguised_text(plan: Plan, spec: Specification) -> str:
    """Return what is proposed for people who disguise their own answers, as a table."""
    lines = [f"{'attribute':<26}{'tells':>6}  {'sensitivity':<12}proposal"]
    for row in sorted(plan, key=lambda row: -row.relevance.of(plan.measure)):
        name = " ".join(row.name.split())
        name = name if len(name) <= 25 else name[:24] + "…"
        start = f"{name:<26}{row.relevance.of(plan.measure):>6.3f}  {row.sensitivity:<12}"
        lines.append(start + _proposal(row, spec[row.name]))
    return "\n".join(lines)


def _proposal(row: Planned, attribute: Attribute) -> str:
    if attribute.mechanism is not None:
        given = attribute.mechanism.to_dict()
        name = str(given.pop("name"))
        return name + "".join(f", {key} {value:g}" for key, value in given.items())
    why = _why_withheld(row)
    return "as it is" if why is None else f"withhold: {why}"


def _why_withheld(row: Planned) -> str | None:
    """Return why an attribute should not be told at all, or None."""
    if row.sensitivity == "withheld":
        return "as you say"
    if row.relevance.identifier is not None and not row.relevant:
        return "names the records"
    if isinstance(row.domain, Text):
        return "text, or a single value"
    if isinstance(row.domain, Categorical) and len(row.domain) > _MOST_VALUES:
        return "too many values"
    return None


def _of_two(attribute: Attribute) -> Attribute:
    """Return 0 and 1, or any two whole numbers, as categories: noise hides them badly."""
    if isinstance(attribute, Numeric) and attribute.step == 1 and attribute.width == 1:
        return Categorical((int(attribute.low), int(attribute.high)))
    return attribute


def _declared(
    attribute: Attribute, sensitivity: str, noise: Mechanism, response: Mechanism
) -> Attribute:
    plain = replace(attribute, sensitivity="withheld", treatment=None, mechanism=None)
    if sensitivity != "private":
        return replace(plain, sensitivity=sensitivity)  # type: ignore[arg-type]
    mechanism = response if isinstance(attribute, Categorical) else noise
    assert isinstance(attribute, Categorical | Numeric)
    return replace(plain, sensitivity="private", mechanism=mechanism)
