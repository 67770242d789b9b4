"""Epsilon of a whole record: what its reports tell together."""

import math
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from scumble.audit._plain import plain_table
from scumble.mechanisms import UnrelatedQuestion, joint_channel
from scumble.schema import Categorical, Channel, Domain, Specification, is_mined, own_mechanism

# More combinations of a group than this are not written down.
_MOST_COMBINATIONS = 4096


@dataclass(frozen=True, kw_only=True)
class EpsilonPart:
    """What one attribute tells, or several that share a coin.

    Attributes
    ----------
    attributes : tuple of str
        The attributes.
    epsilon : float
        What their reports tell together.
    group : str or None
        The name of the coin, where one is shared.
    """

    attributes: tuple[str, ...]
    epsilon: float
    group: str | None = None


@dataclass(frozen=True, kw_only=True)
class RecordEpsilon:
    """What all reports of a record tell together.

    Attributes
    ----------
    disguised : float
        The sum over what is disguised, part by part; nothing is told of what is withheld.
    total : float
        The same for the record as a whole: infinite where anything is told in clear, or
        treated by a custodian.
    parts : tuple of EpsilonPart
        The attributes that are disguised by themselves, and the groups.
    clear : tuple of str
        What is told in clear, the class too where it is not declared.
    treated : tuple of str
        What a custodian treats: it has no channel, and so no epsilon.
    """

    disguised: float
    total: float
    parts: tuple[EpsilonPart, ...]
    clear: tuple[str, ...]
    treated: tuple[str, ...]

    @property
    def explanation(self) -> str:
        """The result in a sentence."""
        if not self.parts:
            text = "No attribute of a record is disguised by itself"
        elif math.isinf(self.disguised):
            worst = [
                name for part in self.parts if math.isinf(part.epsilon) for name in part.attributes
            ]
            text = (
                f"There is no bound on what the reports of a record tell, due to {', '.join(worst)}"
            )
        else:
            text = f"What is disguised of a record tells at most epsilon = {self.disguised:.3g}"
        more = [
            f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} {how}"
            for names, how in ((self.clear, "told in clear"), (self.treated, "treated instead"))
            if names
        ]
        return "; ".join([text, *more]) + "."

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return plain_table(self) | {"explanation": self.explanation}


def record_epsilon(spec: Specification) -> RecordEpsilon:
    """Compose the epsilon of a record from those of its attributes.

    Parameters
    ----------
    spec : Specification
        What is declared of each attribute.

    Examples
    --------
    >>> from scumble import Categorical, Numeric, Specification
    >>> from scumble.audit import record_epsilon
    >>> from scumble.mechanisms import LaplaceNoise, RandomizedResponse
    >>> spec = Specification({
    ...     "age": Numeric(20, 80, mechanism=LaplaceNoise(epsilon=1.0)),
    ...     "colour": Categorical(["red", "blue"], mechanism=RandomizedResponse(epsilon=0.5)),
    ...     "town": Categorical(["Ulm", "Wien"]),
    ... })
    >>> found = record_epsilon(spec)
    >>> found.disguised, found.total, found.clear
    (1.5, inf, ('town',))
    >>> print(found.explanation)
    What is disguised of a record tells at most epsilon = 1.5; town is told in clear.

    Notes
    -----
    Attributes disguised independently: the ratios multiply, and two records may differ in all
    of them, so the sum is exact. Of a group that shares a coin the joint channel counts: from
    two members on, Warner's coin shows which answers agree, and its epsilon is infinite.
    """
    groups = {group: names for group, names in spec.groups.items() if len(names) > 1}
    shared = {name for names in groups.values() for name in names}
    parts, clear, treated = [], [], []
    for name in spec:
        attribute = spec[name]
        if attribute.treatment is not None:
            treated.append(name)
        elif attribute.sensitivity == "public":
            clear.append(name)
        elif name not in shared and is_mined(attribute):
            parts.append(EpsilonPart(attributes=(name,), epsilon=_alone(attribute)))
    parts += [_of_group(spec, group) for group in groups]
    if spec.class_attribute is not None and spec.class_attribute not in spec.attributes:
        clear.append(spec.class_attribute)
    disguised = math.fsum(part.epsilon for part in parts)
    return RecordEpsilon(
        disguised=disguised,
        total=math.inf if clear or treated else disguised,
        parts=tuple(parts),
        clear=tuple(clear),
        treated=tuple(treated),
    )


def _alone(attribute: Domain) -> float:
    return float(own_mechanism(attribute).epsilon_on(attribute))


def _of_group(spec: Specification, group: str) -> EpsilonPart:
    names = tuple(spec.groups[group])
    members = [cast("Categorical", spec[name]) for name in names]
    if math.prod(len(member) for member in members) <= _MOST_COMBINATIONS:
        epsilon = channel_epsilon(joint_channel(spec, group=group))
    else:
        epsilon = _of_many(members)
    return EpsilonPart(attributes=names, epsilon=epsilon, group=group)


def _of_many(members: list[Categorical]) -> float:
    """Return epsilon of a group too large to be written down."""
    own = [member.mechanism for member in members]
    if not all(isinstance(mechanism, UnrelatedQuestion) for mechanism in own):
        return math.inf
    harmless = [
        cast("UnrelatedQuestion", mechanism).harmless_shares(member).min()
        for mechanism, member in zip(own, members, strict=True)
    ]
    keep = cast("UnrelatedQuestion", own[0]).keep
    # In logarithms, since the product of many shares may vanish.
    least = float(np.log(harmless).sum()) if min(harmless) > 0 else -math.inf
    if keep == 1 or math.isinf(least):
        return math.inf
    return float(np.logaddexp(0, math.log(keep / (1 - keep)) - least))


def channel_epsilon(channel: Channel) -> float:
    """Return the worst log-ratio in any column of a channel on cells.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import Warner
    >>> round(channel_epsilon(Warner(keep=0.75).channel(Categorical(["no", "yes"]))), 4)
    1.0986
    """
    if channel.mixture is not None:
        kept, base = channel.mixture
        most, least = np.maximum(kept + base, base), np.minimum(kept + base, base)
    else:
        most, least = channel.matrix.max(axis=0), channel.matrix.min(axis=0)
    possible = most > 0
    if (least[possible] <= 0).any():
        return math.inf
    return float(np.log(most[possible] / least[possible]).max())
