"""Does a method hold beyond the plain Quest functions? Rows for many kinds of tables."""

import os
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby, product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from scumble.errors import DatasetError, ScumbleWarning, SpecificationError
from scumble.experiments._finished_rows import FinishedRows
from scumble.experiments._generality_case import GeneralityCase, Problem
from scumble.experiments._generality_laws import law_cases
from scumble.experiments._generality_published import published_cases
from scumble.experiments._generality_quest import quest_cases
from scumble.mining import DisguisedTreeClassifier

GeneralityMethod = Literal["clear", "likelihood", "byclass", "local", "global", "uncorrected"]

GENERALITY_METHODS: tuple[GeneralityMethod, ...] = (
    "clear",
    "likelihood",
    "byclass",
    "local",
    "global",
    "uncorrected",
)
"""What is compared. "clear" grows from the truths: the bound to aim at."""
# The others need the class in clear.
_FIT_FOR_A_DISGUISED_CLASS = ("clear", "likelihood", "uncorrected")
_BINS = 10
# What a trial is known by in a file of finished rows.
_Trial = tuple[str, int, int, GeneralityMethod]


@dataclass(frozen=True)
class GeneralityRow:
    """A case, a method and what came of it.

    Attributes
    ----------
    case : str
        The name of the case.
    n, seed : int
        The number of training records, and what they are derived from.
    method : str
        One of `GENERALITY_METHODS`.
    accuracy : float
        The share of the undisguised test records that the tree puts right.
    majority : float
        The share of the most frequent class among them: what a guess would get.
    calibration : float
        The expected calibration error of the probability of the predicted class, in
        ten bins.
    leaves : int
        The number of leaves.
    seconds : float
        How long the tree took to grow. Rows that differ in this alone are equal.

    Examples
    --------
    >>> from scumble.experiments import GeneralityRow
    >>> row = GeneralityRow("votes", 290, 1, "local", 0.95, 0.61, 0.04, 3, 0.1)
    >>> row.accuracy > row.majority
    True
    """

    case: str
    n: int
    seed: int
    method: GeneralityMethod
    accuracy: float
    majority: float
    calibration: float
    leaves: int
    seconds: float = field(compare=False)

    def __post_init__(self) -> None:
        if self.method not in GENERALITY_METHODS:
            raise SpecificationError(
                f"method: expected one of {', '.join(GENERALITY_METHODS)}, got {self.method}"
            )
        if not 0 <= self.accuracy <= 1:
            raise SpecificationError(f"accuracy: expected 0 to 1, got {self.accuracy}")

    @property
    def trial(self) -> _Trial:
        """What was tried: the row without its results."""
        return self.case, self.n, self.seed, self.method


def generality_cases() -> list[GeneralityCase]:
    """Return all cases: Quest functions, other laws, published tables.

    Examples
    --------
    >>> from scumble.experiments import generality_cases
    >>> cases = {case.name: case for case in generality_cases()}
    >>> cases["exclusive or"].trap
    'no attribute tells anything alone'
    """
    return [*quest_cases(), *law_cases(), *published_cases()]


