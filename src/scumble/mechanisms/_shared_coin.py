"""Groups of attributes that share one coin (multi-group randomized response)."""

import math
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Stream
from scumble.errors import SpecificationError
from scumble.mechanisms._response import keep_missing, scaled_keep, told
from scumble.mechanisms._unrelated_question import UnrelatedQuestion
from scumble.schema import Categorical, CellSet, Channel, Domain, Mechanism, Product, Specification
from scumble.schema._parameters import probability


@dataclass(frozen=True, kw_only=True)
class SharedCoin(Mechanism):
    """Several yes-or-no answers at once: all true, or all reversed.

    It is the joint channel of the attributes of one group of `Warner`, on the
    product of their domains.

    Parameters
    ----------
    keep : float
        The probability that the whole group is true; not one half.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import SharedCoin
    >>> from scumble.schema import Product
    >>> answer = Categorical(["no", "yes"])
    >>> both = Product([answer, answer])
    >>> SharedCoin(keep=0.8).channel(both).matrix[0].round(2).tolist()
    [0.8, 0.0, 0.0, 0.2]
    >>> SharedCoin(keep=0.8).epsilon_on(both)
    inf

    Notes
    -----
    Two answers of a group agree in the report exactly when they agree in truth.
    This relation is released in clear, hence no finite epsilon from two attributes
    on, whatever the coin.
    """

    name: ClassVar[str] = "shared-coin"
    kinds: ClassVar[tuple[str, ...]] = ("categorical",)
    keep: float

    def __post_init__(self) -> None:
        keep = probability("keep", self.keep)
        if keep == 0.5:
            raise SpecificationError("keep: a fair coin tells nothing; choose another value")
        object.__setattr__(self, "keep", keep)

    def check(self, domain: Domain) -> None:
        super().check(domain)
        if not isinstance(domain, Product) or any(len(part) != 2 for part in domain.parts):
            raise SpecificationError(
                "mechanism: 'shared-coin' is what several yes-or-no attributes do together; give "
                "each of them 'warner' with the same group"
            )

    def report_domain(self, domain: Domain) -> Domain:
        return domain.told

    def disguise(
        self, truth: NDArray[Any], domain: Domain, stream: Stream, *, coin: Stream | None = None
    ) -> NDArray[Any]:
        kept = told(coin or stream, len(truth), self.keep)
        # In a product of pairs the opposite of all answers is the code from the end.
        opposite = len(cast("Categorical", domain)) - 1 - truth
        return keep_missing(np.where(kept, truth, opposite), truth)

    def report_cells(self, domain: Domain, truth: CellSet) -> CellSet:
        return truth

    def matrix(self, domain: Domain, truth: CellSet, report: CellSet) -> NDArray[np.float64]:
        true = np.eye(len(truth))
        return self.keep * true + (1 - self.keep) * true[::-1]

    def epsilon_on(self, domain: Domain) -> float:
        if len(cast("Categorical", domain)) > 2 or self.keep in (0, 1):
            return math.inf
        return abs(math.log(self.keep / (1 - self.keep)))

    def interval_privacy(self, domain: Domain, *, confidence: float = 0.95) -> None:
        return None

    def with_noise(self, factor: float) -> Self:
        return replace(self, keep=scaled_keep(self.keep, factor))


def joint_channel(spec: Specification, *, group: str) -> Channel:
    """Return the channel of the attributes of a group, taken together.

    Examples
    --------
    >>> from scumble import Categorical, Specification
    >>> from scumble.mechanisms import Warner, joint_channel
    >>> answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.8, group="health"))
    >>> spec = Specification({"smoker": answer, "drinker": answer})
    >>> joint_channel(spec, group="health").matrix.shape
    (4, 4)
    """
    if group not in spec.groups:
        raise SpecificationError(f"group: expected one of {sorted(spec.groups)}, got {group!r}")
    members = [cast("Categorical", spec[name]) for name in spec.groups[group]]
    domain = Product(members)
    first = members[0].mechanism
    if not isinstance(first, UnrelatedQuestion):
        return SharedCoin(keep=cast("Any", first).keep).channel(domain)
    harmless = [
        cast("UnrelatedQuestion", member.mechanism).harmless_shares(member) for member in members
    ]
    odds = reduce(np.multiply.outer, harmless).ravel()
    return UnrelatedQuestion(keep=first.keep, shares=tuple(odds)).channel(domain)
