"""The audit of one attribute."""

from dataclasses import dataclass, replace
from typing import Any

from scumble.audit._attack import AttackResult
from scumble.audit._channel_measures import ChannelMeasures, channel_measures
from scumble.audit._choose import choose
from scumble.audit._light import Light, light_of, worst_colour
from scumble.audit._plain import plain
from scumble.audit._posterior_row import SURE, AttributePosterior
from scumble.audit._wishes import ExposedUnder, GuessAtMost, Wish
from scumble.errors import ScumbleError
from scumble.reconstruction import Reconstruction
from scumble.schema import Attribute, Numeric, Text
from scumble.treatments import Exposure

# What advice aims at: a hundredth of the records known to a twentieth of the range.
_SHARE, _WIDTH, _GUESS = 0.01, 0.05, 0.9


@dataclass(frozen=True, eq=False, kw_only=True)
class AttributeAudit:
    """What is known of one attribute by whoever sees what was told of it.

    Attributes
    ----------
    name : str
        The attribute.
    attribute : Numeric, Date, Categorical or Text
        What is declared of it.
    light : Light
        The judgement.
    measures : ChannelMeasures, optional
        What its channel gives away, whatever the data.
    posterior : AttributePosterior, optional
        What the reports tell, given the distribution of all.
    exposure : Exposure, optional
        What a custodian's treatment leaves to see.
    recovered : Reconstruction, optional
        The distribution that was reconstructed.
    attacks : tuple of AttackResult
        Attacks on it.
    advice : str, optional
        What to change.
    """

    name: str
    attribute: Attribute
    light: Light
    measures: ChannelMeasures | None = None
    posterior: AttributePosterior | None = None
    exposure: Exposure | None = None
    recovered: Reconstruction | None = None
    attacks: tuple[AttackResult, ...] = ()
    advice: str | None = None

    @property
    def protection(self) -> str:
        """What protects it, by name."""
        for given in (self.attribute.mechanism, self.attribute.treatment):
            if given is not None:
                return given.name
        return "in clear" if self.attribute.sensitivity == "public" else "withheld"

    @property
    def exposed(self) -> float | None:
        """The share of records whose value is known almost surely."""
        return _known(self.posterior, self.exposure)[0]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "name": self.name,
            "declared": self.attribute.to_dict(),
            "light": self.light.colour,
            "reasons": list(self.light.reasons),
            "measures": None if self.measures is None else plain(self.measures.to_dict()),
            "posterior": None if self.posterior is None else plain(self.posterior.to_dict()),
            "exposure": None if self.exposure is None else plain(vars(self.exposure)),
            "attacks": [plain(attack.to_dict()) for attack in self.attacks],
            "advice": self.advice,
        }


def audit_attribute(
    name: str,
    attribute: Attribute,
    *,
    posterior: AttributePosterior | None = None,
    exposure: Exposure | None = None,
    recovered: Reconstruction | None = None,
    attacks: tuple[AttackResult, ...] = (),
) -> AttributeAudit:
    """Judge an attribute by all that is known of it."""
    shares = None if recovered is None else recovered.shares
    measures = channel_measures(attribute, shares=shares)
    light = _light(attribute, measures, posterior, exposure, attacks)
    return AttributeAudit(
        name=name,
        attribute=attribute,
        light=light,
        measures=measures,
        posterior=posterior,
        exposure=exposure,
        recovered=recovered,
        attacks=attacks,
        advice=_advice(name, attribute, light, shares),
    )


def _light(
    attribute: Attribute,
    measures: ChannelMeasures | None,
    posterior: AttributePosterior | None,
    exposure: Exposure | None,
    attacks: tuple[AttackResult, ...],
) -> Light:
    if attribute.sensitivity == "public" and attribute.treatment is None:
        return Light("grey", ("It is told in clear.",))
    if attribute.sensitivity == "withheld":
        return Light("green", ("Nothing is told of it.",))
    if measures is None and exposure is None:
        return Light("grey", ("It is treated in a whole table: give the truth to measure it.",))
    epsilon = 0.0 if measures is None else measures.epsilon
    exposed, guess, base = _known(posterior, exposure)
    if guess is None and measures is not None and measures.guess is not None:
        guess, base = measures.guess.mean, measures.guess.base
    blind = posterior is not None and posterior.base_guess >= SURE
    own = light_of(exposed=exposed, guess=guess, base=base, epsilon=epsilon, blind=blind)
    if exposure is not None and exposure.group:
        alike = f"At least {exposure.group:,} records look alike in it."
        own = replace(own, reasons=(*own.reasons, alike))
    worst = max(attacks, key=lambda attack: attack.gain, default=None)
    if worst is None:
        return own
    attacked = light_of(exposed=None, guess=worst.success, base=worst.base, epsilon=0)
    worse = worst_colour([own.colour, attacked.colour]) != own.colour
    if worst.success <= (guess or 0) and not worse:
        return own
    sentence = f"By {worst.attack}: {attacked.reasons[0].removeprefix('A guess is ')}"
    reasons = (sentence, *own.reasons) if worse else (*own.reasons, sentence)
    return Light(worst_colour([own.colour, attacked.colour]), reasons)


def _known(
    posterior: AttributePosterior | None, exposure: Exposure | None
) -> tuple[float | None, float | None, float | None]:
    """Return the exposed share, and how well a value is guessed with the release and without."""
    if posterior is not None:
        return posterior.exposed, posterior.mean_guess, posterior.base_guess
    if exposure is not None:
        share = exposure.disclosed / max(1, exposure.records)
        return share, exposure.identified, exposure.base
    return None, None, None


def _advice(name: str, attribute: Attribute, light: Light, shares: Any) -> str | None:
    """Return what to change of an attribute that is not green."""
    if light.colour not in ("red", "amber") or isinstance(attribute, Text):
        return None
    if attribute.treatment is not None:
        return f"Shuffle {name} among more records, coarsen it more, or withhold it."
    if attribute.mechanism is None:
        return f"Disguise {name}, or withhold it."
    wish: Wish = GuessAtMost(probability=_GUESS)
    if isinstance(attribute, Numeric):
        wish = ExposedUnder(share=_SHARE, width=_WIDTH * attribute.width)
    try:
        found = choose(attribute, wish, name=name, shares=shares)
    except ScumbleError:
        return f"Disguise {name} more, or withhold it."
    if not wish.is_met(found.before):
        return found.advice
    if light.reasons[0].startswith("By ") and "of a value" not in light.reasons[0]:
        return f"Other attributes tell of {name}: disguise them more too, or withhold some."
    if isinstance(attribute, Numeric):
        return f"Widen the noise of {name}: it is guessed too often to a twentieth of its range."
    return f"Disguise {name} more: it has few values, or some that many share."
