"""Are these the reports of these truths, in this order? The channels tell."""

import math
from typing import TYPE_CHECKING

import numpy as np

from scumble.audit._paired_rows import is_paired
from scumble.audit._two_tables import ColumnKind, TwoColumns
from scumble.errors import TableError
from scumble.schema import Categorical, Numeric, is_mined

if TYPE_CHECKING:
    from scumble.audit._evidence import Evidence

# Reports of these truths, in this order, fall below with a probability of less than e^-25.
_UNLIKELY = -25.0


def check_reports_fit(evidence: "Evidence") -> None:
    """Raise where the reports are rather those of other truths than of those beside them.

    Raises
    ------
    TableError
        If the rows cannot be in the same order.

    Notes
    -----
    The sum of log P(report | truth) / P(report), where P(report) is the mean over all truths,
    is far above zero for reports that stand beside their truths, and far below for those that
    stand beside others. The channels say all that is needed. By Markov's inequality it is below
    -c with a probability of at most e^-c where the order is right. Attributes that share a coin lie
    together: of these the mean is taken, for which that holds still (Jensen). Reports of a
    mechanism that is not the declared one may fall below, too, in the right order: those go
    with their truths.
    """
    names = _told_by_channel(evidence)
    if sum(_mean_likelier(evidence, together) for together in _apart(evidence, names)) >= _UNLIKELY:
        return
    if not any(is_paired(_columns(evidence, name)) for name in names):
        raise TableError(
            "reports: expected those of the truths in the same order, got reports that fit other "
            "truths better than those beside them; a release shuffles its rows unless the "
            "specification has shuffle_rows = false"
        )


def _columns(evidence: "Evidence", name: str) -> TwoColumns:
    """Return truths and reports of an attribute, side by side; codes below zero are missing."""
    kind: ColumnKind = "category" if isinstance(evidence.domain(name), Categorical) else "number"
    truth, told = (own.astype(float) for own in (evidence.true(name), evidence.told(name)))
    if kind == "category":
        truth, told = (np.where(own < 0, np.nan, own) for own in (truth, told))
    return TwoColumns(name, kind, truth, told)


def _told_by_channel(evidence: "Evidence") -> list[str]:
    """Return the attributes that both tables have and that go through a channel, clear ones too."""
    return [
        name
        for name in evidence.reports.names
        if name in evidence.truths.names
        and name in evidence.spec.attributes
        and evidence.spec[name].treatment is None
        and is_mined(own := evidence.spec[name])
        and not (isinstance(own, Numeric) and math.isinf(own.width))
    ]


def _apart(evidence: "Evidence", names: list[str]) -> list[list[str]]:
    """Return attributes by the coin that they share, each without one by itself."""
    groups = [set(members) for members in evidence.spec.groups.values()]
    sharing = [[name for name in names if name in members] for members in groups]
    alone = [[name] for name in names if not any(name in members for members in groups)]
    return [together for together in sharing if together] + alone


def _mean_likelier(evidence: "Evidence", names: list[str]) -> float:
    return sum(_likelier(evidence, name) for name in names) / len(names)


def _likelier(evidence: "Evidence", name: str) -> float:
    """Return how much likelier, as a logarithm, reports are by the truths beside them."""
    channel = evidence.channel(name)
    truths = channel.truth.codes(evidence.true(name))
    reports = channel.report.codes(evidence.told(name))
    known = (truths >= 0) & (reports >= 0)
    truths, reports = truths[known], reports[known]
    shares = np.bincount(truths, minlength=len(channel.truth)) / max(1, len(truths))
    if channel.mixture is not None:
        kept, base = channel.mixture
        own = kept * (truths == reports) + base[reports]
        anyone = kept * shares[reports] + base[reports]
    else:
        own = channel.matrix[truths, reports]
        anyone = (shares @ channel.matrix)[reports]
    # One record in all may have been corrected since.
    slip = 1 / (1 + len(truths))
    ratio = np.divide(own, anyone, out=np.ones(len(own)), where=anyone > 0)
    return float(np.log((1 - slip) * ratio + slip).sum())
