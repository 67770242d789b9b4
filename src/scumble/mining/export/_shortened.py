"""Numbers for people: as short as they can be without telling another story."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator

_EXACT = 10
_ROUND_OFF = 1e-14


def shortened(
    values: Iterable[float], *, landmarks: Iterable[float] = (), digits: int = 6
) -> dict[float, str]:
    """Return a short text for each number.

    Different numbers read differently, and each keeps its side of every landmark. A
    number of up to ten digits is written in full.

    Parameters
    ----------
    values : iterable of float
        The numbers, finite.
    landmarks : iterable of float
        Numbers that a rounded one must not reach or pass; one that is itself a
        landmark is not rounded.
    digits : int
        How many digits are enough where nothing asks for more. Those before the
        point are all shown.

    Examples
    --------
    >>> list(shortened([38.599999999999994, 124925.59786828194, 1234567.5]).values())
    ['38.6', '124926', '1234567.5']
    >>> list(shortened([39.97886884795319, 39.97886900000001]).values())
    ['39.9788688', '39.978869']
    """
    wanted, fixed = dict.fromkeys(values), set(landmarks)
    known = sorted(fixed.union(wanted))
    return {v: _shortest(v, _room(v, known, fixed), digits) for v in wanted}


def reads_in_full(value: float) -> bool:
    """Say whether a number is written with a few digits, exactly.

    Examples
    --------
    >>> reads_in_full(0.3), reads_in_full(0.1 + 0.2)
    (True, False)
    """
    # The least numbers of all have few digits only because none are left.
    return value == 0 or (abs(value) > 1e-300 and float(f"{value:.{_EXACT}g}") == value)


def _room(value: float, known: list[float], fixed: set[float]) -> float:
    """Return how far a number may be moved."""
    if value in fixed:
        return 0.0
    place = bisect_left(known, value)
    near = known[max(0, place - 1) : place] + known[place + 1 : place + 2]
    # Half the way: two numbers that move towards each other must not meet.
    return min((abs(value - other) / 2 for other in near), default=math.inf)


def _shortest(value: float, room: float, digits: int) -> str:
    for text in _texts(value, digits):
        off = abs(float(text) - value)
        if off == 0 or off < room:
            return text
    return repr(value)


def _texts(value: float, digits: int) -> Iterator[str]:
    """Yield texts for a number, better and better ones."""
    full = _text(value, _EXACT)
    if abs(float(full) - value) <= _ROUND_OFF * abs(value):
        yield full
    for more in range(digits, 18):
        yield _text(value, more)


def _text(value: float, digits: int) -> str:
    if value == 0:
        return "0"
    if not 1e-5 <= abs(value) < 1e15:
        return f"{value:.{digits}g}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