def generality(
    cases: Iterable[GeneralityCase] | None = None,
    *,
    methods: Sequence[GeneralityMethod] = GENERALITY_METHODS,
    seeds: Sequence[int] = (1,),
    tree: DisguisedTreeClassifier | None = None,
    resume: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> list[GeneralityRow]:
    """Try methods on cases: grow each tree and test it on truths.

    All methods see the same reports. A method that a case cannot take is left out:
    with a disguised class those that need it in clear.

    Parameters
    ----------
    cases : iterable of GeneralityCase, optional
        By default all of `generality_cases()`.
    methods : sequence of str
        Which of `GENERALITY_METHODS`.
    seeds : sequence of int
        One run each. They make a tree's `random_state` too.
    tree : DisguisedTreeClassifier, optional
        The settings of every tree but `spec`, `method` and `random_state`.
    resume : path, optional
        A file in which finished rows are kept and found again; another file for other
        settings of the tree, and after a change of code.
    progress : bool, default False
        Whether to show a bar on stderr.

    Returns
    -------
    list of GeneralityRow
        In the order of cases, seeds and methods.

    Warns
    -----
    ScumbleWarning
        Where a published table is neither in the directory of data nor to be fetched:
        its cases are left out.

    Examples
    --------
    >>> from scumble.experiments import generality, generality_cases
    >>> cases = [case.with_records(1000) for case in generality_cases()[:1]]
    >>> rows = generality(cases, methods=["clear", "byclass"])
    >>> [row.method for row in rows]
    ['clear', 'byclass']
    """
    from tqdm import tqdm

    chosen = generality_cases() if cases is None else list(cases)
    tree = DisguisedTreeClassifier() if tree is None else tree
    file = None if resume is None else FinishedRows.open(resume, _heading(tree))
    rows = {} if file is None else _rows_in(file)
    trials = list(product(chosen, seeds, methods))
    left = [trial for trial in trials if _known_by(*trial) not in rows]
    bar = tqdm(
        total=len(trials), initial=len(trials) - len(left), unit="tree", disable=not progress
    )
    with bar:
        for row in _measured(left, tree):
            if row is not None:
                rows[row.trial] = row
                if file is not None:
                    file.add(asdict(row))
            bar.update()
    return [rows[key] for key in (_known_by(*trial) for trial in trials) if key in rows]


def calibration_error(probabilities: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return how far the probabilities of predictions are from the share that is right.

    Parameters
    ----------
    probabilities : array
        How likely each prediction is said to be right.
    right : array of bool
        Whether it is.

    Examples
    --------
    >>> import numpy as np
    >>> calibration_error(np.array([0.75, 0.75, 0.75, 0.75]), np.array([True, True, True, False]))
    0.0

    Notes
    -----
    The expected calibration error: ten bins of equal width, in each the difference of
    the mean probability and the share, weighted by the records in it. Where a method
    gives no probability at all, it is taken to be sure and wrong.
    """
    none = np.isnan(probabilities)
    probabilities, right = np.where(none, 1.0, probabilities), right & ~none
    bins = np.minimum((probabilities * _BINS).astype(np.int64), _BINS - 1)
    surplus = np.bincount(bins, weights=probabilities - right, minlength=_BINS)
    return float(np.abs(surplus).sum() / len(right))


def _known_by(case: GeneralityCase, seed: int, method: GeneralityMethod) -> _Trial:
    return case.name, case.n, seed, method


def _heading(tree: DisguisedTreeClassifier) -> dict[str, Any]:
    """Return what rows must have in common to stand in one file."""
    apart = {"spec", "method", "n_jobs", "random_state"}
    settings = {k: repr(v) for k, v in tree.get_params().items() if k not in apart}
    return {"experiment": "generality", "version": 1, "tree": settings}


def _rows_in(file: FinishedRows) -> dict[_Trial, GeneralityRow]:
    """Return the rows of a file by trial; what is none is refused."""
    found = {}
    for number, record in enumerate(file.records()):
        try:
            row = GeneralityRow(**record)
            found[row.trial] = row
        except (TypeError, SpecificationError):
            raise file.refusal(number) from None
    return found


def _measured(
    trials: Iterable[tuple[GeneralityCase, int, GeneralityMethod]], tree: DisguisedTreeClassifier
) -> Iterator[GeneralityRow | None]:
    """Yield a row for each trial, None where there is none; neighbours share their records."""
    for (case, seed), group in groupby(trials, lambda trial: trial[:2]):
        problem = _problem_or_none(case, seed)
        for _, _, method in group:
            if problem is None or not _takes(problem, method):
                yield None
            else:
                yield _grown_and_tested(case, seed, method, problem=problem, tree=tree)


def _problem_or_none(case: GeneralityCase, seed: int) -> Problem | None:
    try:
        return case.problem(seed=seed)
    except DatasetError as error:
        warnings.warn(
            f"generality: {case.name!r} is left out: {error}", ScumbleWarning, stacklevel=2
        )
        return None


def _takes(problem: Problem, method: GeneralityMethod) -> bool:
    return method in _FIT_FOR_A_DISGUISED_CLASS or not problem.has_disguised_class


def _grown_and_tested(
    case: GeneralityCase,
    seed: int,
    method: GeneralityMethod,
    *,
    problem: Problem,
    tree: DisguisedTreeClassifier,
) -> GeneralityRow:
    start = time.perf_counter()
    try:
        ours = clone(tree).set_params(random_state=seed)
        _fit(ours, method, problem)
    except Exception as error:
        error.add_note(f"generality: {method} on {case.name!r}, seed {seed}")
        raise
    seconds = time.perf_counter() - start
    probabilities = ours.predict_proba(problem.X_test)
    right = ours.predict(problem.X_test) == problem.y_test
    return GeneralityRow(
        *_known_by(case, seed, method),
        accuracy=float(right.mean()),
        majority=_majority(problem.y_test),
        calibration=calibration_error(probabilities.max(axis=1), right),
        leaves=ours.get_n_leaves(),
        seconds=round(seconds, 3),
    )


def _fit(tree: DisguisedTreeClassifier, method: GeneralityMethod, problem: Problem) -> None:
    if method == "clear":
        tree.set_params(spec=None).fit(problem.truths, problem.y_true)
    else:
        tree.set_params(spec=problem.spec, method=method).fit(problem.reports, problem.y)


def _majority(y: NDArray[Any]) -> float:
    _, counts = np.unique(y, return_counts=True)
    return float(counts.max() / len(y))
