"""How thresholds read: a short number, and on which side of it the number itself lies."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scumble.dates import iso
from scumble.mining.export._shortened import reads_in_full, shortened
from scumble.schema import Date, Numeric


@dataclass(frozen=True)
class Bound:
    """A threshold as text.

    Attributes
    ----------
    text : str
        A number or a date.
    below : bool
        Whether that itself lies below the threshold.
    """

    text: str
    below: bool


def bounds_of(
    attribute: Numeric, thresholds: Sequence[float], *, digits: int = 6
) -> dict[float, Bound]:
    """Return how the finite thresholds of an attribute read, none like another.

    A threshold just above a number has that number below it: it comes from a value
    with a cell of its own.

    Examples
    --------
    >>> commission = Numeric(0, 75_000, atoms=[0])
    >>> list(bounds_of(commission, [5e-324, 30_000.25]).values())
    [Bound(text='0', below=True), Bound(text='30000.25', below=False)]
    >>> bounds_of(Date("1980-01-01", "1999-12-31"), [5174.0])
    {5174.0: Bound(text='1984-03-02', below=False)}
    """
    if isinstance(attribute, Date):
        return {
            threshold: Bound(iso(math.ceil(threshold)), below=False) for threshold in thresholds
        }
    ends: dict[float, tuple[float, bool]] = {}
    for threshold in thresholds:
        before = math.nextafter(threshold, -math.inf)
        below = before in attribute.atoms or reads_in_full(before)
        ends[threshold] = (before if below else threshold, below)
    texts = shortened(
        (end for end, _ in ends.values()),
        landmarks=_possible_near(attribute, thresholds),
        digits=digits,
    )
    return {threshold: Bound(texts[end], below) for threshold, (end, below) in ends.items()}


def _possible_near(attribute: Numeric, thresholds: Sequence[float]) -> set[float]:
    """Return the values next to thresholds that a truth may have for certain."""
    values = set(attribute.atoms)
    if attribute.step is not None:
        start = attribute.low if math.isfinite(attribute.low) else 0.0
        for threshold in thresholds:
            steps = (threshold - start) / attribute.step
            values |= {start + attribute.step * k for k in (math.floor(steps), math.ceil(steps))}
    return values


def between(name: str, low: float, high: float, *, bounds: Mapping[float, Bound]) -> str:
    """Return the condition that a number is not below one threshold and below another.

    Examples
    --------
    >>> bounds = bounds_of(Numeric(0, 100), [40.0, 60.0])
    >>> between("age", 40.0, 60.0, bounds=bounds), between("age", 60.0, math.inf, bounds=bounds)
    ('40 <= age < 60', 'age >= 60')
    """
    if low == -math.inf:
        upper = bounds[high]
        return f"{name} {'<=' if upper.below else '<'} {upper.text}"
    lower = bounds[low]
    if high == math.inf:
        return f"{name} {'>' if lower.below else '>='} {lower.text}"
    upper = bounds[high]
    if lower.text == upper.text:
        return f"{name} = {lower.text}"
    signs = ("<" if lower.below else "<=", "<=" if upper.below else "<")
    return f"{lower.text} {signs[0]} {name} {signs[1]} {upper.text}"
