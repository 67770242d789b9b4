"""The audit as one page that a data protection officer can read."""

import os
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from typing import Any

from scumble.atomic import write_whole
from scumble.audit import AttackResult, AttributeAudit, Audit, FrontierRow, plot_frontier
from scumble.declared import declared_table
from scumble.report._audit_figures import draw_guesses, draw_recovered, draw_widths
from scumble.report._pictures import picture
from scumble.report._templates import template

# So many attacks on single attributes are seen at once.
_SHOWN = 6


def audit_page(
    audit: Audit,
    *,
    truth: Any = None,
    frontier: Sequence[FrontierRow] = (),
    title: str = "Audit",
) -> str:
    """Return an audit as HTML: one page with all its figures, that asks nothing of the network.

    Parameters
    ----------
    audit : Audit
        The audit.
    truth : DataFrame or array, optional
        The truths, to be drawn beside what was reported and recovered. Only their
        distributions are on the page; it holds no record.
    frontier : sequence of FrontierRow
        Privacy against accuracy, to be drawn too.
    title : str
        What the page is called.

    Examples
    --------
    >>> from scumble import Numeric, Specification
    >>> from scumble.audit import audit
    >>> from scumble.mechanisms import GaussianNoise
    >>> from scumble.report import audit_page
    >>> spec = Specification({"age": Numeric(20, 80, mechanism=GaussianNoise(privacy=1.0))})
    >>> page = audit_page(audit(spec), title="People")
    >>> page.startswith("<!doctype html>"), "<title>People</title>" in page
    (True, True)
    """
    table = None if truth is None else declared_table(truth, audit.spec)
    attributes = [
        (own, _pictures(own, None if table is None else _column(table, own.name))) for own in audit
    ]
    return template("audit.html").render(
        audit=audit,
        attributes=attributes,
        attacks=_by_success(audit),
        shown=len(audit.attacks) + _SHOWN,
        frontier=_frontier(frontier),
        title=title,
        version=version("scumble"),
    )


def write_audit_page(audit: Audit, path: str | os.PathLike[str], **options: Any) -> None:
    """Write an audit as a page; options are those of `audit_page`.

    The file is written whole or not at all.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from scumble import Numeric, Specification
    >>> from scumble.audit import audit
    >>> from scumble.report import write_audit_page
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "audit.html")
    ...     write_audit_page(audit(Specification({"age": Numeric(20, 80)})), path)
    ...     path.stat().st_size < 3_000_000
    True
    """
    write_whole(path, audit_page(audit, **options))


def _column(table: Any, name: str) -> Any:
    return table.column(name) if name in table.names else None


def _pictures(own: AttributeAudit, truth: Any) -> list[tuple[str, str]]:
    """Return the figures of an attribute, each with what it shows."""
    found = []
    if own.recovered is not None:
        known = "true, reported" if truth is not None else "reported"
        address = picture(partial(draw_recovered, own, truth))
        found.append((address, f"The {known} and recovered distribution of {own.name}"))
    if own.posterior is not None and own.posterior.widths is not None:
        address = picture(partial(draw_widths, own))
        found.append((address, f"How closely {own.name} is known, for how many records"))
    elif own.posterior is not None:
        address = picture(partial(draw_guesses, own))
        found.append((address, f"How surely {own.name} is guessed, for how many records"))
    return found


def _by_success(audit: Audit) -> list[AttackResult]:
    """Return all attacks: whole records first, then what reports add most to."""
    single = [attack for own in audit for attack in own.attacks]
    return [*audit.attacks, *sorted(single, key=lambda attack: -attack.gain)]


def _frontier(rows: Sequence[FrontierRow]) -> str | None:
    if not rows:
        return None
    return picture(lambda ax: plot_frontier(rows, ax=ax), size=(7.0, 3.6))
