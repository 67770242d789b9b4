"""Levels of one mechanism, from little noise to much, and the least that is enough."""

import math
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from scumble.errors import SpecificationError
from scumble.mechanisms import (
    GaussianNoise,
    RandomizedResponse,
    SquareWave,
    UnrelatedQuestion,
    ValueClasses,
)
from scumble.schema import Categorical, Domain, Mechanism, Numeric

#: From a level of noise, from little to any amount, to a mechanism.
Ladder = Callable[[float], Mechanism]
Enough = Callable[[Mechanism], bool]
_STEPS = 40
# Up and down by so many powers of two.
_REACH = 20
_PARAMETERS = ("privacy", "sd", "half_width", "scale", "epsilon", "keep")


def ladder(mechanism: Mechanism, domain: Domain, *, finite_epsilon: bool) -> Ladder:
    """Return the levels of a mechanism; of another where it has none that could do.

    Of noise the level is what it is multiplied by.

    Parameters
    ----------
    mechanism : Mechanism
        What disguises now.
    domain : Numeric, Date or Categorical
        The domain.
    finite_epsilon : bool
        Whether epsilon must be finite: then noise that has none is replaced.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import GaussianNoise
    >>> age = Numeric(20, 80)
    >>> ladder(GaussianNoise(sd=10), age, finite_epsilon=False)(2.0).sd
    20.0
    >>> ladder(GaussianNoise(sd=10), age, finite_epsilon=True)(2.0).name
    'square-wave'
    """
    if isinstance(domain, Categorical):
        return _of_categories(mechanism, domain, finite_epsilon)
    if finite_epsilon and math.isinf(mechanism.epsilon_on(domain)):
        return SquareWave(epsilon=1.0).with_noise
    if isinstance(mechanism, ValueClasses) and math.isfinite(domain.width):
        return _of_classes(mechanism, domain)
    fixed = mechanism.with_noise(2.0) == mechanism
    nothing = mechanism.name == "multiplicative" and domain.low == 0
    return GaussianNoise(privacy=1.0).with_noise if fixed or nothing else mechanism.with_noise


def least_enough(rungs: Ladder, domain: Domain, enough: Enough) -> Mechanism | None:
    """Return the mechanism with the least noise that is enough; None where none is.

    More noise must not turn what is enough into what is not.
    """

    def holds(level: float) -> bool:
        # A level that cannot be declared stands above all others.
        mechanism = _declared(rungs, level, domain)
        return mechanism is None or enough(mechanism)

    high = 1.0
    while not holds(high) and high < 2**_REACH:
        high *= 2
    low = high / 2
    while holds(low) and low > 2**-_REACH:
        high, low = low, low / 2
    for _ in range(_STEPS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if holds(middle) else (middle, high)
        if high / low < 1 + 1e-6:
            break
    found = _declared(rungs, high, domain)
    return _tidy(found, domain, enough) if found is not None and enough(found) else None


def _declared(rungs: Ladder, level: float, domain: Domain) -> Mechanism | None:
    try:
        mechanism = rungs(level)
    except SpecificationError:
        return None
    return mechanism if _fits(mechanism, domain) else None


def _fits(mechanism: Mechanism, domain: Domain) -> bool:
    try:
        mechanism.check(domain)
    except SpecificationError:
        return False
    return True


def _of_categories(mechanism: Mechanism, domain: Categorical, finite_epsilon: bool) -> Ladder:
    """Return coins that lie more and more often, up to those that tell nothing."""
    given: Any = mechanism
    never = isinstance(mechanism, UnrelatedQuestion) and 0 in (mechanism.shares or ())
    if getattr(mechanism, "keep", None) is None or (never and finite_epsilon):
        given = RandomizedResponse(keep=0.5)
    if getattr(given, "group", None) is not None:
        # One member cannot change a coin that others share.
        given = replace(given, group=None)
    least = 0.0 if isinstance(given, UnrelatedQuestion) else 1 / len(domain)
    return lambda level: replace(given, keep=least + (1 - least) / (1 + level))


def _of_classes(mechanism: ValueClasses, domain: Numeric) -> Ladder:
    """Return fewer and fewer intervals of equal width."""
    now = mechanism.count or domain.width / (mechanism.interval_privacy(domain) / 0.95)
    return lambda level: ValueClasses(count=max(1, int(now / level + 1e-9)))


def _tidy(mechanism: Mechanism, domain: Domain, enough: Enough) -> Mechanism:
    """Return the mechanism with a parameter of three digits, where that is enough, too."""
    for name in (field.name for field in fields(mechanism) if field.name in _PARAMETERS):  # type: ignore[arg-type]
        value = getattr(mechanism, name)
        if value is None:
            continue
        unit = 10.0 ** (math.floor(math.log10(value)) - 2)
        near = [math.floor(value / unit) * unit, math.ceil(value / unit) * unit]
        for rounded in sorted(near, key=lambda one, value=value: abs(one - value)):  # type: ignore[misc]
            tidy = replace(mechanism, **{name: float(f"{rounded:.3g}")})  # type: ignore[type-var]
            if _fits(tidy, domain) and enough(tidy):
                return tidy
    return mechanism
