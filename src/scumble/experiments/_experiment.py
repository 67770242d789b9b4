"""An experiment that can be run by name: what it shows, how long it takes, what came of it."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from scumble.experiments._claims import Claim

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Paper = Literal["AS", "MRR", "LSL", "IB", "own"]

PAPERS: Mapping[Paper, str] = {
    "AS": "Agrawal and Srikant: noise on numbers",
    "MRR": "Multi-group randomized response",
    "LSL": "Li, Shaw and Lin: the custodian's framework",
    "IB": "Islam and Brankovic: noise guided by a tree",
    "own": "Studies of our own",
}
"""The papers, in their order on the page."""
# What claims say where the paper does not ask.
_NOT_IN_THE_PAPER = ("not asked", "not in it")


@dataclass(frozen=True)
class Finding:
    """One claim or figure, the paper's beside ours.

    Attributes
    ----------
    claim : str
        What is claimed, or what the figure is of.
    paper : str
        What the paper has; empty where it does not ask.
    ours : str
        What we measured.
    agrees : bool or None
        Whether ours bears it out; None where there is nothing to judge by.
    note : str
        What decides it, or why there is no verdict.
    clear : bool
        Whether it would be the same with the spread added or taken off; otherwise it is a toss.

    Examples
    --------
    >>> from scumble.experiments import Finding
    >>> Finding("Gaussian, 99.9 %", "6.8", "6.58", agrees=False).verdict
    'does not agree'
    >>> Finding("correction pays", "", "2.0 ±1.0", agrees=True).verdict
    'holds'
    >>> Finding("Local beats ByClass", "marginally", "0.1 ±0.5", agrees=True, clear=False).verdict
    'agrees, a toss'
    """

    claim: str
    paper: str
    ours: str
    agrees: bool | None = None
    note: str = ""
    clear: bool = True

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if self.agrees is None:
            return "no verdict"
        word = "agree" if self.paper else "hold"
        toss = "" if self.clear else ", a toss"
        return (f"{word}s" if self.agrees else f"does not {word}") + toss

    @classmethod
    def of(cls, claim: Claim) -> "Finding":
        """Return a claim as a finding."""
        asked = claim.paper not in _NOT_IN_THE_PAPER
        alone = "; a single seed" if math.isnan(claim.ours.spread) else ""
        return cls(
            claim.statement,
            claim.paper if asked else "",
            str(claim.ours),
            # A comparison of arrays gives a truth value of NumPy.
            bool(claim.holds),
            claim.where + alone,
            clear=bool(claim.clear),
        )


@dataclass(frozen=True, eq=False)
class Measured:
    """What a run of an experiment gives.

    Attributes
    ----------
    rows : list of dict
        Flat: names and plain values, the same names in each.
    findings : list of Finding
        The paper's figures beside ours.
    draw : callable, optional
        Draws the picture.

    Examples
    --------
    >>> from scumble.experiments import Measured
    >>> Measured([{"seed": 1, "accuracy": 0.9}], findings=[]).draw is None
    True
    """

    rows: list[dict[str, Any]]
    findings: list[Finding]
    draw: "Callable[[], Figure] | None" = None


@dataclass(frozen=True)
class Asked:
    """How an experiment is to be run.

    Attributes
    ----------
    settings : mapping
        What its functions are called with.
    resume : str, optional
        A file in which finished rows are kept and found again.
    progress : bool
        Whether to show a bar on stderr.
    """

    settings: Mapping[str, Any]
    resume: str | None = None
    progress: bool = False

    @property
    def resumable(self) -> dict[str, Any]:
        """What functions take that can be broken off and taken up again.

        Examples
        --------
        >>> Asked({}, resume="rows.jsonl").resumable
        {'resume': 'rows.jsonl', 'progress': False}
        """
        return {"resume": self.resume, "progress": self.progress}


Run = Callable[[Asked], Measured]


@dataclass(frozen=True, eq=False)
class Experiment:
    """A table or a figure that can be reproduced by name.

    Attributes
    ----------
    name : str
        What the command line calls it.
    paper : {"AS", "MRR", "LSL", "IB", "own"}
        Whose it is.
    what : str
        What it shows.
    minutes : float
        About how long a full run takes on one core.
    look : str
        What a fast run does less of; empty where a full one is fast.
    run : callable
        Settings to rows and findings.
    shows : tuple of str
        The functions of `scumble.experiments` whose rows these are.
    full, fast : mapping
        The settings of the two ways to run it.
    page : str
        The page of the documentation with full measurements, and its section.
    picture : str
        The picture of a full run, where the documentation has one.
    why : str
        Why ours differs, where it does.
    kept : str
        The name of the file that finished rows are kept in; experiments may share one.
        Empty where it cannot be taken up again.

    Examples
    --------
    >>> from scumble.experiments import experiment
    >>> experiment("as-table-1").what
    'Table 1: the privacy of three methods at three confidences'
    """

    name: str
    paper: Paper
    what: str
    minutes: float
    look: str
    run: Run
    shows: tuple[str, ...]
    full: Mapping[str, Any] = field(default_factory=dict)
    fast: Mapping[str, Any] = field(default_factory=dict)
    page: str = ""
    picture: str = ""
    why: str = ""
    kept: str = ""

    @property
    def duration(self) -> str:
        """How long a full run takes, as a reader says it.

        Examples
        --------
        >>> from scumble.experiments import experiment
        >>> experiment("as-table-1").duration
        'seconds'
        """
        if self.minutes < 0.5:
            return "seconds"
        if self.minutes < 100:
            return f"{math.ceil(self.minutes)} min"
        return f"{math.ceil(self.minutes / 60)} h"


def flat(rows: Sequence[Any], *properties: str) -> list[dict[str, Any]]:
    """Return dataclasses as flat dictionaries of plain values, with some properties.

    Examples
    --------
    >>> from scumble.experiments import TreeRow
    >>> row = TreeRow(1, "Original", None, 0.0, 1, 1000, accuracy=0.99, leaves=3, seconds=0.1)
    >>> flat([row], "label")[0]["label"]
    'F1, Original'
    """
    found = [asdict(row) | {name: getattr(row, name) for name in properties} for row in rows]
    return [{name: plain(value) for name, value in row.items()} for row in found]


def plain(value: Any) -> Any:
    """Return a number of NumPy as one of Python, anything else as it is.

    Examples
    --------
    >>> plain(np.float64(0.5))
    0.5
    """
    return value.item() if isinstance(value, np.generic) else value
