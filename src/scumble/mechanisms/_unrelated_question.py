"""The unrelated-question model: the truth, or the answer to a harmless question."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Stream
from scumble.errors import SpecificationError
from scumble.mechanisms._response import Response, keep_missing, scaled_keep, told
from scumble.schema import Categorical, Domain
from scumble.schema._parameters import numbers, probability, text


@dataclass(frozen=True, kw_only=True)
class UnrelatedQuestion(Response):
    """Tell the truth with some probability, else a value of known odds.

    Parameters
    ----------
    keep : float
        The probability that the sensitive question is answered; more than 0.
    shares : sequence of float, optional
        How often the harmless question is answered by each value; by default all
        are equally frequent.
    group : str, optional
        Attributes of one group share the coin; the harmless answers stay their own.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import UnrelatedQuestion
    >>> round(UnrelatedQuestion(keep=0.5).epsilon_on(Categorical(["no", "yes"])), 4)
    1.0986

    Notes
    -----
    P(report) = theta P(truth) + (1 - theta) pi, with theta for `keep` and pi for
    `shares`: it can be solved for any theta above 0 and any number of values. With
    two equally frequent values it is Warner's model at (1 + theta) / 2.
    """

    name: ClassVar[str] = "unrelated-question"
    keep: float
    shares: tuple[float, ...] | None = None
    group: str | None = None

    def __post_init__(self) -> None:
        keep = probability("keep", self.keep)
        if keep == 0:
            raise SpecificationError(
                "keep: expected more than 0; else no report depends on a truth"
            )
        object.__setattr__(self, "keep", keep)
        if self.group is not None:
            text("group", self.group)
        if self.shares is not None:
            shares = numbers("shares", self.shares)
            if min(shares, default=-1) < 0 or not math.isclose(sum(shares), 1, abs_tol=1e-9):
                raise SpecificationError("shares: expected numbers from 0 that sum to 1")
            object.__setattr__(self, "shares", shares)

    def check(self, domain: Domain) -> None:
        super().check(domain)
        count = len(cast("Categorical", domain))
        if self.shares is not None and len(self.shares) != count:
            raise SpecificationError(
                f"mechanism.shares: expected one for each of the {count} values, "
                f"got {len(self.shares)}"
            )

    def harmless_shares(self, domain: Categorical) -> NDArray[np.float64]:
        """Return how often each value answers the harmless question."""
        if self.shares is None:
            return np.full(len(domain), 1 / len(domain))
        return np.array(self.shares)

    def mixture(self, domain: Domain) -> tuple[float, NDArray[np.float64]]:
        return self.keep, (1 - self.keep) * self.harmless_shares(cast("Categorical", domain))

    def disguise(
        self, truth: NDArray[Any], domain: Domain, stream: Stream, *, coin: Stream | None = None
    ) -> NDArray[Any]:
        draw = stream.uniform(len(truth))
        if coin is not None:
            kept = told(coin, len(truth), self.keep)
        else:
            # One draw decides and places: what is left of it is uniform again.
            kept = draw < self.keep
            draw = np.where(kept, draw / self.keep, (draw - self.keep) / max(1 - self.keep, 1e-300))
        count = len(cast("Categorical", domain))
        if self.shares is None:
            harmless = np.minimum(draw * count, count - 1).astype(truth.dtype)
        else:
            harmless = np.searchsorted(np.cumsum(self.shares)[:-1], draw, side="right")
        return keep_missing(np.where(kept, truth, harmless), truth)

    def with_noise(self, factor: float) -> Self:
        return replace(self, keep=scaled_keep(self.keep, factor))
