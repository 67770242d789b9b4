"""Attributes that play no part in the way to a leaf: noise on them keeps the rules of a tree."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from scumble.columns import taken
from scumble.entropy import Stream
from scumble.errors import SpecificationError
from scumble.schema import Numeric
from scumble.schema._named import suggestion
from scumble.schema._parameters import positive
from scumble.treatments._exposure import exposure_of_groups
from scumble.treatments._proportional import LAWS, exposure_of_noise, noise_of, snapped
from scumble.treatments._records import Records
from scumble.treatments._shuffle import shuffled_within
from scumble.treatments._strata import compact
from scumble.treatments._treatment import ColumnTreatment, Treated

Scope = Literal["all", "total", "leaf"]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.integer[Any]]


@dataclass(frozen=True, kw_only=True)
class InnocentShuffle(ColumnTreatment):
    """Values that a tree does not look at change places within its leaves and classes.

    Parameters
    ----------
    scope : {"all", "total", "leaf"}
        Which values: where the attribute is not tested on the way to the leaf of the
        record ("all"); only of an attribute that the tree tests nowhere ("total"); only of
        one that it tests elsewhere ("leaf").

    Notes
    -----
    Not in Islam and Brankovic, who add noise: permuted values keep their distribution in
    each leaf and class exactly, and a tree grown from them is nearer to the first one. The
    leaf of every record in that tree stays the same.

    Where an attribute is tested on the way to a leaf, its values in that leaf are released
    as they are: the exposure counts them as disclosed.
    """

    name: ClassVar[str] = "innocent-shuffle"
    kinds: ClassVar[tuple[str, ...]] = ("numeric", "categorical", "date", "text")
    guided: ClassVar[bool] = True
    scope: Scope = "all"

    def __post_init__(self) -> None:
        check_one_of("scope", self.scope, get_args(Scope))

    def treated(self, name: str, records: Records, stream: Stream) -> Treated:
        free = _innocent(records, name, self.scope)
        guide = records.guide
        groups: IntArray = guide.leaves * (int(guide.classes.max()) + 2) + guide.classes + 1
        # Whoever is not innocent is a group of one.
        own = int(groups.max()) + 1 + np.arange(len(groups))
        groups = compact(np.where(free, groups, own))
        order = shuffled_within(groups, stream)
        return Treated(
            taken(records.told(name), order), exposure_of_groups(records.truths(name), groups)
        )


@dataclass(frozen=True, kw_only=True)
class InnocentNoise(ColumnTreatment):
    """Values that a tree does not look at get noise in proportion to themselves.

    Parameters
    ----------
    scope : {"all", "total", "leaf"}
        As for `InnocentShuffle`.
    law : {"normal", "discrete"}
        The noise: a normal share of the value, or one in steps of 10 % from -60 to 60 %, as
        published.
    sd : float
        The standard deviation of the normal law, as a share of the value; that of the
        discrete one is 27.6 %.

    Notes
    -----
    Islam and Brankovic: total innocent attributes (TIA) and leaf innocent attributes (LIA).
    The leaf of every record in the guiding tree stays the same. A value of zero gets no
    noise. A number whose step is declared stays on its steps, grades for one, which hides
    more. **The discrete law does not hide:** a released number is one of few multiples of the
    true one, and an intruder who knows that finds most records; the exposure tells, as if no
    step were declared.
    """

    name: ClassVar[str] = "innocent-noise"
    kinds: ClassVar[tuple[str, ...]] = ("numeric",)
    guided: ClassVar[bool] = True
    scope: Scope = "all"
    law: Literal["normal", "discrete"] = "normal"
    sd: float = 0.276

    def __post_init__(self) -> None:
        check_one_of("scope", self.scope, get_args(Scope))
        check_one_of("law", self.law, LAWS)
        object.__setattr__(self, "sd", positive("sd", self.sd))

    def treated(self, name: str, records: Records, stream: Stream) -> Treated:
        values = records.numbers(name)
        free = _innocent(records, name, self.scope) & ~np.isnan(values)
        noise = noise_of(stream.uniform(len(values)), law=self.law, sd=self.sd)
        released = np.where(free, values * (1 + noise), values)
        attribute = records.attributes.get(name)
        if isinstance(attribute, Numeric):
            released = np.where(free, snapped(released, attribute), values)
        exposure = exposure_of_noise(values, free, law=self.law, sd=self.sd)
        return Treated(released, exposure)


def check_one_of(key: str, value: str, known: tuple[str, ...]) -> None:
    """Raise where a parameter is not one of a few words."""
    if value not in known:
        raise SpecificationError(f"{key}: unknown {value!r}{suggestion(value, known)}")


def _innocent(records: Records, name: str, scope: Scope) -> BoolArray:
    if name == records.class_name:
        raise SpecificationError(
            f"treatment: {name!r} is the class, which is never innocent; take 'class-noise'"
        )
    return records.guide.innocent(
        name, total=scope in ("all", "total"), leaf=scope in ("all", "leaf")
    )
