"""How accurate are trees grown from disguised records? Rows for figures 5 and 6 of AS."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field
from itertools import groupby, product
from types import MappingProxyType
from typing import Any, Literal

from sklearn.base import clone

from scumble._disguise import disguise
from scumble.datasets import make_quest, quest_specification
from scumble.entropy import Seeded
from scumble.errors import SpecificationError
from scumble.experiments._finished_rows import FinishedRows
from scumble.mechanisms import GaussianNoise, UniformNoise
from scumble.mining import DisguisedTreeClassifier
from scumble.schema import Mechanism

AlgorithmName = Literal["Original", "Local", "ByClass", "Global", "Randomized", "Likelihood"]
NoiseName = Literal["gaussian", "uniform"]

ALGORITHMS: Mapping[AlgorithmName, str] = MappingProxyType(
    {
        "Original": "uncorrected",
        "Local": "local",
        "ByClass": "byclass",
        "Global": "global",
        "Randomized": "uncorrected",
        "Likelihood": "likelihood",
    }
)
"""The paper's algorithms and ours, Likelihood, and the method of `DisguisedTreeClassifier` that
each is; Original gets truths and no specification."""
PUBLISHED: tuple[AlgorithmName, ...] = tuple(name for name in ALGORITHMS if name != "Likelihood")
"""The algorithms of the paper, without ours."""
_NOISES: dict[str, Callable[..., Mechanism]] = {"gaussian": GaussianNoise, "uniform": UniformNoise}
_TEST_RECORDS = 5_000


@dataclass(frozen=True)
class TreeCase:
    """One tree to be grown and tested.

    Attributes
    ----------
    function : int
        Which Quest function defines the classes.
    algorithm : str
        One of `ALGORITHMS`.
    noise : {"gaussian", "uniform"} or None
        What disguises all nine attributes; None for Original.
    privacy : float
        The width of the 95 % interval as a share of each range; 0 for Original.
    seed : int
        What the training records, the test records and the noise are derived from.
    n : int
        The number of training records.

    Examples
    --------
    >>> from scumble.experiments import TreeCase
    >>> TreeCase(2, "ByClass", "gaussian", 1.0, seed=1, n=100_000).label
    'F2, ByClass, gaussian, 100 %'
    """

    function: int
    algorithm: AlgorithmName
    noise: NoiseName | None
    privacy: float
    seed: int
    n: int

    def __post_init__(self) -> None:
        clear = self.algorithm == "Original"
        for name, fits, expected in (
            ("function", self.function in range(1, 11), "1 to 10"),
            ("algorithm", self.algorithm in ALGORITHMS, f"one of {', '.join(ALGORITHMS)}"),
            ("noise", self.noise in ((None,) if clear else _NOISES), _noises_of(clear)),
            ("privacy", (self.privacy == 0) if clear else self.privacy > 0, _privacy_of(clear)),
        ):
            if not fits:
                raise SpecificationError(f"{name}: expected {expected}, got {getattr(self, name)}")

    @property
    def label(self) -> str:
        """What is compared: all but the seed and the number of records."""
        disguise = () if self.noise is None else (self.noise, percent(self.privacy))
        return ", ".join((f"F{self.function}", self.algorithm, *disguise))


@dataclass(frozen=True)
class TreeRow(TreeCase):
    """A case and what came of it.

    Attributes
    ----------
    accuracy : float
        The share of the 5,000 undisguised test records that the tree puts right.
    leaves : int
        The number of leaves.
    seconds : float
        How long the tree took to grow. The first of a process may wait for compiled
        code. Two rows that differ in this alone are equal.

    Examples
    --------
    >>> from scumble.experiments import TreeRow
    >>> row = TreeRow(1, "Original", None, 0.0, 1, 1000, accuracy=0.99, leaves=3, seconds=0.1)
    >>> row.case
    TreeCase(function=1, algorithm='Original', noise=None, privacy=0.0, seed=1, n=1000)
    """

    accuracy: float
    leaves: int
    seconds: float = field(compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.accuracy <= 1:
            raise SpecificationError(f"accuracy: expected 0 to 1, got {self.accuracy}")

    @property
    def case(self) -> TreeCase:
        """The case alone."""
        return TreeCase(*astuple(self)[:6])


def percent(privacy: float) -> str:
    """Return a privacy as a reader writes it."""
    return f"{100 * privacy:g} %"


def _noises_of(clear: bool) -> str:
    return "None for Original" if clear else f"one of {', '.join(_NOISES)}"


def _privacy_of(clear: bool) -> str:
    return "0 for Original" if clear else "more than 0"


def tree_cases(
    *,
    functions: Sequence[int],
    algorithms: Sequence[AlgorithmName],
    privacies: Sequence[float],
    noises: Sequence[NoiseName] = ("gaussian", "uniform"),
    seeds: Sequence[int] = (1, 2, 3),
    n: int = 100_000,
) -> list[TreeCase]:
    """Return the grid of cases; Original, which no noise touches, once for each seed.

    Examples
    --------
    >>> from scumble.experiments import tree_cases
    >>> cases = tree_cases(functions=[1], algorithms=["Original", "ByClass"],
    ...     privacies=[0.5, 1.0], seeds=[7], n=1000)
    >>> [case.label for case in cases[:3]]
    ['F1, Original', 'F1, ByClass, gaussian, 50 %', 'F1, ByClass, gaussian, 100 %']
    >>> len(cases)
    5
    """
    cases: list[TreeCase] = []
    for function, seed in product(map(int, functions), map(int, seeds)):
        if "Original" in algorithms:
            cases.append(TreeCase(function, "Original", None, 0.0, seed, n))
        # Algorithms innermost: reports are made once and handed to each of them.
        cases.extend(
            TreeCase(function, algorithm, noise, privacy, seed, n)
            for noise, privacy, algorithm in product(noises, privacies, algorithms)
            if algorithm != "Original"
        )
    return cases


def tree_accuracy(
    cases: Iterable[TreeCase],
    *,
    tree: DisguisedTreeClassifier | None = None,
    resume: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> list[TreeRow]:
    """Grow and test the tree of each case.

    Training records, test records and noise depend on the function, the seed, n and
    the disguise alone, so all algorithms see the same reports.

    Parameters
    ----------
    cases : iterable of TreeCase
        What to measure.
    tree : DisguisedTreeClassifier, optional
        The settings of every tree but `spec` and `method`. By default the defaults.
    resume : path, optional
        A file in which finished rows are kept and found again, by one process at a
        time; another file for other settings of the tree, and after a change of code.
    progress : bool, default False
        Whether to show a bar on stderr; a library stays silent unless asked.

    Returns
    -------
    list of TreeRow
        In the order of the cases.

    Raises
    ------
    TableError
        If the file to resume from is torn, foreign or of other settings.

    Examples
    --------
    >>> from scumble.experiments import tree_accuracy, tree_cases
    >>> cases = tree_cases(functions=[1], algorithms=["Original", "Randomized"],
    ...     noises=["uniform"], privacies=[1.0], seeds=[1], n=2000)
    >>> original, randomized = tree_accuracy(cases)
    >>> original.accuracy > 0.95 > 0.7 > randomized.accuracy
    True
    """
    from tqdm import tqdm

    cases = list(cases)
    tree = DisguisedTreeClassifier() if tree is None else tree
    file = None if resume is None else FinishedRows.open(resume, _heading(tree))
    finished = {} if file is None else _rows_in(file)
    open_cases = [case for case in cases if case not in finished]
    with tqdm(
        total=len(cases),
        initial=len(cases) - len(open_cases),
        unit="tree",
        disable=not progress,
    ) as bar:
        for row in _measured(open_cases, tree):
            finished[row.case] = row
            if file is not None:
                file.add(asdict(row))
            bar.update()
    return [finished[case] for case in cases]


def _heading(tree: DisguisedTreeClassifier) -> dict[str, Any]:
    """Return what rows must have in common to stand in one file."""
    apart = {"spec", "method", "n_jobs"}
    settings = {k: repr(v) for k, v in tree.get_params().items() if k not in apart}
    return {"experiment": "tree accuracy", "version": 1, "tree": settings}


def _rows_in(file: FinishedRows) -> dict[TreeCase, TreeRow]:
    """Return the rows of a file by case; what is none is refused."""
    found = {}
    for number, record in enumerate(file.records()):
        try:
            row = TreeRow(**record)
            found[row.case] = row
        except (TypeError, SpecificationError):
            raise file.refusal(number) from None
    return found


def _measured(cases: Sequence[TreeCase], tree: DisguisedTreeClassifier) -> Iterator[TreeRow]:
    """Yield the rows; neighbours on the same table or reports share them."""
    for (function, seed, n), on_table in groupby(cases, lambda c: (c.function, c.seed, c.n)):
        X, y = make_quest(function, n=n, seed=_derived(seed, "training"))
        test = make_quest(function, n=_TEST_RECORDS, seed=_derived(seed, "test"))
        for (noise, privacy), on_reports in groupby(on_table, lambda c: (c.noise, c.privacy)):
            spec, reports = None, X
            if noise is not None:
                spec = quest_specification(_NOISES[noise](privacy=privacy))
                reports = disguise(X, spec, seed=_derived(seed, "noise"))
            for case in on_reports:
                ours = clone(tree).set_params(spec=spec, method=ALGORITHMS[case.algorithm])
                yield _grown_and_tested(case, ours, (reports, y), test)


def _grown_and_tested(
    case: TreeCase, tree: DisguisedTreeClassifier, training: tuple[Any, Any], test: tuple[Any, Any]
) -> TreeRow:
    start = time.perf_counter()
    tree.fit(*training)
    seconds = time.perf_counter() - start
    return TreeRow(
        **asdict(case),
        accuracy=float(tree.score(*test)),
        leaves=tree.get_n_leaves(),
        seconds=round(seconds, 3),
    )


def _derived(seed: int, use: str) -> int:
    """Return a seed for one use, so that no two tables are drawn from the same numbers."""
    return int(Seeded(seed).stream(f"tree accuracy {use}").words(1)[0])
