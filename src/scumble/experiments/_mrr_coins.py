"""Coins of multi-group randomized response, inferred: how many whole records are recovered."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa

from scumble._disguise import disguise
from scumble.audit import coin_inference
from scumble.experiments._mrr_tables import BINARY_TABLES, BinaryTableName, binary_table
from scumble.experiments._plain_axes import plain_axes
from scumble.mechanisms import grouped
from scumble.schema import Specification

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GroupCount = int | Literal["each"]
Known = Literal["all", "others", "shares"]
# Distinct for readers who do not see red and green (Okabe and Ito), and by shape.
_LOOKS = (("#0072B2", "o"), ("#E69F00", "s"), ("#D55E00", "^"), ("#009E73", "v"), ("#CC79A7", "D"))


@dataclass(frozen=True)
class MrrCoinsRow:
    """How many records of one table an adversary recovered, under one coin and number of groups.

    Attributes
    ----------
    dataset : {"adult", "breast cancer", "votes"}
        Which `binary_table`.
    keep : float
        The probability that a group is told truly.
    groups : int
        How many groups share coins.
    each : bool
        Whether every attribute is a group of its own.
    records : int
        How many records were attacked, over all repeats.
    recovered : float
        The share of them that was recovered without an error.
    base : float
        The share of the most frequent record: what is recovered without any report.
    """

    dataset: BinaryTableName
    keep: float
    groups: int
    each: bool
    records: int
    recovered: float
    base: float


def mrr_coins(
    *,
    datasets: Sequence[BinaryTableName] = BINARY_TABLES,
    keeps: Sequence[float] = (0.51, 0.7, 0.9),
    groups: Sequence[GroupCount] = (1, 2, 3, 5, "each"),
    known: Known = "all",
    seeds: Sequence[int] = (1, 2, 3, 4, 5),
) -> list[MrrCoinsRow]:
    """Return how many whole records an adversary who knows the population recovers.

    Parameters
    ----------
    datasets : sequence of {"adult", "breast cancer", "votes"}
        Which `binary_table`; the class is an attribute like any other.
    keeps : sequence of float
        The probabilities of telling the truth.
    groups : sequence of int or "each"
        How many groups, drawn at random anew in each repeat.
    known : {"all", "others", "shares"}
        What the adversary knows: how often each record occurs in the whole table; in a
        random half, of which none is attacked; or how each attribute is spread, but not which
        values occur together.
    seeds : sequence of int
        One repeat each.

    Examples
    --------
    >>> from scumble.experiments import mrr_coins
    >>> mrr_coins(datasets=[])
    []
    """
    rows = []
    for dataset in datasets:
        table, spec = binary_table(dataset)
        for keep, count in product(keeps, groups):
            found = [_attacked(table, spec, keep, count, known, seed) for seed in seeds]
            number = len(spec) if count == "each" else count
            tried, recovered, base = np.array(found).T
            rows.append(
                MrrCoinsRow(
                    dataset,
                    float(keep),
                    number,
                    each=count == "each",
                    records=int(tried.sum()),
                    recovered=float(recovered.mean()),
                    base=float(base.mean()),
                )
            )
    return rows


def _attacked(
    table: pa.Table, spec: Specification, keep: float, count: GroupCount, known: Known, seed: int
) -> tuple[int, float, float]:
    """Return how many records were attacked, and which shares were recovered and guessed."""
    attacked, people = table, None
    if known == "others":
        order = np.random.default_rng(seed).permutation(len(table))
        attacked, people = (table.take(half) for half in np.array_split(order, 2))
    elif known == "shares":
        people = _apart(table, seed)
    told = grouped(spec, keep=keep, groups=count, seed=seed)
    reports = disguise(attacked, told, seed=seed)
    found = coin_inference(attacked, reports, told, known=people, records=len(attacked), seed=seed)
    return found.records, found.success, found.base


def _apart(table: pa.Table, seed: int) -> pa.Table:
    """Return a table with the same columns, each in an order of its own."""
    rng = np.random.default_rng(seed)
    orders = {name: pa.array(rng.permutation(len(table))) for name in table.column_names}
    return pa.table({name: table[name].take(order) for name, order in orders.items()})


def mrr_coins_table(rows: Sequence[MrrCoinsRow]) -> str:
    """Return the shares in percent as plain text, a line for each table and coin.

    Examples
    --------
    >>> from scumble.experiments import MrrCoinsRow, mrr_coins_table
    >>> print(mrr_coins_table([MrrCoinsRow("votes", 0.51, 1, False, 435, 0.93, 0.03),
    ...     MrrCoinsRow("votes", 0.51, 17, True, 435, 0.04, 0.03)]))
    table           coin  1 group     each  no report
    votes           0.51     93.0      4.0        3.0
    """
    columns = list(dict.fromkeys(_heading(row) for row in rows))
    lines = [f"{'table':14}{'coin':>6}" + "".join(f"{c:>9}" for c in columns) + "  no report"]
    cases = dict.fromkeys((row.dataset, row.keep) for row in rows)
    for dataset, keep in cases:
        own = {_heading(r): r for r in rows if (r.dataset, r.keep) == (dataset, keep)}
        cells = [f"{100 * own[c].recovered:9.1f}" if c in own else " " * 9 for c in columns]
        base = 100 * next(iter(own.values())).base
        lines.append(f"{dataset:14}{keep:6g}" + "".join(cells) + f"{base:11.1f}")
    return "\n".join(lines)


def _heading(row: MrrCoinsRow) -> str:
    if row.each:
        return "each"
    return "1 group" if row.groups == 1 else f"{row.groups} groups"


def plot_mrr_coins(rows: Sequence[MrrCoinsRow]) -> "Figure":
    """Draw the share of records recovered against the number of groups, a panel for each table.

    Parameters
    ----------
    rows : sequence of MrrCoinsRow
        Of `mrr_coins`.
    """
    from matplotlib import pyplot

    datasets = list(dict.fromkeys(row.dataset for row in rows))
    figure, axes = pyplot.subplots(
        1,
        max(1, len(datasets)),
        figsize=(1 + 3.5 * max(1, len(datasets)), 3.8),
        layout="constrained",
        sharey=True,
        squeeze=False,
    )
    for ax, dataset in zip(axes[0], datasets, strict=False):
        _draw_panel(ax, [row for row in rows if row.dataset == dataset])
        ax.set_title(dataset, fontsize=11)
    axes[0, 0].set_ylabel("whole records recovered, %")
    axes[0, 0].set_ylim(0, 102)
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=6, frameon=False)
    return figure


def _draw_panel(ax: "Axes", rows: Sequence[MrrCoinsRow]) -> None:
    headings = list(dict.fromkeys(_heading(row) for row in rows))
    for place, keep in enumerate(dict.fromkeys(row.keep for row in rows)):
        own = [row for row in rows if row.keep == keep]
        color, marker = _LOOKS[place % len(_LOOKS)]
        ax.plot(
            [headings.index(_heading(row)) for row in own],
            [100 * row.recovered for row in own],
            color=color,
            marker=marker,
            label=f"coin {keep:g}",
        )
    ax.axhline(100 * rows[0].base, color="black", linestyle=":", label="without reports")
    ax.set_xticks(range(len(headings)), [heading.split()[0] for heading in headings])
    ax.set_xlabel("groups")
    plain_axes(ax)
