"""The best guess of each value from its own report alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._attack import AttackResult, attack_result
from scumble.audit._evidence import Evidence, FloatArray, Knows, evidence_of, who_knows
from scumble.audit._guess import best_guesses, is_right, right_in_words
from scumble.schema import Cells, Channel, Specification

_ATTACK = "best guess of a value"


def best_guess(
    truths: Any,
    reports: Any,
    spec: Specification,
    *,
    names: Sequence[str] | None = None,
    knows: Knows = "reports",
    tolerance: float = 0.05,
    records: int = 10_000,
    seed: int | None = None,
) -> list[AttackResult]:
    """Guess each value from its own report, as well as anyone can.

    Parameters
    ----------
    truths, reports : DataFrame or array
        The auditor's sample and its reports, in the same order.
    spec : Specification
        What disguised them.
    names : sequence of str, optional
        Which attributes to attack; by default all that a mechanism disguises.
    knows : {"reports", "population"}
        Whether the adversary has the reconstructed distribution, as any miner has, or
        the true one.
    tolerance : float
        How far off the guess of a number may be, as a share of the range.
    records : int
        How many records are attacked, at the most, drawn at random; all of them serve to
        learn the distribution.
    seed : int, optional
        Makes the sample repeatable.

    Returns
    -------
    list of AttackResult
        One for each attribute. The base is the rate of the best guess that is the same
        for everyone.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Categorical, Specification, disguise
    >>> from scumble.audit import best_guess
    >>> from scumble.mechanisms import Warner
    >>> spec = Specification({"smoker": Categorical(["no", "yes"], mechanism=Warner(keep=0.8))})
    >>> truths = pa.table({"smoker": ["no", "yes"] * 4000})
    >>> found, = best_guess(truths, disguise(truths, spec, seed=1), spec, knows="population")
    >>> found.base, bool(found.low < 0.8 < found.high)
    (0.5, True)

    Notes
    -----
    The maximum a posteriori: of categories the likeliest, of numbers the middle of the
    window, two tolerances wide, that holds most of the posterior. No other guess from
    this report alone succeeds more often, as far as the prior is right.
    """
    evidence = evidence_of(truths, reports, spec, records=records, seed=seed)
    return [
        _attacked(evidence, name, knows=knows, tolerance=tolerance)
        for name in evidence.chosen(names)
    ]


def _attacked(evidence: Evidence, name: str, *, knows: Knows, tolerance: float) -> AttackResult:
    domain = evidence.domain(name)
    guesses = guesses_of(evidence, name, knows=knows, tolerance=tolerance)
    truth = evidence.true(name)[evidence.rows]
    known = guesses.told & is_known(truth)
    right = is_right(guesses.values, truth, domain, tolerance=tolerance)[known]
    alike = is_right(np.full(len(truth), guesses.same), truth, domain, tolerance=tolerance)[known]
    succeeds = right_in_words(domain, tolerance=tolerance)
    return attack_result(
        int(right.sum()),
        len(right),
        attack=_ATTACK,
        attribute=name,
        base=float(alike.mean()) if len(alike) else 0.0,
        explanation=(
            f"An adversary who {who_knows(knows)} sees one report of {name!r} and guesses the "
            f"value behind it; a guess succeeds if it is {succeeds}."
        ),
    )


@dataclass(frozen=True, eq=False)
class Guesses:
    """Guesses of one attribute from its own reports.

    Attributes
    ----------
    values : array
        The best guess for each attacked record: a number, or a code.
    means : array or None
        The mean of the posterior; None for categories.
    same : float
        The best guess that is the same for everyone.
    told : array of bool
        Whether there is a report; elsewhere the guess is the same as for everyone.
    """

    values: NDArray[Any]
    means: FloatArray | None
    same: float
    told: NDArray[np.bool_]


def guesses_of(evidence: Evidence, name: str, *, knows: Knows, tolerance: float) -> Guesses:
    """Return the best guesses of one attribute for the attacked records."""
    channel, domain = evidence.channel(name), evidence.domain(name)
    prior = evidence.prior(name, channel, knows=knows)
    (same,) = best_guesses(prior[None], domain, channel.truth, tolerance=tolerance)
    codes = channel.report.codes(evidence.told(name)[evidence.rows])
    told = codes >= 0
    seen, place = np.unique(codes[told], return_inverse=True)
    values, means = np.full(len(codes), same), None
    if channel.mixture is not None:
        values[told] = _likeliest(prior, *channel.mixture, seen)[place]
        return Guesses(values, None, same, told)
    chances = posterior(prior, channel, seen)
    values[told] = best_guesses(chances, domain, channel.truth, tolerance=tolerance)[place]
    if isinstance(channel.truth, Cells):
        means = np.full(len(codes), float(prior @ channel.truth.middles))
        means[told] = (chances @ channel.truth.middles)[place]
    return Guesses(values, means, same, told)


def posterior(prior: FloatArray, channel: Channel, codes: NDArray[np.integer[Any]]) -> FloatArray:
    """Return how likely each truth cell is behind each of some report cells.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import Warner
    >>> channel = Warner(keep=0.8).channel(Categorical(["no", "yes"]))
    >>> posterior(np.array([0.5, 0.5]), channel, np.array([1])).round(2).tolist()
    [[0.2, 0.8]]
    """
    joint = prior * channel.matrix[:, codes].T
    total = joint.sum(axis=1, keepdims=True)
    # A report that the prior holds impossible tells nothing.
    return np.asarray(np.where(total > 0, joint / np.maximum(total, 1e-300), prior))


def _likeliest(
    prior: FloatArray, kept: float, other: FloatArray, codes: NDArray[np.integer[Any]]
) -> NDArray[np.int64]:
    """Return the likeliest truth where P(report | truth) = kept [report = truth] + other[report].

    It is the report itself or, of all others, the most frequent value: a million values need
    no matrix.
    """
    first, second = np.argsort(prior)[::-1][:2]
    rival = np.where(codes == first, second, first)
    own = prior[codes] * (kept + other[codes])
    return np.asarray(np.where(own >= prior[rival] * other[codes], codes, rival), dtype=np.int64)


def is_known(truth: NDArray[Any]) -> NDArray[np.bool_]:
    """Say which truths are not missing: numbers that are none, and codes below 0, are.

    Examples
    --------
    >>> is_known(np.array([1.0, np.nan])).tolist(), is_known(np.array([0, -1])).tolist()
    ([True, False], [True, False])
    """
    return np.asarray(~np.isnan(truth) if truth.dtype.kind == "f" else truth >= 0)
