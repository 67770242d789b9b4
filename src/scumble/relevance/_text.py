"""Relevances as plain text."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from scumble.wording import short_name

if TYPE_CHECKING:
    from scumble.relevance._result import Measure, Relevance

WIDTH = 80
SHORT = {
    "gain": "gain",
    "corrected_gain": "corrected",
    "gain_ratio": "ratio",
    "gini_decrease": "gini",
    "symmetric_uncertainty": "symm.",
    "cramers_v": "V",
    "correlation": "corr.",
}
_NAME = 19


def relevances_as_text(rows: Sequence["Relevance"], measure: "Measure") -> str:
    """Return a table of at most 80 columns in the order given, and the cuts below it."""
    third: Measure = "cramers_v" if measure in ("gain", "corrected_gain") else measure
    lines = [_line("attribute", "kind", "missing", "distinct", "gain", "corrected", SHORT[third])]
    for row in rows:
        figures = [_figure(getattr(row, name)) for name in ("gain", "corrected_gain", third)]
        line = _line(row.name, row.kind, f"{row.missing}", f"{row.distinct}", *figures)
        lines.append(f"{line} {row.identifier or ''}".rstrip())
    cut = [row for row in rows if row.cuts]
    if cut:
        lines += ["", "cuts"]
    for row in cut:
        text = f"{_plain(row.name)}: {', '.join(cut_texts(row))}"
        lines += textwrap.wrap(
            text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )
    return "\n".join(lines)


def cut_texts(row: "Relevance") -> list[str]:
    """Return the cuts of an attribute as a reader writes them, those of a date as dates.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> cut_texts(SimpleNamespace(kind="date", cuts=(0.0, 19000.5)))
    ['1970-01-01', '2022-01-08T12:00:00']
    >>> cut_texts(SimpleNamespace(kind="number", cuts=(0.5275000000000001, 12000000.0)))
    ['0.5275', '12000000']
    """
    if row.kind != "date":
        return [f"{cut:.12g}" for cut in row.cuts]
    return [_date(cut) for cut in row.cuts]


def _date(days: float) -> str:
    seconds = np.datetime64(round(days * 86400), "s")
    return str(seconds.astype("M8[D]") if days % 1 == 0 else seconds)


def _figure(value: float | None) -> str:
    # Rounded first, and 0 added: a small negative number is no "-0.000".
    return "" if value is None else f"{round(value, 3) + 0.0:.3f}"


def _plain(name: str) -> str:
    """Return a name on one line."""
    return " ".join(name.split())


def _line(
    name: str, kind: str, missing: str, distinct: str, gain: str, corrected: str, third: str
) -> str:
    start = f"{short_name(name, _NAME):{_NAME}} {kind:8}{missing:>8}{distinct:>9}"
    return f"{start}{gain:>7}{corrected:>10}{third:>7}"
