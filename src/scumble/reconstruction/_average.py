"""How much each fit counts in the average."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scumble.reconstruction._climb import Member
from scumble.reconstruction._em import Observed

FloatArray = NDArray[np.float64]

# Prior odds: of a fit with mass at the ends against one without, and (as a logarithm)
# of the smoothest fit of a family against a rough one.
_ENDS_ODDS, _ROUGHNESS_COST = 0.25, 2.0
# The uniform density is kept unless the evidence is against it. Its prior odds against all
# the rest grow with how much further the rest moves away from it than the published rule.
_ODDS_RATE, _ODDS_LEAST, _ODDS_MOST = 0.17, 0.17, 0.75
_GATE_POWER = 20.0  # of the posterior odds: nearly a choice, yet continuous
# Smoothed EM takes this share of the average, less if its log-likelihood leads by less than this:
# it hedges against all members being wrong in the same way.
_HEDGE, _HEDGE_LEAD = 0.15, 1.0


def scores(members: Sequence[Member]) -> FloatArray:
    """Return log evidence plus log prior; all but the first share a prior of one."""
    prior = np.array([_log_prior(member) for member in members])
    if len(members) > 1:
        prior[1:] -= np.log(np.exp(prior[1:]).sum())
    return np.asarray(prior + [member.evidence for member in members])


def posterior(scores: FloatArray, *, power: float = 1.0) -> FloatArray:
    """Return weights proportional to a power of the exponential of the scores."""
    weights = np.exp(power * (scores - scores.max()))
    return np.asarray(weights / weights.sum())


def averaged(
    scores: FloatArray,
    candidates: FloatArray,
    *,
    published: FloatArray,
    smoothed: FloatArray,
    observed: Observed,
) -> FloatArray:
    """Return the shares of the average.

    Parameters
    ----------
    scores : array
        The score of each member; the first is the uniform density.
    candidates : array
        The shares of each member, one in each row.
    published, smoothed : array
        What the published rule and smoothed EM find.
    observed : Observed
        The counts.
    """
    if len(scores) == 1:
        return np.asarray(candidates[0])
    rest = posterior(scores[1:]) @ candidates[1:]
    uniform = _weight_of_uniform(scores, candidates[0], rest, published)
    shares = uniform * candidates[0] + (1 - uniform) * rest
    gain = observed.log_likelihood(observed.expected(smoothed))
    gain -= observed.log_likelihood(observed.expected(shares))
    hedge = _HEDGE * (1 - uniform) * float(np.exp(2.0 * min(gain - _HEDGE_LEAD, 0.0)))
    return np.asarray((1 - hedge) * shares + hedge * smoothed)


def _log_prior(member: Member) -> float:
    ends = np.log(_ENDS_ODDS) if member.family == "ends" else 0.0
    return float(ends - _ROUGHNESS_COST * member.roughness)


def _weight_of_uniform(
    scores: FloatArray, uniform: FloatArray, rest: FloatArray, published: FloatArray
) -> float:
    against = float(np.logaddexp.reduce(scores[1:]) - scores[0])
    even = np.full(len(uniform), 1.0 / len(uniform))
    little = max(_distance(published, even), 1e-12)
    odds = np.clip(_ODDS_RATE * np.sqrt(_distance(rest, uniform) / little), _ODDS_LEAST, _ODDS_MOST)
    exponent = np.clip(_GATE_POWER * (against - np.log(odds)), -700.0, 700.0)
    return float(1.0 / (1.0 + np.exp(exponent)))


def _distance(one: FloatArray, other: FloatArray) -> float:
    return float(np.abs(np.cumsum(one - other)).mean())
