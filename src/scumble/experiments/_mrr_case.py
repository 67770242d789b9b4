"""One tree from multi-group randomized response: what to grow, and what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from itertools import product
from types import MappingProxyType
from typing import Any, Literal

from scumble.errors import SpecificationError
from scumble.experiments._mrr_tables import BINARY_TABLES, BinaryTableName

MrrMethod = Literal[
    "clean",
    "inversion",
    "significance",
    "uncorrected",
    "uncorrected-pruned",
    "naive-bayes",
    "likelihood",
]

# ID3: it stops where a node is pure or nothing is left to split by.
_ID3 = {"criterion": "entropy", "pruning": None, "min_samples_split": 2}

MRR_METHODS: Mapping[MrrMethod, Mapping[str, Any]] = MappingProxyType(
    {
        "clean": {"method": "uncorrected", **_ID3},
        "inversion": {"method": "inversion", **_ID3},
        "significance": {"method": "inversion", **_ID3, "pruning": "significance"},
        "uncorrected": {"method": "uncorrected", **_ID3},
        "uncorrected-pruned": {"method": "uncorrected", **_ID3, "pruning": "both"},
        "naive-bayes": {},
        "likelihood": {"method": "likelihood"},
    }
)
"""What is compared, and the settings of `DisguisedTreeClassifier` that make it.

Naive Bayes is no tree: `DisguisedNaiveBayesClassifier`, which has none.
"""
MRR_KEEPS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.45, 0.51, 0.55, 0.6, 0.7, 0.8, 0.9, 1.0)
"""The probabilities of telling the truth, as the paper has them."""


@dataclass(frozen=True)
class MrrCase:
    """One tree to be grown and tested.

    Attributes
    ----------
    dataset : {"adult", "breast cancer", "votes"}
        Which `binary_table`.
    method : str
        One of `MRR_METHODS`.
    groups : int
        How many groups share coins; 0 for clean.
    keep : float
        The probability that a group is told truly; 1 for clean.
    seed : int
        The number of the repeat: what the split, the groups and the coins are derived from.

    Examples
    --------
    >>> from scumble.experiments import MrrCase
    >>> MrrCase("votes", "inversion", groups=2, keep=0.7, seed=1).label
    'votes, inversion, 2 groups, 0.7'
    """

    dataset: BinaryTableName
    method: MrrMethod
    groups: int
    keep: float
    seed: int

    def __post_init__(self) -> None:
        clean = self.method == "clean"
        for name, fits, expected in (
            ("dataset", self.dataset in BINARY_TABLES, f"one of {', '.join(BINARY_TABLES)}"),
            ("method", self.method in MRR_METHODS, f"one of {', '.join(MRR_METHODS)}"),
            ("groups", (self.groups == 0) if clean else self.groups >= 1, _groups_of(clean)),
            ("keep", (self.keep == 1) if clean else _invertible(self.keep), _keeps_of(clean)),
        ):
            if not fits:
                raise SpecificationError(f"{name}: expected {expected}, got {getattr(self, name)}")

    @property
    def label(self) -> str:
        """What is compared: all but the seed."""
        disguised = () if self.groups == 0 else (groups_as_text(self.groups), f"{self.keep:g}")
        return ", ".join((self.dataset, self.method, *disguised))


@dataclass(frozen=True)
class MrrRow(MrrCase):
    """A case and what came of it.

    Attributes
    ----------
    accuracy : float
        The share of the undisguised test records that the tree puts right.
    leaves : int
        The number of leaves; none where the learner is no tree.
    seconds : float
        How long the tree took to grow. Rows that differ in this alone are equal.

    Examples
    --------
    >>> from scumble.experiments import MrrRow
    >>> MrrRow("votes", "clean", 0, 1.0, 1, accuracy=0.94, leaves=20, seconds=0.1).case
    MrrCase(dataset='votes', method='clean', groups=0, keep=1.0, seed=1)
    """

    accuracy: float
    leaves: int
    seconds: float = field(compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.accuracy <= 1:
            raise SpecificationError(f"accuracy: expected 0 to 1, got {self.accuracy}")

    @property
    def case(self) -> MrrCase:
        """The case alone."""
        return MrrCase(*astuple(self)[:5])


def groups_as_text(groups: int) -> str:
    """Return a number of groups as a reader writes it."""
    return "1 group" if groups == 1 else f"{groups} groups"


def _invertible(keep: float) -> bool:
    return 0 <= keep <= 1 and keep != 0.5


def _groups_of(clean: bool) -> str:
    return "0 for clean" if clean else "at least 1"


def _keeps_of(clean: bool) -> str:
    return "1 for clean" if clean else "0 to 1 and not 0.5, which tells nothing"


def mrr_cases(
    *,
    datasets: Sequence[BinaryTableName] = BINARY_TABLES,
    methods: Sequence[MrrMethod] = ("clean", "inversion", "uncorrected"),
    groups: Sequence[int] = (1, 2, 3),
    keeps: Sequence[float] = MRR_KEEPS,
    seeds: Sequence[int] = (1, 2, 3),
) -> list[MrrCase]:
    """Return the grid of cases; clean, which no coin touches, once for each seed.

    Examples
    --------
    >>> from scumble.experiments import mrr_cases
    >>> cases = mrr_cases(datasets=["votes"], groups=[1, 2], keeps=[0.7, 0.9], seeds=[1])
    >>> [case.label for case in cases[:3]]
    ['votes, clean', 'votes, inversion, 1 group, 0.7', 'votes, uncorrected, 1 group, 0.7']
    >>> len(cases)
    9
    """
    cases: list[MrrCase] = []
    for dataset, seed in product(datasets, map(int, seeds)):
        if "clean" in methods:
            cases.append(MrrCase(dataset, "clean", 0, 1.0, seed))
        # Methods innermost: reports are made once and handed to each of them.
        cases.extend(
            MrrCase(dataset, method, count, float(keep), seed)
            for count, keep, method in product(map(int, groups), keeps, methods)
            if method != "clean"
        )
    return cases
