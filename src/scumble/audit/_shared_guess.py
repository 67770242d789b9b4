"""Attributes that share a coin, guessed together."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scumble.audit._coded_column import CodedColumn
from scumble.audit._value_posterior import greatest_share_of_others

FloatArray = NDArray[np.float64]
_NOTHING = 1e-300


def shared_guess(columns: Sequence[CodedColumn]) -> FloatArray:
    """Return, as a logarithm, how probable the best guess of a group is for each record.

    Truths are taken to be independent of each other; the coin binds their reports.

    Notes
    -----
    Either all are told truly, and the truths are the reports; or the coin lies, and each truth
    has a distribution of its own. What is best to guess is the reports, which both allow, or
    the likeliest lies.
    """
    keep = cast("Any", columns[0].mechanism).keep
    sums = np.zeros((5, len(columns[0].codes)))
    for column in columns:
        sums += _logs(column, keep)[:, column.codes + 1]
    with np.errstate(divide="ignore"):
        truly, lying = np.log(keep), np.log(1 - keep)
    told, lied, report_if_told, report_if_lied, other_if_lied = sums
    chance = np.logaddexp(truly + told, lying + lied)
    as_reported = np.logaddexp(truly + report_if_told, lying + report_if_lied)
    return np.asarray(np.minimum(np.maximum(as_reported, lying + other_if_lied) - chance, 0))


def value_guesses(columns: Sequence[CodedColumn]) -> FloatArray:
    """Return how probable the best guess of each value is, given all reports of its group.

    One row for each attribute, in the order given, and a column for each record. Truths are
    taken to be independent of each other; how all reports fell tells of the coin.
    """
    keep = cast("Any", columns[0].mechanism).keep
    rows = [_logs(column, keep)[:, column.codes + 1] for column in columns]
    told, lied = sum(row[0] for row in rows), sum(row[1] for row in rows)
    with np.errstate(divide="ignore"):
        odds = np.log(1 - keep) + lied - np.log(keep) - told
    lies = 1 / (1 + np.exp(np.clip(-odds, -700, 700)))
    guesses = []
    for truly, lying, as_told, alike, other in rows:
        same = (1 - lies) * np.exp(as_told - truly) + lies * np.exp(alike - lying)
        guesses.append(np.maximum(same, lies * np.exp(other - lying)))
    return np.asarray(np.minimum(np.array(guesses), 1.0))


def _logs(column: CodedColumn, keep: float) -> FloatArray:
    """Return five logarithms for each code of a report, the missing one first.

    P(report | told truly), P(report | lied), P(report, truth the same | told truly) and lied,
    and P(report, likeliest truth | lied).
    """
    assert column.channel.mixture is not None  # as of all that share a coin
    kept, base = column.channel.mixture
    shares, most = column.shares, column.shares.max()
    # P(report | truth, lied) is a same where they are equal, and more for each report.
    same, each = (kept - keep) / max(1 - keep, _NOTHING), base / max(1 - keep, _NOTHING)
    lied = same * shares + each
    alike = shares * (same + each)
    other = np.maximum(alike, greatest_share_of_others(shares) * each)
    rows = np.stack((shares, lied, shares, alike, other))
    missing = np.array([[1.0], [1.0], [most], [most], [most]])
    return np.asarray(np.log(np.maximum(np.hstack((missing, rows)), _NOTHING)))
