"""The worst that a report can do to a suspicion."""

import math

from scumble.schema._parameters import share


def worst_posterior(prior: float, *, epsilon: float) -> float:
    """Return what a suspicion can rise to, whatever it is about and whatever is reported.

    Parameters
    ----------
    prior : float
        How probable the property of the truth was before the report.
    epsilon : float
        The epsilon of the channel.

    Examples
    --------
    >>> import math
    >>> round(worst_posterior(0.05, epsilon=math.log(19)), 3)
    0.5
    >>> worst_posterior(0.05, epsilon=math.inf)
    1.0

    Notes
    -----
    The breach from rho1 to rho2 of Evfimievski, Gehrke and Srikant (2003): with the
    amplification gamma = exp(epsilon), rho2 = rho1 gamma / (1 - rho1 + rho1 gamma).
    """
    prior = share("prior", prior)
    # Divided by gamma, which may be too large for a float.
    return prior / (prior + (1 - prior) * math.exp(-epsilon))
