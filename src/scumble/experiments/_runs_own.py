"""Studies of our own, to be run by name."""

from collections.abc import Iterator, Sequence
from functools import partial

from scumble.experiments._experiment import Asked, Experiment, Finding, Measured, flat
from scumble.experiments._generality import generality, generality_cases
from scumble.experiments._generality_summary import BAR, Regret, generality_regrets
from scumble.experiments._information_limit import LimitRow, information_limits
from scumble.experiments._limit_plot import plot_information_limit
from scumble.experiments._reconstruction_study import (
    NOISES,
    SHAPES,
    StudyRow,
    mean_ratio,
    reconstruction_study,
)
from scumble.experiments._tree_accuracy import percent

_RIVALS = {"bayes": "the published rule", "ems": "smoothed EM"}


def _generality(asked: Asked) -> Measured:
    given = dict(asked.settings)
    names, most = given.pop("names", None), given.pop("most_records", None)
    cases = [case for case in generality_cases() if names is None or case.name in names]
    if most is not None:
        cases = [case.with_records(min(case.n, most)) for case in cases]
    rows = generality(cases, **given, **asked.resumable)
    return Measured(flat(rows), [_regretted(regret) for regret in generality_regrets(rows)])


def _regretted(regret: Regret) -> Finding:
    lead = 0.0 - regret.points
    return Finding(
        f"{regret.case}: likelihood is at most {BAR:g} point below the best other method",
        "",
        f"{lead:+.1f} points",
        regret.holds,
        f"against {regret.rival}, {regret.n} records",
    )


def _limit(asked: Asked) -> Measured:
    rows = information_limits(**asked.settings, progress=asked.progress)
    # Without trees beside them: those of an algorithm take long, and have a page of their own.
    draw = partial(plot_information_limit, [], rows)
    return Measured(flat(rows), [_limited(row) for row in rows], draw)


def _limited(row: LimitRow) -> Finding:
    return Finding(
        f"function {row.function}, {row.noise}, {percent(row.privacy)}: the best miner",
        "",
        f"{100 * row.limit:.1f} %",
        note="who knows all but the constants of the rule",
    )


def _study(asked: Asked) -> Measured:
    from tqdm import tqdm

    given = dict(asked.settings)
    shapes = {name: SHAPES[name] for name in given.pop("shapes", SHAPES)}
    noises = {name: NOISES[name] for name in given.pop("noises", NOISES)}
    work = reconstruction_study(shapes=shapes, noises=noises, **given)
    rows = list(tqdm(work, unit="fit", disable=not asked.progress))
    return Measured(flat(rows), list(_ratios(rows)))


def _ratios(rows: Sequence[StudyRow]) -> Iterator[Finding]:
    """Yield how near the default comes beside each rival, for each number of reports."""
    # Where the truth is uniform the distance of a rival is often exactly zero.
    judged = [row for row in rows if row.shape != "uniform"]
    for n in sorted({row.n for row in judged}):
        own = [row for row in judged if row.n == n]
        for rival, name in _RIVALS.items():
            ratio = mean_ratio(own, "auto", rival)
            yield Finding(
                f"{n:,} reports: the default recovers a distribution better than {name}",
                "",
                f"{ratio:.2f} of its distance",
                ratio < 1,
                "geometric mean over laws and noises",
            )


OWN_EXPERIMENTS = (
    Experiment(
        "generality",
        "own",
        "Does the default hold beyond the plain Quest functions? 42 cases, six methods",
        minutes=9,
        look="5 cases instead of 42, at most 2,000 records instead of 20,000",
        run=_generality,
        shows=("generality",),
        fast={
            "names": ("skewed F1", "exclusive or", "nothing to learn", "pima", "votes"),
            "most_records": 2_000,
        },
        why="Likelihood is meant for many records; with few the simpler methods may win. "
        "The cases: [limits.md](limits.md#generality).",
        kept="generality",
    ),
    Experiment(
        "information-limit",
        "own",
        "How accurate could the best miner be? Functions 1 to 5 at five levels of privacy",
        minutes=4,
        look="functions 1 and 2 at 3 levels of privacy instead of 5 functions at 5",
        run=_limit,
        shows=("information_limits",),
        fast={"functions": (1, 2), "privacies": (0.5, 1.0, 2.0)},
        page="limits.md#the-information-limit",
        picture="likelihood.png",
    ),
    Experiment(
        "reconstruction-study",
        "own",
        "Which method recovers a distribution best? 13 laws, 13 noises, four sizes",
        minutes=6,
        look="4 laws, 4 noises, 1,000 and 10,000 reports, one seed",
        run=_study,
        shows=("reconstruction_study",),
        fast={
            "shapes": ("beta 5 2", "plateau", "triangles", "steps"),
            "noises": ("gaussian 50%", "gaussian 100%", "uniform 100%", "square wave 1"),
            "sizes": (1_000, 10_000),
            "seeds": (1,),
        },
        page="reconstruction.md#the-measurement",
    ),
)
