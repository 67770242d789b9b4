"""What competes for a tree, and which of them are taken: those that cannot be told apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
# Before records speak, the weight of the much simpler has a density that grows with this power.
SIMPLER = 10
_WEIGHTS = np.linspace(0, 1, 101)
# Weights of several are drawn so many times, and records taken in blocks.
_DRAWN = 2_000
_BLOCK = 1_000
_SEVERAL = 8


@dataclass(frozen=True)
class Candidate:
    """A learner, and how well it foretold the classes of records that were held out.

    Attributes
    ----------
    name : str
        The learner.
    score : float
        The mean log-probability of the reported class given the reports, in nats.
    behind : float
        How far it lies behind the best of its kind, and `error`, the standard error of that.
    error : float
        The standard error of the difference.
    chosen : bool
        Whether it was taken. Several may be: those that cannot be told apart from the
        best are averaged. Leaves, and who is taught on draws, are weighed: `why` says how.
    why : str
        What else was looked at.
    """

    name: str
    score: float
    behind: float
    error: float
    chosen: bool
    why: str = ""


def compared(scores: Mapping[str, FloatArray]) -> list[Candidate]:
    """Return candidates from the scores of the same records by each.

    The best is chosen, and so is each that lies behind by no more than the standard error
    of that.
    """
    best = max(scores, key=lambda name: float(scores[name].mean()))
    found = []
    for name, own in scores.items():
        behind = scores[best] - own
        mean, error = float(behind.mean()), float(behind.std() / np.sqrt(max(1, len(own))))
        chosen = name == best or mean <= error
        found.append(Candidate(name, float(own.mean()), mean, error, chosen))
    return found


def mean_weight(ahead: FloatArray, *, power: float = 0) -> float:
    """Return how much one of two is to be listened to: the mean, given records held out.

    The likelihood of a weight is that of the records by the average.

    Parameters
    ----------
    ahead : array
        By how much the one is ahead in log-probability, record by record.
    power : float
        Before, the density of a weight grows with this power of it: `SIMPLER` for one that
        says with tens or hundreds of numbers what the other says with thousands.

    Examples
    --------
    >>> round(mean_weight(np.zeros(1000)), 2), round(mean_weight(np.zeros(1000), power=SIMPLER), 2)
    (0.5, 0.92)
    >>> mean_weight(np.full(1000, -0.1), power=SIMPLER) < 0.2
    True
    """
    odds = np.exp(np.minimum(ahead, 50)) - 1
    logs = np.array([np.log1p(weight * odds).sum() for weight in 0.999 * _WEIGHTS])
    logs += power * np.log(np.maximum(_WEIGHTS, 1e-9))
    likely = np.exp(logs - logs.max())
    return float(likely @ _WEIGHTS / likely.sum())


def mean_weights(
    scores: Mapping[str, FloatArray], before: Mapping[str, float] | None = None
) -> dict[str, float]:
    """Return how much each of several is to be listened to: the mean, given records held out.

    The likelihood of weights is that of the records by the average. Those that cannot be
    told apart keep the weights that they had before.

    Parameters
    ----------
    scores : mapping of str to array
        The log-probability that each gives to the classes of the same records.
    before : mapping of str to float, optional
        Before, weights are spread as Dirichlet says, with these numbers; by default, and for
        who is not named, 1. More for the simpler, of whom less is lost to chance.

    Examples
    --------
    >>> same, worse = np.full(1000, -0.5), np.full(1000, -0.6)
    >>> found = mean_weights({"small": same, "large": same}, {"small": 4})
    >>> {name: round(weight, 1) for name, weight in found.items()}
    {'small': 0.8, 'large': 0.2}
    >>> mean_weights({"small": worse, "large": same}, {"small": 3})["small"] < 0.2
    True
    """
    told = np.stack(list(scores.values()))
    numbers = [(before or {}).get(name, 1.0) for name in scores]
    rng = np.random.default_rng(0)
    # Half of them from anywhere: records may want weights of which hardly one was drawn before.
    draws = np.vstack([rng.dirichlet(own, _DRAWN // 2) for own in (numbers, np.ones(len(told)))])
    # Each alone is looked at too: where records decide, hardly a draw comes near to that.
    alone = 0.99 * np.eye(len(told)) + 0.01 / len(told)
    weights = np.vstack((draws, alone))
    logs = _log_density(weights, numbers)
    logs -= np.logaddexp(logs, _log_density(weights, [1.0] * len(told)))
    for start in range(0, told.shape[1], _BLOCK):
        part = told[:, start : start + _BLOCK]
        said = weights @ np.exp(part - part.max(axis=0))
        # One logarithm for the product of several.
        several = np.multiply.reduceat(said, np.arange(0, said.shape[1], _SEVERAL), axis=1)
        logs += np.log(several).sum(axis=1)
    likely = np.exp(logs - logs.max())
    return dict(zip(scores, (likely @ weights / likely.sum()).tolist(), strict=True))


def _log_density(weights: FloatArray, numbers: Sequence[float]) -> FloatArray:
    """Return the logarithm of the density of weights by Dirichlet's law."""
    from scipy.special import gammaln

    alpha = np.asarray(numbers)
    constant = gammaln(alpha.sum()) - gammaln(alpha).sum()
    return np.asarray(constant + np.log(np.maximum(weights, 1e-300)) @ (alpha - 1))
