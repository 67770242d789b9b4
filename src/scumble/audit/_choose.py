"""Choosing a level: from a wish to the parameters of a mechanism."""

from dataclasses import dataclass, replace
from typing import Any

from scumble.audit._information import settled_shares
from scumble.audit._ladder import ladder, least_enough
from scumble.audit._plain import plain
from scumble.audit._wishes import EpsilonAtMost, Wish
from scumble.errors import SpecificationError
from scumble.reconstruction import reconstruct
from scumble.schema import (
    Attribute,
    Categorical,
    Domain,
    Mechanism,
    Numeric,
    Text,
    own_mechanism,
    with_mechanism,
)
from scumble.wording import amount, percent


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What an attribute should become for a wish to be fulfilled.

    Attributes
    ----------
    attribute : Numeric, Date, Categorical or Text
        The attribute under the mechanism that was found; withheld where none is enough.
    before, after : float
        What the wish is about, as it is now and as it will be.
    met : bool
        Whether a mechanism fulfils the wish.
    advice : str
        What to do, in a sentence.
    """

    attribute: Attribute
    before: float
    after: float
    met: bool
    advice: str

    @property
    def mechanism(self) -> Mechanism | None:
        """The mechanism that was found."""
        return self.attribute.mechanism

    @property
    def explanation(self) -> str:
        """What to do, in a sentence."""
        return self.advice

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "attribute": self.attribute.to_dict(),
            "before": plain(self.before),
            "after": plain(self.after),
            "met": self.met,
            "advice": self.advice,
        }


def choose(
    attribute: Attribute,
    wish: Wish,
    *,
    name: str = "the attribute",
    reports: Any = None,
    shares: Any = None,
) -> Choice:
    """Find the least noise that fulfils a wish.

    Parameters
    ----------
    attribute : Numeric, Date or Categorical
        The attribute as it is declared now. Its mechanism is kept where a level of it can
        fulfil the wish; else another is proposed, such as a square wave for a finite epsilon.
    wish : IntervalAtLeast, EpsilonAtMost, ExposedUnder or GuessAtMost
        What is wished for.
    name : str
        What the attribute is called in the advice.
    reports : array, Series or list, optional
        Its reports, from which the distribution of its truths is reconstructed.
    shares : array, optional
        Instead, the shares of the cells of its domain. By default all are equally likely;
        the wishes for an interval and an epsilon need neither.

    Examples
    --------
    >>> from scumble import Categorical, Numeric
    >>> from scumble.audit import EpsilonAtMost, IntervalAtLeast, choose
    >>> from scumble.mechanisms import GaussianNoise
    >>> age = Numeric(20, 80, mechanism=GaussianNoise(privacy=0.25))
    >>> found = choose(age, IntervalAtLeast(width=30), name="age")
    >>> print(found.advice)
    Widen the noise of age to 50 % of the range to leave an interval of 30 at 95 % confidence.
    >>> choose(age, EpsilonAtMost(epsilon=2)).mechanism
    SquareWave(epsilon=2.0, grid=None)
    >>> choose(Categorical(["no", "yes"]), EpsilonAtMost(epsilon=1)).mechanism.keep
    0.731
    """
    if isinstance(attribute, Text) or attribute.treatment is not None:
        raise SpecificationError(
            f"{name}: expected a number, a date or categories that are disguised answer by answer, "
            "got a text or what a custodian treats; choose a treatment by a plan"
        )
    known = _shares(attribute, reports, shares)
    own = own_mechanism(attribute)
    before = wish.measure(attribute, own, known)
    rungs = ladder(own, attribute, finite_epsilon=isinstance(wish, EpsilonAtMost))
    found = least_enough(
        rungs, attribute, lambda other: wish.is_met(wish.measure(attribute, other, known))
    )
    if found is None:
        return _withheld(attribute, wish, name, before, known)
    after = wish.measure(attribute, found, known)
    advice = f"{_order(attribute, own, found, name)} {wish.aim}."
    chosen = with_mechanism(attribute, found)
    return Choice(attribute=chosen, before=before, after=after, met=True, advice=advice)


def _shares(attribute: Domain, reports: Any, shares: Any) -> Any:
    if reports is not None and shares is not None:
        raise SpecificationError("shares: expected none beside reports, which tell them")
    if reports is not None:
        return reconstruct(reports, attribute).shares
    return None if shares is None else settled_shares(shares, size=len(attribute.cells()))


def _withheld(attribute: Domain, wish: Wish, name: str, before: float, shares: Any) -> Choice:
    """Return the advice to withhold, with what is known of the truth even then."""
    told = replace(with_mechanism(attribute, None), sensitivity="withheld")
    silent = own_mechanism(told)
    after = wish.measure(attribute, silent, shares)
    advice = (
        f"No noise on {name} is enough {wish.aim}: withhold it, or be content with less; what is "
        "known of the crowd may tell more than that of anyone."
    )
    return Choice(attribute=told, before=before, after=after, met=False, advice=advice)


def _order(domain: Domain, own: Mechanism, found: Mechanism, name: str) -> str:
    """Return what to do, without why."""
    if type(own) is not type(found):
        return f"Disguise {name} by {_told(found)}"
    if own == found:
        return f"Leave {name} as it is, {_told(found)},"
    if isinstance(domain, Categorical):
        alone = " with a coin of its own" if getattr(own, "group", None) else ""
        return f"Disguise {name} by {_told(found)}{alone}"
    more = _level(found, domain) >= _level(own, domain)
    noise = "classes" if found.name == "value-classes" else "noise"
    verb = "Widen" if more else "Narrow"
    if found.name == "multiplicative":
        # Its interval grows with the truth: no share of the range tells it.
        return f"{verb} the noise of {name} to {_told(found)}"
    return f"{verb} the {noise} of {name} to {percent(_level(found, domain))} of the range"


def _level(mechanism: Mechanism, domain: Domain) -> float:
    """Return the interval at 95 % as a share of the range; of classes all that one holds."""
    assert isinstance(domain, Numeric)
    width = mechanism.interval_privacy(domain) or 0.0
    return width / domain.width / (0.95 if mechanism.name == "value-classes" else 1.0)


def _told(mechanism: Mechanism) -> str:
    """Return a mechanism with the parameter that was chosen."""
    given = mechanism.to_dict()
    shown = [
        key
        for key in given
        if key in ("keep", "epsilon", "privacy", "count", "sd", "scale", "half_width")
    ]
    inner = ", ".join(f"{key} = {amount(given[key])}" for key in shown)
    return f"{mechanism.name} ({inner})" if inner else mechanism.name
