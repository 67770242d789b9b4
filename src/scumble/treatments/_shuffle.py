"""Shuffling: values change places, so that none is known to belong to its record."""

from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from scumble.columns import taken
from scumble.entropy import Stream
from scumble.errors import SpecificationError, TableError
from scumble.schema import Attribute, Domain
from scumble.treatments._exposure import exposure_of_groups
from scumble.treatments._records import Records
from scumble.treatments._strata import strata
from scumble.treatments._treatment import ColumnTreatment, Treated

IntArray = NDArray[np.integer[Any]]


@dataclass(frozen=True, kw_only=True)
class Shuffle(ColumnTreatment):
    """The values of a column are dealt out anew among all records, or among those alike.

    Parameters
    ----------
    within : sequence of str
        Attributes whose joint distribution with this one is kept exactly: values move only
        between records that are equal in them. The class, say. None: among all records.
    like : sequence of str
        Attributes on which the dependence is kept: values move between records that are
        similar in them.
    block : int, optional
        With `like`: the least number of records among which values move. The larger, the
        less is known of a record and the more of the dependence is lost. By default the
        square root of the number of records, and at least 20.

    Examples
    --------
    >>> import pandas as pd
    >>> from scumble.treatments import Shuffle, Treat
    >>> people = pd.DataFrame({"age": [31, 45, 62, 70], "ill": ["no", "no", "yes", "yes"]})
    >>> treated = Treat({"age": Shuffle(within=["ill"])}).fit_transform(people)
    >>> sorted(treated["age"][:2]), sorted(treated["age"][2:])
    ([31, 45], [62, 70])

    Notes
    -----
    Li, Shaw and Lin 2003 shuffle globally and by class. Any type of column can be shuffled,
    and every released value is a real one. A record gets an equal value back with
    probability sum (n_v / n)^2 over the values of its stratum. By class, (X, C) and (Y, C)
    are kept and the dependence of X on Y given C is lost; with `like`, strata are blocks of
    records that a k-d tree finds similar, and the dependence is kept up to their width.

    Protected is which value belongs to whom. The values themselves are published, and an
    intruder who knows the stratum of a record knows which values it may have.
    """

    name: ClassVar[str] = "shuffle"
    kinds: ClassVar[tuple[str, ...]] = ("numeric", "categorical", "date", "text")
    within: tuple[str, ...] = ()
    like: tuple[str, ...] = ()
    block: int | None = None

    def __post_init__(self) -> None:
        for key in ("within", "like"):
            object.__setattr__(self, key, names_of(key, getattr(self, key)))
        if self.block is not None and (
            isinstance(self.block, bool) or not isinstance(self.block, int) or self.block < 2
        ):
            raise SpecificationError(f"block: expected a whole number above 1, got {self.block!r}")

    @property
    def reads(self) -> tuple[str, ...]:
        return (*self.within, *self.like)

    def check(self, domain: Attribute) -> None:
        super().check(cast("Domain", domain))
        if getattr(domain, "coding", None) is not None:
            raise SpecificationError("treatment: expected no coding with 'shuffle'; drop one")

    def treated(self, name: str, records: Records, stream: Stream) -> Treated:
        if name in self.reads:
            raise SpecificationError(
                f"treatment: {name!r} cannot be shuffled among records that are alike in itself"
            )
        groups = strata(records, within=self.within, like=self.like, block=self.block)
        alone = int(np.count_nonzero(np.bincount(groups) == 1))
        if alone:
            raise TableError(
                f"column {name!r}: {alone} records are alone in their stratum, so that each would "
                "get its own value back; shuffle within fewer attributes, or drop these records"
            )
        order = shuffled_within(groups, stream)
        return Treated(
            taken(records.told(name), order),
            exposure_of_groups(records.truths(name), groups),
        )


def shuffled_within(groups: IntArray, stream: Stream) -> IntArray:
    """Return a random permutation that leaves every record in its group.

    Place i gets the value of record order[i]. All permutations are equally likely: the
    random words by which records are sorted are equal with probability below n^2 / 2^65.
    """
    words = stream.words(len(groups))
    if len(groups) and not groups.any():
        return np.argsort(words)
    by_chance = np.argsort(words)
    del words
    order = np.empty(len(groups), dtype=np.int64)
    members = np.argsort(groups, kind="stable")
    order[members] = by_chance[np.argsort(groups[by_chance], kind="stable")]
    return order


def names_of(key: str, given: Any) -> tuple[str, ...]:
    """Return a parameter that must be a list of names of attributes."""
    if isinstance(given, str) or not all(isinstance(name, str) for name in given):
        raise SpecificationError(f"{key}: expected a list of attributes, got {given!r}")
    return tuple(given)
