"""Noise on the class that keeps the rules of a tree."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from scumble.columns import taken
from scumble.entropy import Stream
from scumble.errors import SpecificationError
from scumble.schema._named import suggestion
from scumble.treatments._exposure import Exposure, exposure_of_groups
from scumble.treatments._records import Records
from scumble.treatments._shuffle import shuffled_within
from scumble.treatments._treatment import ColumnTreatment, Treated

IntArray = NDArray[np.integer[Any]]
Technique = Literal["random", "probabilistic", "all-leaves"]


@dataclass(frozen=True, kw_only=True)
class ClassNoise(ColumnTreatment):
    """The class of some records is changed, as many in each leaf of a tree as keep its rules.

    Parameters
    ----------
    technique : {"random", "probabilistic", "all-leaves"}
        "random": the classes of a leaf change places among its records. "probabilistic":
        each record draws its class from those of its leaf. "all-leaves": the class of any
        record changes with one probability, so that as many change as by the others; it
        stands for natural noise, to compare with.

    Notes
    -----
    Islam and Brankovic; the tree is a C4.5 tree of the true records. In leaf k with N_k
    records and class shares f, N_k (1 - sum f^2) classes are expected to change by the first
    two techniques. Leaves of one class stay as they are: their rule tells the class of
    everyone in them, whether in the table or not.

    Protected is the class of a record in a leaf of several classes, where it is not the most
    frequent one of its leaf. By "random" the number of each class is kept.
    """

    name: ClassVar[str] = "class-noise"
    kinds: ClassVar[tuple[str, ...]] = ("categorical",)
    guided: ClassVar[bool] = True
    technique: Technique = "random"

    def __post_init__(self) -> None:
        if self.technique not in get_args(Technique):
            known = get_args(Technique)
            raise SpecificationError(
                f"technique: unknown {self.technique!r}{suggestion(self.technique, known)}"
            )

    def treated(self, name: str, records: Records, stream: Stream) -> Treated:
        if name != records.class_name:
            raise SpecificationError(
                f"treatment: 'class-noise' is for the class, got {name!r}; shuffle it, or disguise "
                "it by randomized response"
            )
        leaves, classes = records.guide.leaves, records.classes
        order = self.donors(leaves, classes, stream)
        return Treated(
            taken(records.told(name), order), self._exposure(leaves, classes, classes[order])
        )

    def donors(self, leaves: IntArray, classes: IntArray, stream: Stream) -> IntArray:
        """Return the record whose class each record gets."""
        if self.technique == "random":
            return shuffled_within(leaves, stream)
        if self.technique == "probabilistic":
            return drawn_within(leaves, stream)
        return _changed_anywhere(leaves, classes, stream)

    def _exposure(self, leaves: IntArray, classes: IntArray, released: IntArray) -> Exposure:
        if self.technique != "all-leaves":
            # Within a leaf the released class says nothing of the true one.
            return exposure_of_groups(classes, leaves)
        seen = leaves * (int(classes.max()) + 2) + released + 1
        return exposure_of_groups(classes, seen)


def expected_changes(leaves: IntArray, classes: IntArray) -> float:
    """Return E(N): how many classes change in expectation by "random" and "probabilistic".

    Examples
    --------
    >>> expected_changes(np.array([0, 0, 0, 0, 1]), np.array([0, 0, 0, 1, 1]))
    1.5
    """
    _, place = np.unique(leaves, return_inverse=True)
    codes = classes - classes.min()
    counts = np.bincount(place * (int(codes.max()) + 1) + codes)
    counts = np.pad(counts, (0, -len(counts) % (int(codes.max()) + 1)))
    counts = counts.reshape(-1, int(codes.max()) + 1)
    sizes = counts.sum(axis=1)
    return float((sizes - (counts**2).sum(axis=1) / np.maximum(sizes, 1)).sum())


def drawn_within(groups: IntArray, stream: Stream) -> IntArray:
    """Return for each record one of its group, all equally likely, itself among them."""
    members = np.argsort(groups, kind="stable")
    _, place, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    first = np.cumsum(sizes) - sizes
    picks = (stream.uniform(len(groups)) * sizes[place]).astype(np.int64)
    return np.asarray(members[first[place] + picks])


def _changed_anywhere(leaves: IntArray, classes: IntArray, stream: Stream) -> IntArray:
    """Return donors by which each class changes to another with one probability."""
    size = len(classes)
    probability = expected_changes(leaves, classes) / size
    changed = np.flatnonzero(stream.uniform(size) < probability)
    donors = np.arange(size)
    order = np.argsort(classes, kind="stable")
    # A record of another class, so that a frequent one is as likely as it is frequent.
    starts = np.searchsorted(classes[order], classes[changed], side="left")
    own = np.searchsorted(classes[order], classes[changed], side="right") - starts
    picks = (stream.uniform(len(changed)) * (size - own)).astype(np.int64)
    donors[changed] = order[np.where(picks < starts, picks, picks + own)]
    return donors
