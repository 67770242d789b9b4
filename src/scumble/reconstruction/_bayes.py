"""The published rule: Bayes' rule iterated until successive estimates agree."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

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
        shares, iterations = self.fit_many(counts[None], channel.matrix)
        return Fit(shares[0], iterations=iterations, converged=iterations <= self.most)

    def fit_many(
        self, counts: NDArray[np.float64], matrix: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], int]:
        """Fit many attributes of one channel at once.

        Each is iterated until it rests, just as if it were alone.

        Parameters
        ----------
        counts : array, (many, report cells)
            The reports of each, at least one.
        matrix : array, (truth cells, report cells)
            The channel.

        Returns
        -------
        shares : array, (many, truth cells)
            The shares of the truth cells.
        iterations : int
            How many steps the slowest took; above `most` where it did not rest.
        """
        from scipy.special import chdtri

        hit = counts.any(axis=0)
        counts, forth = counts[:, hit], np.ascontiguousarray(matrix[:, hit])
        back = np.ascontiguousarray(forth.T)
        enough = self.tolerance * float(chdtri(max(1, len(matrix) - 1), 1 - self.level))
        total = counts.sum(axis=1, keepdims=True)
        result = np.full((len(counts), len(matrix)), 1 / len(matrix))
        shares, moving = result, np.arange(len(counts))
        for iteration in range(1, self.most + 1):
            before = shares
            # Tiny instead of zero: a start that rules a report out must not divide by it.
            expected = np.maximum(before @ forth, 1e-300)
            shares = before * ((counts / expected) @ back) / total
            change = total[:, 0] * ((shares - before) ** 2 / np.maximum(before, 1e-300)).sum(axis=1)
            rests = change < enough
            if rests.any():
                result[moving[rests]] = shares[rests]
                shares, counts, total = shares[~rests], counts[~rests], total[~rests]
                moving = moving[~rests]
            if not len(moving):
                return result, iteration
        result[moving] = shares
        return result, self.most + 1


def published_interval_count(total: int) -> int:
    """Return how many intervals AS use: 100 reports in each, from 10 to 100 of them.

    Examples
    --------
    >>> [published_interval_count(total) for total in (50, 2500, 10**6)]
    [10, 25, 100]
    """
    return min(100, max(10, total // 100))
