"""The utility of a table as text, at most 80 columns wide."""

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scumble.audit._utility import AttributeUtility, Utility

_WIDTH = 80
_NAME = 22


def utility_as_text(found: "Utility") -> str:
    """Return the figures, a row for each attribute."""
    whose = f"{found.other_records:,} records of " if found.other_records else "distributions of "
    lines = [
        f"utility: {whose}{found.records:,}",
        f"{'attribute':{_NAME}} {'variation':>10} {'Wasserstein':>12} {'KS':>8} {'gain':>9} "
        f"{'information':>12}",
    ]
    lines += [_row(row) for row in found.attributes]
    lines += _correlations(found) + _information(found) + _accuracy(found)
    if found.left_out:
        text = "no part of the trees: " + ", ".join(found.left_out)
        lines += textwrap.wrap(text, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(line.rstrip() for line in lines)


def _row(row: "AttributeUtility") -> str:
    name = row.name if len(row.name) <= _NAME else row.name[: _NAME - 3] + "..."
    loss = row.information_loss
    kept = "" if loss is None else f"{100 * (1 - loss):.0f} % kept"
    return (
        f"{name:{_NAME}} {_figure(row.total_variation):>10} {_figure(row.wasserstein):>12} "
        f"{_figure(row.kolmogorov_smirnov):>8} {_figure(row.gain):>9} {kept:>12}"
    )


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _correlations(found: "Utility") -> list[str]:
    if found.mean_change is None or found.greatest_change is None:
        return []
    first, second = found.correlations[0].names
    text = (
        f"correlations: changed by {found.mean_change:.3f} on average, "
        f"{found.greatest_change:.3f} at the most ({first} and {second})"
    )
    return textwrap.wrap(text, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _information(found: "Utility") -> list[str]:
    loss = found.information_loss
    return [] if loss is None else [f"information about the class: {100 * (1 - loss):.1f} % kept"]


def _accuracy(found: "Utility") -> list[str]:
    own = found.accuracy
    if own is None:
        return []
    lines = [
        f"accuracy: {own.truth:.3f} from the truth, {own.other:.3f} from this table "
        f"({own.loss:+.3f} lost,",
        f"  standard error {own.error:.3f}), {own.frequent:.3f} without a model; "
        f"{own.records:,} records",
    ]
    if not own.held_out:
        lines.append("  rows cannot be paired: some of these records taught the tree of this table")
    return lines
