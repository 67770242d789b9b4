"""Exact maximum likelihood for randomized response."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from scumble.reconstruction._em import EM
from scumble.reconstruction._fit import Fit
from scumble.reconstruction._inversion import mixture_errors
from scumble.schema import Channel


@dataclass(frozen=True, kw_only=True)
class ResponseLikelihood:
    """The likeliest shares, found by dropping the values that nobody seems to have.

    Where no share comes out negative this is the inversion. It needs the two numbers
    of a mixture and no matrix; a channel of another form is left to EM.

    Notes
    -----
    Maximise sum N_v log(a x_v + b_v) over shares x. On the set of values with x > 0
    the solution is x_v = N_v / mu - b_v / a, mu from the sum. Values that come out
    negative leave the set; the others then shrink, so none of them ever returns.
    """

    name: ClassVar[str] = "likelihood"

    def fit(self, counts: NDArray[np.float64], channel: Channel) -> Fit:
        """Return the shares of the truth cells."""
        if channel.mixture is None:
            return EM().fit(counts, channel)
        kept, base = channel.mixture
        offset = base / kept
        active = np.ones(len(counts), dtype=bool)
        while True:
            left = counts[active].sum()
            if left == 0:
                # Only values that no report speaks for or against: nothing tells them apart.
                shares = active / active.sum()
                break
            shares = np.where(active, counts * (1 + offset[active].sum()) / left - offset, 0)
            if shares.min() >= 0:
                break
            active &= shares > 0
        total = float(counts.sum())
        errors = mixture_errors(shares, shares, total, channel.mixture)
        return Fit(shares, uncertainty=errors)
