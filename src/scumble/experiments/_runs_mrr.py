"""The experiments of the multi-group paper, to be run by name."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from scumble.experiments._experiment import Asked, Experiment, Finding, Measured, Run, flat
from scumble.experiments._mrr_claims import mrr_claims
from scumble.experiments._mrr_coins import MrrCoinsRow, mrr_coins, plot_mrr_coins
from scumble.experiments._mrr_figures import mrr_figures, plot_mrr_figure, plot_mrr_figure_6
from scumble.experiments._mrr_tables import BinaryTableName

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FAST = {"seeds": (1, 2, 3), "keeps": (0.0, 0.1, 0.3, 0.45, 0.55, 0.7, 0.9, 1.0)}
_LOOK = "3 repeats instead of 50, 8 coins instead of 13"
_PAGE = "randomized-response.md#the-papers-claims"
_WHY = (
    "Near 0.5 several groups leave a tree of one split whose sign is a toss, or no split at all. "
    "With few groups what ties the class to its own group is released in clear, so that "
    "correction hardly pays."
)
_SHOWS = ("mrr_figures", "mrr_accuracy")


def _figure_of(dataset: BinaryTableName) -> Run:
    """Return what runs the figure of one table: its mean and variance against the coin."""

    def run(asked: Asked) -> Measured:
        rows = mrr_figures(datasets=[dataset], **asked.settings, **asked.resumable)
        findings = [Finding.of(claim) for claim in mrr_claims(rows)]
        return Measured(flat(rows), findings, partial(plot_mrr_figure, rows, dataset))

    return run


def _chosen(chosen: Callable[[str], bool], *, draws: bool = False, **fixed: Any) -> Run:
    """Return what runs some tables and methods, and keeps some of the claims."""

    def run(asked: Asked) -> Measured:
        rows = mrr_figures(**fixed, **asked.settings, **asked.resumable)
        findings = [Finding.of(claim) for claim in mrr_claims(rows) if chosen(claim.statement)]
        draw: Callable[[], Figure] | None = partial(plot_mrr_figure_6, rows) if draws else None
        return Measured(flat(rows), findings, draw)

    return run


def _coins(asked: Asked) -> Measured:
    rows = mrr_coins(**asked.settings)
    cases = dict.fromkeys((row.dataset, row.keep) for row in rows)
    findings = [
        _recovered([row for row in rows if (row.dataset, row.keep) == case]) for case in cases
    ]
    return Measured(flat(rows), findings, partial(plot_mrr_coins, rows))


def _recovered(rows: Sequence[MrrCoinsRow]) -> Finding:
    """Return what is recovered under one coin, by number of groups."""
    groups = " / ".join("one each" if row.each else str(row.groups) for row in rows)
    return Finding(
        f"{rows[0].dataset}, coin {rows[0].keep:g}: records recovered with {groups} groups",
        "",
        " / ".join(f"{100 * row.recovered:.1f}" for row in rows) + " %",
        note=f"without reports {100 * rows[0].base:.1f} %",
    )


def _of_figure(number: int, dataset: BinaryTableName, title: str, minutes: float) -> Experiment:
    return Experiment(
        f"mrr-figure-{number}",
        "MRR",
        f"Figure {number}: accuracy on {title} against the coin, one to three groups",
        minutes=minutes,
        look=_LOOK,
        run=_figure_of(dataset),
        shows=_SHOWS,
        fast=_FAST,
        page=_PAGE,
        picture=f"mrr-figure-{number}.png",
        why=_WHY,
        kept="mrr",
    )


MRR_EXPERIMENTS = (
    _of_figure(3, "adult", "Adult", 6),
    _of_figure(4, "breast cancer", "breast cancer", 3),
    _of_figure(5, "votes", "votes", 3),
    Experiment(
        "mrr-figure-6",
        "MRR",
        "Figure 6: accuracy on Adult by number of groups and coin",
        minutes=2,
        look=_LOOK,
        run=_chosen(
            lambda claim: "group more" in claim,
            draws=True,
            datasets=["adult"],
            methods=["inversion"],
        ),
        shows=_SHOWS,
        fast=_FAST,
        page=_PAGE,
        picture="mrr-figure-6.png",
        why=_WHY,
        kept="mrr",
    ),
    Experiment(
        "mrr-tables",
        "MRR",
        "Figures 3 to 5 side by side: the smallest table loses most",
        minutes=3,
        look=_LOOK,
        run=_chosen(lambda claim: "lose more" in claim, methods=["clean", "inversion"]),
        shows=_SHOWS,
        fast=_FAST,
        page=_PAGE,
        kept="mrr",
    ),
    Experiment(
        "mrr-coins",
        "MRR",
        "Whole records that an adversary recovers by inferring the coins",
        minutes=0.3,
        look="1 draw of the groups instead of 5",
        run=_coins,
        shows=("mrr_coins",),
        fast={"seeds": (1,)},
        page="randomized-response.md#privacy-is-not-t",
        picture="mrr-coins.png",
        why="The paper does not ask. Few groups hide hardly anything from whoever knows how often "
        "each record occurs, whatever the coin.",
    ),
)
