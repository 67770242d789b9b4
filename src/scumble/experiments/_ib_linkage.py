"""Whose record is it? What an intruder finds who knows innocent attributes of a person."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from scumble.treatments._proportional import STEPS, step_chances

FloatArray = NDArray[np.float64]


def linked_by_law(truths: FloatArray, released: FloatArray, *, law: str, sd: float) -> float:
    """Return the share of the records found by the likeliest noise.

    Parameters
    ----------
    truths, released : array of float, (records, attributes)
        What the intruder knows of each record, and what was released of it, in the same
        order; nan where missing.
    law : {"normal", "discrete"}
        The law of the noise, as a share of the value.
    sd : float
        The standard deviation of the normal law.

    Examples
    --------
    >>> truths = np.array([[10.0, 7.0], [20.0, 9.0]])
    >>> linked_by_law(truths, truths * [[1.1, 0.8], [0.9, 1.2]], law="discrete", sd=0.276)
    1.0

    Notes
    -----
    p(X -> Y) is the product over attributes of the probability of the noise Y - X (Islam
    and Brankovic). Of several records that are equally likely one is named at random. A
    value of zero, and a missing one, gets no noise.
    """
    chance = _log_discrete if law == "discrete" else _log_normal(sd)
    total = np.zeros((len(truths), len(released)))
    for true, shown in zip(truths.T, released.T, strict=True):
        total += _log_chances(true[:, None], shown[None, :], chance)
    return _found(total)


def linked_to_nearest(truths: FloatArray, released: FloatArray) -> float:
    """Return the share of the records found by the least distance.

    Attributes are measured in their standard deviations. A value that is missing in one of
    two records is one such away.

    Examples
    --------
    >>> truths = np.array([[10.0, 7.0], [20.0, 9.0]])
    >>> linked_to_nearest(truths, truths[::-1])
    0.0
    """
    total = np.zeros((len(truths), len(released)))
    for true, shown in zip(truths.T, released.T, strict=True):
        spread = np.nanstd(true)
        if spread > 0:
            gaps = (true[:, None] - shown[None, :]) / spread
            missing = np.isnan(true)[:, None] != np.isnan(shown)[None, :]
            total -= np.where(np.isnan(gaps), missing.astype(float), gaps) ** 2
    return _found(total)


def _log_chances(
    true: FloatArray, shown: FloatArray, chance: Callable[[FloatArray, FloatArray], FloatArray]
) -> FloatArray:
    """Return the log-probability that each of the shown values comes from each true one."""
    fixed = np.isnan(true) | (true == 0)
    same = (true == shown) | (np.isnan(true) & np.isnan(shown))
    usable = np.where(fixed, 1.0, true)
    logs = chance(usable, np.where(np.isnan(shown), 0.0, shown) / usable - 1)
    logs = np.where(np.isnan(shown) | (shown == 0), -np.inf, logs)
    return np.where(fixed, np.where(same, 0.0, -np.inf), logs)


def _log_discrete(_: FloatArray, noise: FloatArray) -> FloatArray:
    step = np.rint(10 * noise).clip(-6, 6)
    chances = np.log(step_chances())[step.astype(int) + 6]
    return np.where(np.abs(noise - STEPS[step.astype(int) + 6]) < 1e-9, chances, -np.inf)


def _log_normal(sd: float) -> Callable[[FloatArray, FloatArray], FloatArray]:
    def chance(true: FloatArray, noise: FloatArray) -> FloatArray:
        # A density of the released value: that of the share, over the width of the value.
        return np.asarray(-((noise / sd) ** 2) / 2 - np.log(np.abs(true)))

    return chance


def _found(scores: FloatArray) -> float:
    """Return the share found by the best score, a tie counted as a draw among the best."""
    best = scores.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        ties = (scores >= best - 1e-9) & np.isfinite(best)
    return float((ties.diagonal() / ties.sum(axis=1).clip(min=1)).mean())
