"""Conditions under which an audit fails, for use in a pipeline."""

import math
import operator
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scumble.errors import SpecificationError
from scumble.schema._named import suggestion
from scumble.treatments._together import telling_names

if TYPE_CHECKING:
    from scumble.audit._audit import Audit

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
_FORM = re.compile(r"^\s*(\w+)\s*(>=|<=|>|<|=)\s*(\S+)\s*$")
_GIVE = "give the reports, and the truth where a table is treated"
_NEEDS = {
    "epsilon": "a treatment has none, ask for exposed or guess",
    "exposed": _GIVE,
    "guess": _GIVE,
    "attack": "give the reports and the truth",
    "alone": _GIVE,
}
_COLOURS = ("red", "amber", "green", "grey")


def failed_conditions(audit: "Audit", conditions: Sequence[str]) -> list[str]:
    """Return the conditions that hold, each with the attribute and what was found there."""
    if isinstance(conditions, str):
        conditions = [conditions]
    found = (_failed(audit, condition) for condition in conditions)
    return [text for text in found if text is not None]


def _failed(audit: "Audit", condition: str) -> str | None:
    parts = _FORM.match(condition)
    if parts is None:
        raise SpecificationError(
            f'fail-if: expected a measure and a limit such as "exposed > 0.01", got {condition!r}'
        )
    name, sign, limit = parts.groups()
    if name == "light":
        return _failed_light(audit, condition, sign, limit)
    measures = _measures(audit)
    if name not in measures:
        raise SpecificationError(
            f"fail-if: unknown measure {name!r}{suggestion(name, [*measures, 'light'])}"
        )
    number = _number(condition, limit)
    _check_measured(audit, condition, name, any(measures[name]))
    if sign == "=":
        raise SpecificationError(f"fail-if: expected > or < in {condition!r}")
    hits = [(value, who) for who, value in measures[name] if _COMPARE[sign](value, number)]
    if not hits:
        return None
    value, who = (max if sign.startswith(">") else min)(hits)
    return f"{condition.strip()}: got {value:.4g} ({who})"


def _check_measured(audit: "Audit", condition: str, name: str, some: bool) -> None:
    """Raise where a condition could not fail, because nothing was measured of it."""
    unknown = audit.unmeasured if name in ("exposed", "guess") else ()
    if name == "alone":
        could = bool(telling_names(audit.spec))
    else:
        could = any(own.attribute.sensitivity == "private" for own in audit)
    if unknown or (could and not some):
        of = f" of {', '.join(unknown)}" if unknown else ""
        raise SpecificationError(
            f"fail-if: {name!r}{of} was not measured, so that {condition.strip()!r} could not "
            f"fail; {_NEEDS[name]}"
        )


def _failed_light(audit: "Audit", condition: str, sign: str, limit: str) -> str | None:
    if sign != "=" or limit not in _COLOURS:
        raise SpecificationError(
            f'fail-if: expected a colour such as "light = red", got {condition!r}'
        )
    names = [own.name for own in audit if own.light.colour == limit]
    return f"{condition.strip()}: got {', '.join(names)}" if names else None


def _measures(audit: "Audit") -> dict[str, list[tuple[str, float]]]:
    """Return what conditions may speak of, with the attribute that each value belongs to."""
    found: dict[str, list[tuple[str, float]]] = {
        "epsilon": [],
        "exposed": [],
        "guess": [],
        "attack": [(attack.attack, attack.gain) for attack in audit.attacks],
        "alone": [],
    }
    if audit.together is not None:
        found["alone"].append((", ".join(audit.together.attributes), audit.together.alone))
    for own in audit:
        if own.measures is not None and own.attribute.mechanism is not None:
            found["epsilon"].append((own.name, own.measures.epsilon))
        if own.exposed is not None:
            found["exposed"].append((own.name, own.exposed))
        if own.posterior is not None:
            found["guess"].append((own.name, own.posterior.mean_guess))
        elif own.exposure is not None:
            found["guess"].append((own.name, own.exposure.identified))
        found["attack"] += [(own.name, attack.gain) for attack in own.attacks]
    return found


def _number(condition: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise SpecificationError(f"fail-if: expected a number behind the sign in {condition!r}")
    return number
