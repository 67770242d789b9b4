"""The traffic light of an attribute: one colour, and the reasons for it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scumble.wording import percent

Colour = Literal["red", "amber", "green", "grey"]
# From these shares on. Learned is what reports add to a blind guess, of what it misses.
EXPOSED = {"red": 0.05, "amber": 0.01}
LEARNED = {"red": 0.5, "amber": 0.2}
_ORDER: tuple[Colour, ...] = ("grey", "green", "amber", "red")


@dataclass(frozen=True)
class Light:
    """How well an attribute is protected, at a glance.

    Attributes
    ----------
    colour : {"red", "amber", "green", "grey"}
        Red: many values are known to whoever looks. Amber: some are. Green: few. Grey: told in
        clear on purpose, or not measured.
    reasons : tuple of str
        Why, each in a sentence.

    Examples
    --------
    >>> light_of(exposed=0.002, guess=0.3, base=0.25, epsilon=1.0).colour
    'green'
    """

    colour: Colour
    reasons: tuple[str, ...]


def light_of(
    *,
    exposed: float | None,
    guess: float | None,
    base: float | None,
    epsilon: float,
    blind: bool = False,
) -> Light:
    """Judge an attribute.

    Parameters
    ----------
    exposed : float, optional
        The share of records whose value is known almost surely.
    guess, base : float, optional
        How often a value is guessed with what is released, and without.
    epsilon : float
        The bound on what a report tells; may be infinite.
    blind : bool
        Whether the exposed values are known almost surely without any report, since nearly all
        records have the same. Then reports are not to blame.
    """
    found: list[tuple[Colour, str]] = []
    if exposed is not None:
        text = f"{percent(exposed)} of the values are known almost surely."
        if blind:
            text = f"{text[:-1]}, and that without any report: nearly all records have the same."
        found.append(("green" if blind else _worse(exposed, EXPOSED), text))
    if guess is not None and base is not None:
        learned = max(0.0, guess - base) / (1 - base) if base < 1 else 0.0
        text = f"A guess is right for {percent(guess)}, a blind one for {percent(base)}."
        found.append((_worse(learned, LEARNED), text))
    if math.isinf(epsilon):
        text = (
            "No bound holds for everyone: some reports tell almost everything (epsilon infinite)."
        )
        found.append(("green", text))
    worst = worst_colour([colour for colour, _ in found])
    # The reasons that decide come first.
    found.sort(key=lambda one: -_ORDER.index(one[0]))
    return Light(worst, tuple(text for _, text in found))


def worst_light(lights: list[Light]) -> Colour:
    """Return the colour of the worst of several lights."""
    return worst_colour([light.colour for light in lights])


def worst_colour(colours: Sequence[Colour]) -> Colour:
    """Return the worst of some colours; of none green."""
    worst: Colour = "grey" if colours else "green"
    return max((worst, *colours), key=_ORDER.index)


def _worse(value: float, limits: dict[str, float]) -> Colour:
    if value > limits["red"]:
        return "red"
    return "amber" if value > limits["amber"] else "green"
