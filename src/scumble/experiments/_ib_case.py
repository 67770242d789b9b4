"""One tree from a table with noise that a tree guides: what to do, and what came of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import product
from types import MappingProxyType

from scumble.errors import SpecificationError
from scumble.experiments._ib_tables import IB_TABLES, IbTableName
from scumble.treatments import ClassNoise, ColumnTreatment, InnocentNoise, InnocentShuffle

IB_METHODS: Mapping[str, ColumnTreatment | None] = MappingProxyType(
    {
        "random": ClassNoise(technique="random"),
        "probabilistic": ClassNoise(technique="probabilistic"),
        "all leaves": ClassNoise(technique="all-leaves"),
        "TIA": InnocentNoise(scope="total", law="discrete"),
        "LIA": InnocentNoise(scope="leaf", law="discrete"),
        "TIA + LIA": InnocentNoise(scope="all", law="discrete"),
        "TIA, normal": InnocentNoise(scope="total", law="normal"),
        "LIA, normal": InnocentNoise(scope="leaf", law="normal"),
        "TIA + LIA, normal": InnocentNoise(scope="all", law="normal"),
        "permutation": InnocentShuffle(scope="all"),
        "subsample": None,
    }
)
"""What is compared, and the treatment that does it; none for a random 90 % of the records."""


@dataclass(frozen=True)
class IbCase:
    """One table to be treated, and the tree from it to be compared.

    Attributes
    ----------
    dataset : {"boston", "breast cancer"}
        Which `ib_table`.
    method : str
        One of `IB_METHODS`.
    subset : int
        Which draw of the records.
    repeat : int
        Which draw of the noise.

    Examples
    --------
    >>> from scumble.experiments import IbCase
    >>> IbCase("boston", "random", subset=1, repeat=2).method
    'random'
    """

    dataset: IbTableName
    method: str
    subset: int
    repeat: int

    def __post_init__(self) -> None:
        for name, known in (("dataset", IB_TABLES), ("method", IB_METHODS)):
            if getattr(self, name) not in known:
                raise SpecificationError(
                    f"{name}: expected one of {', '.join(known)}, got {getattr(self, name)!r}"
                )


@dataclass(frozen=True)
class IbRow(IbCase):
    """A case and what came of it.

    Attributes
    ----------
    recall, precision, soft_jaccard, agreement, attributes, same_root
        As in `TreeSimilarity`, against the tree from the same records untreated.
    leaves : int
        The leaves of the tree.
    original_leaves : int
        Those of the original tree.
    changed : int
        How many records got another class.
    moved : int
        How many records reach another leaf of the original tree than before.
    linked : float, optional
        The share of the records that an intruder finds who knows the total innocent
        attributes and the law of the noise; where they got noise.
    nearest : float, optional
        The same for an intruder who takes the nearest record; where they were treated.
    linked_leaf : float, optional
        The same for an intruder who knows all attributes that are innocent on the way to the
        leaf of the person, and the law, as in the paper; where both scopes got noise.
    nearest_all : float, optional
        The same for one who knows all attributes and takes the nearest record.

    Examples
    --------
    >>> from scumble.experiments import IbRow
    >>> row = IbRow("boston", "random", 1, 2, recall=0.7, precision=0.6, soft_jaccard=0.9,
    ...     agreement=0.95, attributes=0.75, same_root=True, leaves=6, original_leaves=7,
    ...     changed=12, moved=0)
    >>> row.case
    IbCase(dataset='boston', method='random', subset=1, repeat=2)
    """

    recall: float
    precision: float
    soft_jaccard: float
    agreement: float
    attributes: float
    same_root: bool
    leaves: int
    original_leaves: int
    changed: int
    moved: int
    linked: float | None = None
    nearest: float | None = None
    linked_leaf: float | None = None
    nearest_all: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("recall", "precision", "soft_jaccard", "agreement", "attributes"):
            if not 0 <= getattr(self, name) <= 1:
                raise SpecificationError(f"{name}: expected 0 to 1, got {getattr(self, name)}")

    @property
    def case(self) -> IbCase:
        """The case alone."""
        return IbCase(*astuple(self)[:4])


def ib_cases(
    *,
    datasets: Sequence[IbTableName] = IB_TABLES,
    methods: Sequence[str] = tuple(IB_METHODS),
    subsets: Sequence[int] = (1, 2, 3, 4, 5),
    repeats: Sequence[int] = tuple(range(1, 11)),
) -> list[IbCase]:
    """Return the grid of cases.

    Examples
    --------
    >>> from scumble.experiments import ib_cases
    >>> len(ib_cases(methods=["random", "subsample"]))
    200
    """
    return list(_grid(datasets, methods, subsets, repeats))


def _grid(
    datasets: Sequence[IbTableName],
    methods: Sequence[str],
    subsets: Sequence[int],
    repeats: Sequence[int],
) -> Iterator[IbCase]:
    # The original tree of a subset is grown once and serves all methods.
    for dataset, subset, method, repeat in product(datasets, subsets, methods, repeats):
        yield IbCase(dataset, method, int(subset), int(repeat))
