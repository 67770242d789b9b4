"""What came of running an experiment: when, how, the rows and the verdicts."""

import csv
import io
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Self

from scumble.errors import TableError
from scumble.experiments._experiment import Finding

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure


@dataclass(frozen=True, kw_only=True, eq=False)
class Reproduction:
    """An experiment that was run.

    Attributes
    ----------
    name : str
        The experiment.
    fast : bool
        Whether it was a look: fewer repeats or records than in a full run.
    date, version : str
        The day, and the version of scumble.
    seconds : float
        How long it took.
    findings : tuple of Finding
        The paper's figures beside ours.
    rows : tuple of dict
        What was measured; empty where only the findings were kept.
    draw : callable, optional
        Draws the picture.

    Examples
    --------
    >>> from scumble.experiments import run_experiment
    >>> found = run_experiment("as-table-1")
    >>> found.score
    '8 of 9'
    >>> print(found.to_text().splitlines()[-1])
    does not agree: Gaussian, 99.9 % confidence (paper: 6.8 sigma; ours: 6.581 sigma)
    """

    name: str
    fast: bool
    date: str
    version: str
    seconds: float
    findings: tuple[Finding, ...]
    rows: tuple[dict[str, Any], ...] = ()
    draw: "Callable[[], Figure] | None" = field(default=None, repr=False)

    @property
    def judged(self) -> list[Finding]:
        """The findings that have a verdict."""
        return [finding for finding in self.findings if finding.agrees is not None]

    @property
    def score(self) -> str:
        """How many of the findings with a verdict agree or hold, and how many are a toss."""
        if not self.judged:
            return "no verdict"
        tosses = sum(not finding.clear for finding in self.judged)
        right = sum(bool(finding.agrees) for finding in self.judged)
        return f"{right} of {len(self.judged)}" + (f", {tosses} a toss" if tosses else "")

    def to_dict(self) -> dict[str, Any]:
        """Return all but the picture, for JSON: what is not a number is None."""
        return {
            "name": self.name,
            "fast": self.fast,
            "date": self.date,
            "version": self.version,
            "seconds": round(self.seconds, 1),
            "findings": [asdict(finding) for finding in self.findings],
            "rows": [{key: _finite(value) for key, value in row.items()} for row in self.rows],
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        """Return what `to_dict` gave, with or without its rows."""
        try:
            return cls(
                name=given["name"],
                fast=given["fast"],
                date=given["date"],
                version=given["version"],
                seconds=given["seconds"],
                findings=tuple(Finding(**finding) for finding in given["findings"]),
                rows=tuple(given.get("rows", ())),
            )
        except (KeyError, TypeError):
            raise TableError(
                "reproduction: expected name, fast, date, version, seconds and findings, got "
                "something else; run the experiment again"
            ) from None

    def to_json(self) -> str:
        """Return it as JSON."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def to_csv(self) -> str:
        """Return the rows as CSV, with a heading."""
        text = io.StringIO()
        writer = csv.DictWriter(text, list(self.rows[0]) if self.rows else [], lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return text.getvalue()

    def to_text(self) -> str:
        """Return the findings as lines to be read."""
        kind = "a fast look" if self.fast else "in full"
        lines = [f"{self.name}, {kind}, {self.seconds:.0f} s: {self.score}"]
        for each in self.findings:
            paper = f"paper: {each.paper}; " if each.paper else ""
            note = f"; {each.note}" if each.note else ""
            lines.append(f"{each.verdict}: {each.claim} ({paper}ours: {each.ours}{note})")
        return "\n".join(lines)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
