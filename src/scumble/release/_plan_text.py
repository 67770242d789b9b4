"""A plan as plain text."""

import textwrap
from typing import TYPE_CHECKING

from scumble.wording import short_name

if TYPE_CHECKING:
    from scumble.release._plan import Plan, Planned

_WIDTH = 80
_COLUMN = 33


def plan_as_text(plan: "Plan") -> str:
    """Return a line for each attribute, most relevant first, and the contingency table."""
    measure = plan.measure.replace("_", " ")
    lines = [f"{'attribute':<18}{measure[:9]:>9}  {'sensitivity':<12}{'proposal':<11}why"]
    rows = sorted(plan, key=lambda row: -row.relevance.of(plan.measure))
    for row in rows:
        lines.append(_line(row, row.relevance.of(plan.measure)))
    return "\n".join([*lines, "", *_contingency(plan)])


def _line(row: "Planned", value: float) -> str:
    start = f"{short_name(row.name, 17):<18}{value:>9.3f}  {row.sensitivity:<12}{row.proposal:<11}"
    return start + row.why


def _contingency(plan: "Plan") -> list[str]:
    cells = plan.contingency()
    lines = [f"{'':<12}{'relevant':<{_COLUMN}}irrelevant".rstrip()]
    for sensitivity in ("public", "private", "withheld"):
        pair = [cells.get((sensitivity, kind), ()) for kind in ("relevant", "irrelevant")]
        if not any(pair):
            continue
        wrapped = [textwrap.wrap(", ".join(names) or "-", _COLUMN - 1) for names in pair]
        for place in range(max(map(len, wrapped))):
            left, right = (part[place] if place < len(part) else "" for part in wrapped)
            start = sensitivity if place == 0 else ""
            lines.append(f"{start:<12}{left:<{_COLUMN}}{right}".rstrip())
    named = cells.get(("identifier", ""), ())
    if named:
        lines += textwrap.wrap(
            f"identifier: {', '.join(named)}", _WIDTH, subsequent_indent=" " * 12
        )
    return lines
