"""How many reports it takes to catch a leak."""

import math

from scumble.audit._binomial_bounds import at_least, at_most
from scumble.audit._empirical_epsilon import SURE
from scumble.errors import SpecificationError
from scumble.schema._parameters import number, share

# No fewer than `empirical_epsilon` computes: five pairs, two ways, seven views, four bounds.
_BOUNDS = 280
_MOST = 10_000_000


def samples_to_catch(
    probability: float,
    *,
    epsilon: float,
    otherwise: float = 0.0,
    confidence: float = SURE,
) -> int:
    """Return how many reports of each truth show an event that contradicts an epsilon.

    Parameters
    ----------
    probability : float
        How likely the event is under one truth.
    epsilon : float
        The epsilon that is claimed.
    otherwise : float
        How likely the event is under the other truth.
    confidence : float
        With what probability it is caught; also the confidence of the check.

    Examples
    --------
    >>> from scumble.audit import samples_to_catch
    >>> samples_to_catch(0.9, epsilon=1.0) <= 1000
    True
    >>> 200_000 < samples_to_catch(0.001, epsilon=1.0) < 500_000
    True
    """
    from scipy.stats import binom

    probability, confidence = share("probability", probability), share("confidence", confidence)
    allowed = math.exp(number("epsilon", epsilon))
    alpha, half = (1 - confidence) / _BOUNDS, 500
    while half <= _MOST:
        seen = int(binom.ppf(1 - confidence, half, probability))
        stray = int(binom.isf(1 - confidence, half, otherwise)) if otherwise else 0
        low = at_least(seen, half, alpha=alpha)
        if low > allowed * at_most(stray, half, alpha=alpha):
            return 2 * half
        half = math.ceil(1.1 * half)
    raise SpecificationError(
        f"probability: expected an event that {_MOST:,} reports show, got one that is too rare or "
        "does not contradict epsilon; look for a larger leak"
    )
