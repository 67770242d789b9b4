"""The experiments of Agrawal and Srikant, to be run by name."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from scumble.experiments._as_figure_2 import Figure2Panel, as_figure_2, plot_as_figure_2
from scumble.experiments._as_figure_5 import as_figure_5, as_figure_5_claims, plot_as_figure_5
from scumble.experiments._as_figure_6 import as_figure_6, as_figure_6_claims, plot_as_figure_6
from scumble.experiments._as_table_1 import as_table_1
from scumble.experiments._experiment import Asked, Experiment, Finding, Measured, flat

# As its own test has it: several times nearer than the reports.
_SEVERAL = 3.0
# A number before a number needs a sign between them.
_UNITS = {"2 alpha": "(2 alpha)"}
_WHY_TREES = (
    "Our Original is stronger, functions 2 and 3 want more cuts on salary than one distribution "
    "for each class can show, and the order of the methods depends on the pruning."
)


def _table_1(asked: Asked) -> Measured:
    rows = as_table_1(**asked.settings)
    findings = [
        Finding(
            f"{row.method}, {100 * row.confidence:g} % confidence",
            f"{row.paper:g} {_UNITS.get(row.unit, row.unit)}",
            f"{row.ours:.3f} {_UNITS.get(row.unit, row.unit)}",
            row.agrees,
        )
        for row in rows
    ]
    return Measured(flat(rows, "agrees"), findings)


def _figure_2(asked: Asked) -> Measured:
    panels = as_figure_2(**asked.settings)
    findings = [
        Finding(
            f"{panel.noise} noise, {panel.shape}: the recovered shape is near the original",
            f"a picture, read as more than {_SEVERAL:g} times nearer than the reports",
            f"{panel.gain:.1f} times nearer",
            bool(panel.gain > _SEVERAL),
            f"distance {panel.recovered_distance:.4f} instead of {panel.reported_distance:.4f}",
        )
        for panel in panels
    ]
    return Measured(_panel_rows(panels), findings, partial(plot_as_figure_2, panels))


def _panel_rows(panels: Sequence[Figure2Panel]) -> list[dict[str, Any]]:
    return [
        {
            "shape": panel.shape,
            "noise": panel.noise,
            "reported_distance": panel.reported_distance,
            "recovered_distance": float(panel.recovered_distance),
            "gain": float(panel.gain),
        }
        for panel in panels
    ]


def _figure_5(asked: Asked) -> Measured:
    rows = as_figure_5(**asked.settings, **asked.resumable)
    findings = [Finding.of(claim) for claim in as_figure_5_claims(rows)]
    return Measured(flat(rows), findings, partial(plot_as_figure_5, rows))


def _figure_6(asked: Asked) -> Measured:
    rows = as_figure_6(**asked.settings, **asked.resumable)
    findings = [Finding.of(claim) for claim in as_figure_6_claims(rows)]
    return Measured(flat(rows), findings, partial(plot_as_figure_6, rows))


AS_EXPERIMENTS = (
    Experiment(
        "as-table-1",
        "AS",
        "Table 1: the privacy of three methods at three confidences",
        minutes=0,
        look="",
        run=_table_1,
        shows=("as_table_1",),
        why="A Gaussian lies within 3.29 standard deviations of its mean with 99.9 %: the interval "
        "is 6.58 sigma wide. 6.8 belongs to 99.933 %.",
    ),
    Experiment(
        "as-figure-2",
        "AS",
        "Figure 2: two shapes recovered from two noises",
        minutes=0.1,
        look="",
        run=_figure_2,
        shows=("as_figure_2",),
        full={"seed": 1},
        fast={"seed": 1},
        page="reconstruction.md",
        picture="figure2.png",
    ),
    Experiment(
        "as-figure-5",
        "AS",
        "Figure 5: accuracy of five algorithms on five functions, 25 and 100 % privacy",
        minutes=3,
        look="2 seeds instead of 3, 10,000 records instead of 100,000",
        run=_figure_5,
        shows=("as_figure_5",),
        fast={"seeds": (1, 2), "n": 10_000},
        page="trees.md#the-papers-claims",
        picture="figure5.png",
        why=_WHY_TREES,
        kept="trees",
    ),
    Experiment(
        "as-figure-6",
        "AS",
        "Figure 6: accuracy against privacy, 10 to 200 %",
        minutes=5,
        look="2 seeds instead of 3, 10,000 records instead of 100,000",
        run=_figure_6,
        shows=("as_figure_6",),
        fast={"seeds": (1, 2), "n": 10_000},
        page="trees.md#the-papers-claims",
        picture="figure6.png",
        why=_WHY_TREES,
        kept="trees",
    ),
)
