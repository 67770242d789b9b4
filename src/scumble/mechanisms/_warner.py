"""Warner's randomized response for a yes or no (Warner 1965)."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Stream
from scumble.errors import SpecificationError
from scumble.mechanisms._response import Response, keep_missing, scaled_keep, told
from scumble.schema import Categorical, Domain
from scumble.schema._parameters import probability, text


@dataclass(frozen=True, kw_only=True)
class Warner(Response):
    """Tell the truth with some probability, else the opposite.

    Parameters
    ----------
    keep : float
        The probability of the truth; not one half.
    group : str, optional
        Attributes of one group share the coin: all true or all reversed.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import Warner
    >>> round(Warner(keep=0.75).epsilon_on(Categorical(["no", "yes"])), 4)
    1.0986

    Notes
    -----
    The related-question model of the multi-group paper, with theta for `keep`.
    Epsilon is |log(theta / (1 - theta))| for one attribute alone; a group of two or
    more has none, since it shows which answers agree (see `SharedCoin`).
    """

    name: ClassVar[str] = "warner"
    keep: float
    group: str | None = None

    def __post_init__(self) -> None:
        keep = probability("keep", self.keep)
        if keep == 0.5:
            raise SpecificationError(
                "keep: a fair coin tells nothing; choose another value, or the mechanism "
                "'unrelated-question', which works with any"
            )
        object.__setattr__(self, "keep", keep)
        if self.group is not None:
            text("group", self.group)

    def check(self, domain: Domain) -> None:
        super().check(domain)
        if len(cast("Categorical", domain)) != 2:
            raise SpecificationError(
                f"mechanism: 'warner' needs two values, got {len(cast('Categorical', domain))}; "
                "use 'randomized-response', or 'unrelated-question' for a shared coin"
            )

    def mixture(self, domain: Domain) -> tuple[float, NDArray[np.float64]]:
        return 2 * self.keep - 1, np.full(2, 1 - self.keep)

    def disguise(
        self, truth: NDArray[Any], domain: Domain, stream: Stream, *, coin: Stream | None = None
    ) -> NDArray[Any]:
        kept = told(coin or stream, len(truth), self.keep)
        return keep_missing(np.where(kept, truth, 1 - truth), truth)

    def with_noise(self, factor: float) -> Self:
        return replace(self, keep=scaled_keep(self.keep, factor))
