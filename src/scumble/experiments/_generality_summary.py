"""Rows of the benchmark of generality as tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from scumble.experiments._generality import GENERALITY_METHODS, GeneralityMethod, GeneralityRow

Measure = Literal["accuracy", "calibration", "leaves", "seconds"]
# What a method must keep up with, and by how many points it may fail to.
RIVALS: tuple[GeneralityMethod, ...] = ("byclass", "local", "uncorrected")
BAR = 1.0
_NAME = 20
_SHORT = {"uncorrected": "uncorr."}
_SCALES: Mapping[str, tuple[float, int]] = {
    "majority": (100, 1),
    "accuracy": (100, 1),
    "calibration": (100, 1),
    "leaves": (1, 0),
    "seconds": (1, 1),
}


@dataclass(frozen=True)
class Regret:
    """How far a method stays below the best of its rivals on a case.

    Attributes
    ----------
    case : str
        The name of the case.
    n : int
        The number of training records.
    rival : str
        The best of the rivals, by mean accuracy over seeds.
    points : float
        How many points the rival is ahead; negative where the method wins.
    error : float
        The standard error of this over seeds; nan for a single one.

    Examples
    --------
    >>> from scumble.experiments import GeneralityRow, generality_regrets
    >>> rows = [GeneralityRow("votes", 290, 1, method, share, 0.61, 0.04, 3, 0.1)
    ...     for method, share in [("likelihood", 0.93), ("byclass", 0.91), ("local", 0.95)]]
    >>> regret, = generality_regrets(rows)
    >>> regret.rival, round(regret.points, 1), regret.holds
    ('local', 2.0, False)
    """

    case: str
    n: int
    rival: GeneralityMethod
    points: float
    error: float

    @property
    def holds(self) -> bool:
        """Whether the method is never more than a point below."""
        return self.points <= BAR


def generality_regrets(
    rows: Sequence[GeneralityRow],
    *,
    method: GeneralityMethod = "likelihood",
    rivals: Sequence[GeneralityMethod] = RIVALS,
) -> list[Regret]:
    """Return the regret of a method on each case that it and a rival were tried on.

    Parameters
    ----------
    rows : sequence of GeneralityRow
        The benchmark.
    method : str
        Whose regret.
    rivals : sequence of str
        Against the best of these.
    """
    found = []
    for (case, n), by_method in _by_case(rows).items():
        there = [rival for rival in rivals if rival in by_method and rival != method]
        if there and method in by_method:
            best = max(there, key=lambda rival: _mean(by_method[rival]))
            found.append(_regret(case, n, best, by_method[method], by_method[best]))
    return found


def generality_table(rows: Sequence[GeneralityRow], *, measure: Measure = "accuracy") -> str:
    """Return the means over seeds as plain text, a line for each case.

    Parameters
    ----------
    rows : sequence of GeneralityRow
        The benchmark.
    measure : {"accuracy", "calibration", "leaves", "seconds"}
        What is shown; the first two in percent. With the accuracy stand a guess, the
        share of the most frequent class, and the regret of "likelihood": how many points it is
        below the best of byclass, local and uncorrected.

    Examples
    --------
    >>> from scumble.experiments import GeneralityRow, generality_table
    >>> print(generality_table([
    ...     GeneralityRow("votes", 290, 1, method, share, 0.61, 0.04, 3, 0.1)
    ...     for method, share in [("likelihood", 0.93), ("byclass", 0.91), ("local", 0.95)]]))
    case                guess likelihood byclass local regret
    votes                61.0       93.0    91.0  95.0    2.0
    regret of likelihood: above 1 point in 1 of 1 cases, mean 2.0, worst 2.0 (votes)
    """
    methods = [method for method in GENERALITY_METHODS if any(r.method == method for r in rows)]
    regrets = {(r.case, r.n): r for r in generality_regrets(rows)} if measure == "accuracy" else {}
    heads = [_SHORT.get(method, method) for method in methods]
    if measure == "accuracy":
        heads = ["guess", *heads, "regret"]
    lines = ["case".ljust(_NAME) + " ".join(heads)]
    for case, by_method in _by_case(rows).items():
        figures = [_figure(by_method.get(method, []), measure) for method in methods]
        if measure == "accuracy":
            majority = _figure(next(iter(by_method.values())), "majority")
            regret = f"{regrets[case].points:.1f}" if case in regrets else ""
            figures = [majority, *figures, regret]
        lines.append(case[0].ljust(_NAME) + _under(heads, figures))
    return "\n".join([*lines, *_verdict(list(regrets.values()))])


def _under(heads: Sequence[str], figures: Sequence[str]) -> str:
    """Return figures below the heads of their columns."""
    cells = [figure.rjust(len(head)) for head, figure in zip(heads, figures, strict=True)]
    return " ".join(cells).rstrip()


def _verdict(regrets: Sequence[Regret]) -> Iterator[str]:
    """Yield a line on all cases, where there are any."""
    if not regrets:
        return
    worst = max(regrets, key=lambda regret: regret.points)
    yield (
        f"regret of likelihood: above {BAR:g} point in {sum(not r.holds for r in regrets)} of "
        f"{len(regrets)} cases, mean {np.mean([r.points for r in regrets]):.1f}, "
        f"worst {worst.points:.1f} ({worst.case})"
    )


def _by_case(
    rows: Sequence[GeneralityRow],
) -> dict[tuple[str, int], dict[GeneralityMethod, list[GeneralityRow]]]:
    found: dict[tuple[str, int], dict[GeneralityMethod, list[GeneralityRow]]] = {}
    for row in rows:
        found.setdefault((row.case, row.n), {}).setdefault(row.method, []).append(row)
    return found


def _mean(rows: Sequence[GeneralityRow]) -> float:
    return float(np.mean([row.accuracy for row in rows]))


def _figure(rows: Sequence[GeneralityRow], measure: str) -> str:
    if not rows:
        return ""
    factor, digits = _SCALES[measure]
    return f"{factor * float(np.mean([getattr(row, measure) for row in rows])):.{digits}f}"


def _regret(
    case: str,
    n: int,
    rival: GeneralityMethod,
    ours: Sequence[GeneralityRow],
    theirs: Sequence[GeneralityRow],
) -> Regret:
    """Return the difference on the seeds that both were tried with."""
    by_seed = {row.seed: row.accuracy for row in ours}
    gaps = [100 * (row.accuracy - by_seed[row.seed]) for row in theirs if row.seed in by_seed]
    error = float(np.std(gaps, ddof=1) / np.sqrt(len(gaps))) if len(gaps) > 1 else float("nan")
    return Regret(case, n, rival, float(np.mean(gaps)), error)
