"""The probability-distribution method: a drawn sample takes the place of the values."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from scumble.dates import as_dates
from scumble.entropy import Stream
from scumble.errors import SpecificationError, TableError
from scumble.schema import Numeric
from scumble.schema._named import suggestion
from scumble.schema._parameters import numbers
from scumble.treatments._exposure import exposure_of_groups
from scumble.treatments._records import Records
from scumble.treatments._treatment import ColumnTreatment, Treated

FloatArray = NDArray[np.float64]
# Each with the parameters that are fixed; densities of positive numbers begin at zero.
FAMILIES: dict[str, dict[str, float]] = {
    "norm": {},
    "logistic": {},
    "uniform": {},
    "expon": {"floc": 0},
    "gamma": {"floc": 0},
    "lognorm": {"floc": 0},
    "weibull_min": {"floc": 0},
}
_SAMPLE = 20_000


@dataclass(frozen=True, kw_only=True)
class Distribution(ColumnTreatment):
    """Values are replaced by draws from a density fitted to them, in the same rank order.

    Parameters
    ----------
    family : {"norm", "logistic", "uniform", "expon", "gamma", "lognorm", "weibull_min"}, optional
        The density, as scipy calls it. By default the one with the best Bayesian
        information criterion; those from "expon" on are for positive numbers.
    parameters : sequence of float, optional
        Its parameters as scipy orders them; by default fitted by maximum likelihood, those of
        "uniform" by mean and deviation: likeliest are its ends at the least and the greatest
        value, which are those of two people.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from scumble.treatments import Distribution, Treat
    >>> incomes = pd.DataFrame({"income": np.random.default_rng(0).lognormal(3, 1, 500)})
    >>> treat = Treat({"income": Distribution()}).fit(incomes)
    >>> treat.treatments_["income"].family
    'lognorm'

    Notes
    -----
    Liew et al. 1985, in Li, Shaw and Lin 2003: identify a density and estimate it, draw as
    many values as there are records, and let the smallest replace the smallest and so on.
    Ties are broken at random. Draws outside a declared domain are not made.

    **The ranks are released entirely.** An intruder who knows how the true values are
    distributed finds nearly every one of them: the exposure is 1. A release under the usual
    criteria refuses it; shuffle instead.
    """

    name: ClassVar[str] = "distribution"
    kinds: ClassVar[tuple[str, ...]] = ("numeric", "date")
    family: str | None = None
    parameters: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if self.family is not None and self.family not in FAMILIES:
            raise SpecificationError(
                f"family: unknown {self.family!r}{suggestion(self.family, FAMILIES)}"
            )
        if self.parameters is not None:
            if self.family is None:
                raise SpecificationError("parameters: expected the family that they belong to")
            object.__setattr__(self, "parameters", numbers("parameters", self.parameters))
            _check_parameters(self.family, self.parameters)

    def learned(self, name: str, records: Records) -> Self:
        if self.parameters is not None:
            return self
        values = records.numbers(name)
        known = values[~np.isnan(values)]
        if len(np.unique(known)) < 3:
            raise TableError(
                f"column {name!r}: expected at least three different numbers to fit a density to; "
                "shuffle the attribute or withhold it"
            )
        if len(known) > _SAMPLE:
            known = known[:: len(known) // _SAMPLE]
        families = [self.family] if self.family else _possible(known)
        fits = [(_fitted(known, family), family) for family in families]
        (_, parameters), family = min(fits, key=lambda fit: fit[0][0])
        return replace(self, family=family, parameters=parameters)

    def treated(self, name: str, records: Records, stream: Stream) -> Treated:
        values = records.numbers(name)
        known = np.flatnonzero(~np.isnan(values))
        order = known[np.lexsort((stream.words(len(known)), values[known]))]
        released = np.full(len(values), np.nan)
        released[order] = np.sort(self._draws(stream.uniform(len(known)), records, name))
        truths = records.truths(name)
        column: Any = released
        if records.is_date(name):
            low, high = float(np.nanmin(released)), float(np.nanmax(released))
            column = as_dates(np.rint(released), records.column(name), low=low, high=high)
        # Ranks are kept: who knows the true distribution knows the value.
        return Treated(column, exposure_of_groups(truths, truths))

    def _draws(self, chances: FloatArray, records: Records, name: str) -> FloatArray:
        from scipy import stats

        law = getattr(stats, cast("str", self.family))(*(self.parameters or ()))
        attribute = records.attributes.get(name)
        if not isinstance(attribute, Numeric):
            return np.asarray(law.ppf(chances))
        low, high = law.cdf(attribute.low), law.cdf(attribute.high)
        draws = np.clip(law.ppf(low + chances * (high - low)), attribute.low, attribute.high)
        if attribute.step is None:
            return np.asarray(draws)
        start = attribute.low if math.isfinite(attribute.low) else 0.0
        steps = np.rint((draws - start) / attribute.step)
        return np.asarray(np.clip(start + attribute.step * steps, attribute.low, attribute.high))


def _check_parameters(family: str, parameters: tuple[float, ...]) -> None:
    """Raise where there are more or fewer than a family has, or the scale is none."""
    from scipy import stats

    wanted = getattr(stats, family).numargs + 2
    if len(parameters) != wanted or not all(map(math.isfinite, parameters)) or parameters[-1] <= 0:
        raise SpecificationError(
            f"parameters: expected the {wanted} of {family!r}, its shape, location and a scale "
            f"above 0 as scipy orders them, got {len(parameters)}; leave them out to fit them"
        )


def _possible(known: FloatArray) -> list[str]:
    positive = bool((known > 0).all())
    return [family for family, fixed in FAMILIES.items() if positive or not fixed]


def _fitted(known: FloatArray, family: str) -> tuple[float, tuple[float, ...]]:
    """Return the Bayesian information criterion of a family (less is better), and its fit."""
    from scipy import stats

    if FAMILIES[family] and not (known > 0).all():
        raise TableError(
            f"treatment: family {family!r} is for positive numbers, but some records have others; "
            "take another family"
        )
    law: Any = getattr(stats, family)
    likeliest = law.fit(known, **FAMILIES[family])
    fit = -2 * float(np.sum(law.logpdf(known, *likeliest)))
    free = len(likeliest) - len(FAMILIES[family])
    parameters = _by_moments(known) if family == "uniform" else likeliest
    return fit + free * math.log(len(known)), tuple(float(p) for p in parameters)


def _by_moments(known: FloatArray) -> tuple[float, float]:
    """Return start and width of the uniform density with the same mean and deviation.

    The likeliest one would tell the extremes, and the manifest publishes what was fitted.

    Examples
    --------
    >>> start, width = _by_moments(np.linspace(10, 20, 1001))
    >>> round(start, 1), round(width, 1)
    (10.0, 10.0)
    """
    half = math.sqrt(3) * float(known.std())
    return float(known.mean()) - half, 2 * half
