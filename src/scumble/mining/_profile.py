"""The likelihood of an accuracy, all else of the population being as likely as can be."""

import numpy as np
from numpy.typing import NDArray

from scumble.mining._pieces import Pieces
from scumble.mining._stages import Stages

FloatArray = NDArray[np.float64]
_CYCLES = 40
_GAIN = 0.003
_FIRST_STEPS = 20
_FARTHEST = 9.0
_FALL = 4.0
# Where the steps of EM do not find the maxima, levels go up and down, and a walk has no end.
_MOST_STEPS = 16
_FLAT = 0.1
# About so many accuracies are weighed until the curve is known.
_LIKELY = 16


class Profile:
    """The log-likelihood of an accuracy, by its log-odds.

    Parameters
    ----------
    pieces : Pieces
        What is known of the truths and of the answers.
    stages : Stages, optional
        Told of each accuracy whose likelihood is known.

    Notes
    -----
    With the accuracy fixed, P(class, piece) is found by EM: after each step the shares of
    right answers are scaled to sum to the accuracy, the others to the rest, which is the
    maximum under that constraint. The slope comes for free: at the maximum it is the
    number of records times the mean chance of being right, less the accuracy.
    """

    def __init__(self, pieces: Pieces, stages: Stages | None = None) -> None:
        self._pieces = pieces
        self._points: dict[float, tuple[float, float]] = {}
        joint = pieces.start()
        for _ in range(_FIRST_STEPS):
            joint, _ = pieces.step(joint)
        own = float(np.clip(joint[pieces.right].sum(), 1e-3, 1 - 1e-3))
        self._first = float(np.log(own / (1 - own)))
        self._joints = {self._first: joint}
        with (stages or Stages(shown=False)).about(_LIKELY) as self._told:
            self._explore()

    def summary(self) -> tuple[float, float]:
        """Return the likeliest accuracy, and the root mean square distance from it.

        Accuracies count by their likelihood; where that is a bell curve, the distance is
        the standard error.
        """
        from scipy.interpolate import PchipInterpolator

        odds = np.array(sorted(self._points))
        levels = np.array([self._level(place) for place in odds])
        fine = np.linspace(odds[0], odds[-1], 20_001)
        curve = PchipInterpolator(odds, levels)(fine)
        accuracy = _accuracy(fine)
        mode = accuracy[curve.argmax()]
        weights = np.exp(curve - curve.max()) * accuracy * (1 - accuracy)
        square = (weights * (accuracy - mode) ** 2).sum() / weights.sum()
        return float(mode), float(np.sqrt(square))

    def _explore(self) -> None:
        """Work out points around the likeliest accuracy, out to where it is unlikely."""
        mode = self._root(*self._bracket())
        for side in (-1, 1):
            self._walk(mode, side)

    def _bracket(self) -> tuple[float, float]:
        """Return log-odds between which the slope becomes negative."""
        here = other = self._first
        side, width = (1 if self._slope(here) > 0 else -1), 0.3
        while self._slope(other) * side > 0 and abs(other) < _FARTHEST:
            here, other = other, _within(other + side * width)
            width *= 2
        return min(here, other), max(here, other)

    def _root(self, low: float, high: float) -> float:
        """Return where the slope is nought, or nearly."""
        for _ in range(6):
            above, below = self._slope(low), self._slope(high)
            flat = (high - low) * min(above, -below) < _FLAT
            if flat or not above > 0 > below:
                break
            # Half-way between bisection and the chord: safe and quick.
            chord = low + (high - low) * above / (above - below)
            middle = ((low + high) / 2 + chord) / 2
            low, high = (middle, high) if self._slope(middle) > 0 else (low, middle)
        return low if self._level(low) > self._level(high) else high

    def _walk(self, mode: float, side: int) -> None:
        """Work out points on one side, each about one unit of log-likelihood further down."""
        here, step, fall = mode, 0.2, 0.0
        for _ in range(_MOST_STEPS):
            if fall >= _FALL or abs(here) >= _FARTHEST:
                break
            there = _within(here + side * step)
            drop = self._level(mode) - self._level(there) - fall
            step *= float(np.clip(1 / max(drop, 0.1), 0.3, 2.0))
            if drop < 2:
                here, fall = there, fall + drop

    def _level(self, odds: float) -> float:
        return self._point(odds)[0]

    def _slope(self, odds: float) -> float:
        return self._point(odds)[1]

    def _point(self, odds: float) -> tuple[float, float]:
        """Return the log-likelihood and its slope."""
        if odds not in self._points:
            nearest = min(self._joints, key=lambda known: abs(known - odds))
            self._points[odds] = self._maximum(odds, self._joints[nearest])
            self._told("weighed an accuracy")
        return self._points[odds]

    def _maximum(self, odds: float, joint: FloatArray) -> tuple[float, float]:
        """Find the likeliest P(class, piece) with a given accuracy, by accelerated EM."""
        accuracy = float(_accuracy(odds))
        joint, best = self._fixed(joint, accuracy), -np.inf
        safe = joint
        for _ in range(_CYCLES):
            one, level = self._step(joint, accuracy)
            if level < best:
                joint = safe
                one, level = self._step(joint, accuracy)
            two, _ = self._step(one, accuracy)
            if level - best < _GAIN:
                break
            joint, safe, best = self._fixed(_ahead(joint, one, two), accuracy), two, level
        found, level = self._pieces.step(two)
        self._joints[odds] = two
        mean = float(found[self._pieces.right].sum())
        return level, len(self._pieces) * (mean - accuracy)

    def _step(self, joint: FloatArray, accuracy: float) -> tuple[FloatArray, float]:
        found, level = self._pieces.step(joint)
        return self._fixed(found, accuracy), level

    def _fixed(self, joint: FloatArray, accuracy: float) -> FloatArray:
        """Return shares scaled so that the accuracy is as given."""
        right = self._pieces.right
        sides = np.array([joint[~right].sum(), joint[right].sum()])
        scale = np.array([1 - accuracy, accuracy]) / np.maximum(sides, 1e-300)
        return np.asarray(joint * scale[right.astype(int)])


def _ahead(zero: FloatArray, one: FloatArray, two: FloatArray) -> FloatArray:
    """Return where two steps point to (SQUAREM, Varadhan and Roland 2008, scheme S3)."""
    first = one - zero
    bend = two - one - first
    size = float(np.linalg.norm(bend))
    if size <= 0:
        return two
    reach = max(1.0, float(np.linalg.norm(first)) / size)
    ahead = zero + 2 * reach * first + reach**2 * bend
    # A share that is nought would stay so.
    return np.maximum(ahead, 0.1 * two)


def _accuracy(odds: float | FloatArray) -> FloatArray:
    return np.asarray(1 / (1 + np.exp(-np.asarray(odds))))


def _within(odds: float) -> float:
    return float(np.clip(odds, -_FARTHEST, _FARTHEST))
