"""The experiments of Li, Shaw and Lin, to be run by name."""

from collections.abc import Iterator
from typing import Any

from scumble.experiments._experiment import Asked, Experiment, Finding, Measured, flat
from scumble.experiments._lsl_table_1 import lsl_table_1
from scumble.experiments._lsl_table_2 import LslTable2Row, lsl_table_2

# A single split of the paper agrees if it lies among the middle 95 % of ours; with fewer
# than these there is no such part.
_TAIL, _LEAST_SPLITS = 2.5, 40


def _table_1(asked: Asked) -> Measured:
    rows = lsl_table_1(**asked.settings)
    findings = [
        Finding(
            f"information gain of {row.attribute}",
            f"{row.paper:.6g} bits",
            f"{row.as_bytes:.6f} bits",
            row.agrees,
            f"of the values as bytes; of the true values {row.of_values:.6f}",
        )
        for row in rows
    ]
    return Measured(flat(rows, "agrees"), findings)


def _table_2(asked: Asked) -> Measured:
    rows = lsl_table_2(**asked.settings, progress=asked.progress)
    findings = [finding for row in rows for finding in _of_row(row)]
    return Measured([_flat_row(row) for row in rows], findings)


def _flat_row(row: LslTable2Row) -> dict[str, Any]:
    paper, percentiles = row.paper or (None, None), row.percentiles or (None, None)
    return {
        "experiment": row.experiment,
        "splits": len(row.train),
        "train": row.means[0],
        "train_spread": row.spreads[0],
        "test": row.means[1],
        "test_spread": row.spreads[1],
        "paper_train": paper[0],
        "paper_test": paper[1],
        "percentile_train": percentiles[0],
        "percentile_test": percentiles[1],
    }


def _of_row(row: LslTable2Row) -> Iterator[Finding]:
    for place, records in enumerate(("training", "test")):
        ours = f"{row.means[place]:.1f} ±{row.spreads[place]:.1f} %"
        claim = f"{row.experiment}: correct on {records} records"
        if row.paper is None or row.percentiles is None:
            yield Finding(claim, "", ours, None, "a row of our own")
            continue
        percentile = row.percentiles[place]
        judged = len(row.train) >= _LEAST_SPLITS
        agrees = _TAIL <= percentile <= 100 - _TAIL if judged else None
        note = f"the paper's split is at percentile {percentile:g} of ours"
        yield Finding(
            claim,
            f"{row.paper[place]} %",
            ours,
            agrees,
            note if judged else f"{len(row.train)} splits are too few to tell; {note}",
        )


LSL_EXPERIMENTS = (
    Experiment(
        "lsl-table-1",
        "LSL",
        "Table 1: the information gain of the attributes of Pima",
        minutes=0.1,
        look="",
        run=_table_1,
        shows=("lsl_table_1",),
        page="custodian.md#table-1-information-gain",
        why="The figures are reproduced only if each value is cast to an unsigned byte, by which "
        "insulin, body mass and pedigree are no gains of the true values.",
    ),
    Experiment(
        "lsl-table-2",
        "LSL",
        "Table 2: C4.5 on Pima with the age protected in four ways",
        minutes=0.6,
        look="10 splits instead of 100",
        run=_table_2,
        shows=("lsl_table_2",),
        fast={"splits": 10},
        page="custodian.md#table-2-c45-on-treated-tables",
        why="The paper has one split; the differences that it reads off are smaller than what a "
        "split does by itself. That removing or discretizing beats shuffling does not reproduce.",
    ),
)
