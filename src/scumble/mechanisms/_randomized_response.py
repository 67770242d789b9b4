"""Randomized response for k values: the truth, or any other value."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Stream
from scumble.errors import SpecificationError
from scumble.mechanisms._response import Response, scaled_keep
from scumble.schema import Categorical, Domain
from scumble.schema._parameters import budget, exactly_one, probability


@dataclass(frozen=True, kw_only=True)
class RandomizedResponse(Response):
    """Keep the value with some probability, else report another one at random.

    Parameters
    ----------
    keep : float
        The probability of the truth.
    epsilon : float
        Instead of `keep`, what a report may tell.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import RandomizedResponse
    >>> colour = Categorical(["red", "green", "blue"])
    >>> round(RandomizedResponse(keep=0.5).epsilon_on(colour), 4)
    0.6931

    Notes
    -----
    AS section 6, with p for `keep`: each of the k - 1 other values has probability
    (1 - p) / (k - 1); epsilon is |log(p (k - 1) / (1 - p))|.
    """

    name: ClassVar[str] = "randomized-response"
    keep: float | None = None
    epsilon: float | None = None

    def __post_init__(self) -> None:
        if exactly_one(keep=self.keep, epsilon=self.epsilon) == "keep":
            object.__setattr__(self, "keep", probability("keep", self.keep))
        else:
            object.__setattr__(self, "epsilon", budget("epsilon", self.epsilon))

    def check(self, domain: Domain) -> None:
        super().check(domain)
        count = len(cast("Categorical", domain))
        if math.isclose(self.keep_on(cast("Categorical", domain)), 1 / count, rel_tol=1e-12):
            raise SpecificationError(
                f"mechanism.keep: with {count} values a keep of 1/{count} makes every report "
                "equally likely and tells nothing; choose another, or the unrelated question"
            )

    def keep_on(self, domain: Categorical) -> float:
        """Return the probability of the truth on this domain."""
        if self.keep is not None:
            return self.keep
        return 1 / (1 + (len(domain) - 1) * math.exp(-cast("float", self.epsilon)))

    def mixture(self, domain: Domain) -> tuple[float, NDArray[np.float64]]:
        domain = cast("Categorical", domain)
        keep = self.keep_on(domain)
        other = (1 - keep) / (len(domain) - 1)
        return keep - other, np.full(len(domain), other)

    def disguise(
        self, truth: NDArray[Any], domain: Domain, stream: Stream, *, coin: Stream | None = None
    ) -> NDArray[Any]:
        domain = cast("Categorical", domain)
        keep, others = self.keep_on(domain), len(domain) - 1
        place = stream.uniform(len(truth))
        # One draw decides and chooses: above `keep` it is uniform over the others.
        place -= keep
        place *= others / (1 - keep) if keep < 1 else 0.0
        kept = place < 0 if keep < 1 else np.ones(len(truth), dtype=bool)
        other = np.minimum(place, others - 1).astype(truth.dtype)
        other += other >= truth
        kept |= truth < 0
        np.copyto(other, truth, where=kept)
        return other

    def with_noise(self, factor: float) -> Self:
        if self.keep is not None:
            return replace(self, keep=scaled_keep(self.keep, factor))
        return replace(self, epsilon=cast("float", self.epsilon) / factor)
