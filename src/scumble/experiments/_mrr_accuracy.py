"""How accurate are trees from multi-group randomized response? Rows for figures 3 to 6 of MRR."""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from itertools import groupby

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from scumble._disguise import disguise
from scumble.entropy import Seeded
from scumble.errors import SpecificationError
from scumble.experiments._finished_rows import FinishedRows
from scumble.experiments._mrr_case import MRR_METHODS, MrrCase, MrrRow
from scumble.experiments._mrr_tables import binary_table
from scumble.mechanisms import grouped
from scumble.mining import DisguisedNaiveBayesClassifier, DisguisedTreeClassifier
from scumble.schema import Specification

_TRAINING = 0.7
# Rows are quick and many: a file that is written whole is not written for each.
_PAUSE = 5.0


def mrr_accuracy(
    cases: Iterable[MrrCase],
    *,
    resume: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> list[MrrRow]:
    """Grow and test the tree of each case.

    In each repeat seven tenths of the records are drawn to learn from, the others are the
    test set, in clear: the same for all methods, groups and coins. For each number of
    groups and each coin, groups are drawn with the class in one of them, and coins are
    tossed: the same for all methods. A case gives the same row whenever it is run.

    Parameters
    ----------
    cases : iterable of MrrCase
        What to measure.
    resume : path, optional
        A file in which finished rows are kept and found again, by one process at a time;
        another file after a change of code.
    progress : bool, default False
        Whether to show a bar on stderr; a library stays silent unless asked.

    Returns
    -------
    list of MrrRow
        In the order of the cases.

    Raises
    ------
    TableError
        If the file to resume from is torn, foreign or of other settings.
    DatasetError
        If a data set cannot be found, fetched or trusted.

    Examples
    --------
    >>> from scumble.experiments import mrr_accuracy
    >>> mrr_accuracy([])
    []
    """
    from tqdm import tqdm

    cases = list(cases)
    file = None if resume is None else FinishedRows.open(resume, _HEADING, pause=_PAUSE)
    finished = {} if file is None else _rows_in(file)
    open_cases = [case for case in cases if case not in finished]
    bar = tqdm(
        total=len(cases),
        initial=len(cases) - len(open_cases),
        unit="tree",
        disable=not progress,
    )
    with bar, file or nullcontext():
        for row in _measured(open_cases):
            finished[row.case] = row
            if file is not None:
                file.add(asdict(row))
            bar.update()
    return [finished[case] for case in cases]


_HEADING = {
    "experiment": "mrr accuracy",
    "version": 1,
    "methods": {name: repr(sorted(settings.items())) for name, settings in MRR_METHODS.items()},
}


def _rows_in(file: FinishedRows) -> dict[MrrCase, MrrRow]:
    """Return the rows of a file by case; what is none is refused."""
    found = {}
    for number, record in enumerate(file.records()):
        try:
            row = MrrRow(**record)
            found[row.case] = row
        except (TypeError, SpecificationError):
            raise file.refusal(number) from None
    return found


def _measured(cases: Sequence[MrrCase]) -> Iterator[MrrRow]:
    """Yield the rows; neighbours on the same split or reports share them."""
    for dataset, on_table in groupby(cases, lambda case: case.dataset):
        table, clear = binary_table(dataset)
        for seed, on_split in groupby(on_table, lambda case: case.seed):
            training, test = _split(table, _derived(seed, dataset, "split"))
            for (groups, keep), on_reports in groupby(on_split, lambda c: (c.groups, c.keep)):
                spec = _disguising(clear, groups, keep, dataset, seed)
                coins = _derived(seed, dataset, f"coins {groups} {keep!r}")
                reports = disguise(training, spec, seed=coins)
                for case in on_reports:
                    yield _grown_and_tested(case, spec, reports, test)


def _split(table: pa.Table, seed: int) -> tuple[pa.Table, pa.Table]:
    """Return the records to learn from and those to test on."""
    order: NDArray[np.int64] = np.random.default_rng(seed).permutation(table.num_rows)
    count = round(_TRAINING * table.num_rows)
    return table.take(order[:count]), table.take(order[count:])


def _disguising(
    clear: Specification, groups: int, keep: float, dataset: str, seed: int
) -> Specification:
    if groups == 0:
        return clear
    drawn = _derived(seed, dataset, f"groups {groups} {keep!r}")
    return grouped(clear, groups=groups, keep=keep, class_in="group", seed=drawn)


def _grown_and_tested(
    case: MrrCase, spec: Specification, reports: pa.Table, test: pa.Table
) -> MrrRow:
    learner = _learner(case, spec)
    start = time.perf_counter()
    learner.fit(reports)
    seconds = time.perf_counter() - start
    truths = np.array(test[spec.class_attribute].to_pylist())
    return MrrRow(
        **asdict(case),
        accuracy=float(learner.score(test, truths)),
        leaves=learner.get_n_leaves() if isinstance(learner, DisguisedTreeClassifier) else 0,
        seconds=round(seconds, 3),
    )


def _learner(
    case: MrrCase, spec: Specification
) -> DisguisedTreeClassifier | DisguisedNaiveBayesClassifier:
    if case.method == "naive-bayes":
        return DisguisedNaiveBayesClassifier(spec)
    return DisguisedTreeClassifier(
        spec,
        **MRR_METHODS[case.method],
        random_state=_derived(case.seed, case.dataset, "tree") % 2**32,
    )


def _derived(seed: int, dataset: str, use: str) -> int:
    """Return a seed for one use, so that no two draws are made from the same numbers."""
    return int(Seeded(seed).stream(f"mrr accuracy {dataset} {use}").words(1)[0])
