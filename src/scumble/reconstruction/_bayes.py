"""The published rule: Bayes' rule iterated until successive estimates agree."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from scumble.reconstruction._em import Observed
from scumble.reconstruction._fit import Fit
from scumble.schema import Channel


@dataclass(frozen=True, kw_only=True)
class Bayes:
    """Bayes' rule from equal shares, stopped early (AS Eq. 3).

    Parameters
    ----------
    tolerance : float
        Stop when the chi-square distance between successive estimates falls under
        this share of the threshold of the chi-square test; 1 % as published.
    level : float
        The confidence of that test.
    most : int
        Stop after so many steps at the latest.

    Notes
    -----
    AS approximate the noise between two intervals by its density at the distance of
    their mid-points; here the channel is integrated over both, which costs nothing
    and removes the error of that approximation.
    """

    name: ClassVar[str] = "bayes"
    tolerance: float = 0.01
    level: float = 0.95
    most: int = 10_000

    def fit(self, counts: NDArray[np.float64], channel: Channel) -> Fit:
        """Return the shares of the truth cells."""
        from scipy.special import chdtri

        observed = Observed(counts, channel.matrix)
        shares = np.full(len(channel.truth), 1 / len(channel.truth))
        enough = self.tolerance * float(chdtri(max(1, len(shares) - 1), 1 - self.level))
        for iteration in range(1, self.most + 1):
            before = shares
            shares = observed.step(before, observed.expected(before))
            change = (shares - before) ** 2 / np.maximum(before, 1e-300)
            if observed.total * float(change.sum()) < enough:
                return Fit(shares, iterations=iteration)
        return Fit(shares, iterations=self.most, converged=False)


def published_interval_count(total: int) -> int:
    """Return how many intervals AS use: 100 reports in each, from 10 to 100 of them.

    Examples
    --------
    >>> [published_interval_count(total) for total in (50, 2500, 10**6)]
    [10, 25, 100]
    """
    return min(100, max(10, total // 100))
