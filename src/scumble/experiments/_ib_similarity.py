"""How much of a tree is left after noise that a tree guides? Rows for Islam and Brankovic."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, replace
from itertools import groupby
from typing import Any

import numpy as np

from scumble.audit import TreeSimilarity, compare_trees, natural_instability
from scumble.entropy import Seeded
from scumble.errors import SpecificationError
from scumble.experiments._finished_rows import FinishedRows
from scumble.experiments._ib_case import IB_METHODS, IbCase, IbRow
from scumble.experiments._ib_linkage import ib_linkage
from scumble.experiments._ib_tables import IB_CLASS, IbTable, ib_table
from scumble.mining import C45Classifier
from scumble.schema import Numeric
from scumble.treatments import ClassNoise, ColumnTreatment, Treat

_PAUSE = 5.0
_HEADING = {
    "experiment": "ib similarity",
    "version": 2,
    "methods": {name: repr(treatment) for name, treatment in IB_METHODS.items()},
}


def ib_similarity(
    cases: Iterable[IbCase],
    *,
    linkage: bool = True,
    as_trial: bool = False,
    resume: str | os.PathLike[str] | None = None,
    progress: bool = False,
    directory: Any = None,
) -> list[IbRow]:
    """Treat the table of each case, grow a C4.5 tree from it, and compare it with the original.

    Parameters
    ----------
    cases : iterable of IbCase
        What to measure.
    linkage : bool
        Whether intruders look for records, too, which takes most of the time.
    as_trial : bool
        Whether to read the tables as the trial may have done: samples that miss a value are
        left out, and noise leaves whole numbers whole.
    resume : path, optional
        A file in which finished rows are kept and found again, by one process at a time;
        another file after a change of code.
    progress : bool, default False
        Whether to show a bar on stderr; a library stays silent unless asked.
    directory : path, optional
        Where the data sets lie.

    Returns
    -------
    list of IbRow
        In the order of the cases.

    Raises
    ------
    TableError
        If the file to resume from is torn, foreign or of other settings.
    DatasetError
        If a data set cannot be found, fetched or trusted.

    Examples
    --------
    >>> from scumble.experiments import ib_similarity
    >>> ib_similarity([])
    []
    """
    from tqdm import tqdm

    cases = list(cases)
    heading = _HEADING | {"linkage": linkage, "as_trial": as_trial}
    file = None if resume is None else FinishedRows.open(resume, heading, pause=_PAUSE)
    finished = {} if file is None else _rows_in(file)
    open_cases = [case for case in cases if case not in finished]
    done = len(cases) - len(open_cases)
    bar = tqdm(total=len(cases), initial=done, unit="tree", disable=not progress)
    with bar, file or nullcontext():
        for row in _measured(open_cases, directory, linkage=linkage, as_trial=as_trial):
            finished[row.case] = row
            if file is not None:
                file.add(asdict(row))
            bar.update()
    return [finished[case] for case in cases]


def _rows_in(file: FinishedRows) -> dict[IbCase, IbRow]:
    """Return the rows of a file by case; what is none is refused."""
    found = {}
    for number, record in enumerate(file.records()):
        try:
            row = IbRow(**record)
            found[row.case] = row
        except (TypeError, SpecificationError):
            raise file.refusal(number) from None
    return found


def _measured(
    cases: Sequence[IbCase], directory: Any, *, linkage: bool, as_trial: bool
) -> Iterator[IbRow]:
    """Yield the rows; neighbours on the same records share the original tree."""
    for (dataset, subset), some in groupby(cases, lambda case: (case.dataset, case.subset)):
        records = ib_table(dataset, subset=subset, complete=as_trial, directory=directory)
        whole = records.whole if as_trial else {}
        original = C45Classifier().fit(records.X, records.y)
        for case in some:
            row, released = _compared(case, records, original, whole)
            if linkage:
                found = ib_linkage(IB_METHODS[case.method], original, records, released, whole)
                row = replace(row, **asdict(found))
            yield row


def _compared(
    case: IbCase, records: IbTable, original: C45Classifier, whole: Mapping[str, Numeric]
) -> tuple[IbRow, IbTable]:
    """Return what became of a tree, and the table that it was grown from."""
    treatment = IB_METHODS[case.method]
    use = f"ib similarity {case.dataset} {case.subset} {case.method}"
    seed = int(Seeded(case.repeat).stream(use).words(1)[0])
    if treatment is None:
        (found,) = natural_instability(C45Classifier, records.X, records.y, repeats=1, seed=seed)
        return _row(case, found, original, records, records), records
    released = treated(records, treatment, seed=seed, domains=whole)
    other = C45Classifier().fit(released.X, released.y)
    found = compare_trees(original, other, records.X)
    return _row(case, found, original, records, released), released


def treated(
    records: IbTable,
    treatment: ColumnTreatment,
    *,
    seed: int,
    domains: Mapping[str, Numeric] | None = None,
) -> IbTable:
    """Return a table whose class, or whose attributes, were treated; on declared steps."""
    names = [IB_CLASS] if isinstance(treatment, ClassNoise) else records.attributes
    treatments = dict.fromkeys(names, treatment)
    treat = Treat(treatments, domains=domains, class_attribute=IB_CLASS, seed=seed)
    return IbTable(treat.fit_transform(records.table))


def _row(
    case: IbCase,
    found: TreeSimilarity,
    original: C45Classifier,
    records: IbTable,
    released: IbTable,
) -> IbRow:
    leaves, leaves_after = original.apply(records.X), original.apply(released.X)
    return IbRow(
        **asdict(case),
        recall=found.recall,
        precision=found.precision,
        soft_jaccard=found.soft_jaccard,
        agreement=found.agreement,
        attributes=found.attributes,
        same_root=found.same_root,
        leaves=len(found.other_rules),
        original_leaves=len(found.rules),
        changed=int(np.count_nonzero(records.y != released.y)),
        moved=int(np.count_nonzero(leaves != leaves_after)),
    )
