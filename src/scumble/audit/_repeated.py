"""The same people asked again and again: fresh noise wears off, fixed noise does not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble._disguise import disguise
from scumble.audit._attack import AttackResult, attack_result
from scumble.audit._best_guess import is_known
from scumble.audit._evidence import Evidence, FloatArray, evidence_of
from scumble.audit._guess import best_guesses, is_right, right_in_words
from scumble.declared import declared_table
from scumble.errors import SpecificationError
from scumble.schema import Channel, Specification, own_mechanism
from scumble.tables import Table

_SECRET = b"of an audit, which protects nobody"
_SMALLEST = 1e-300


@dataclass(frozen=True, kw_only=True)
class RepeatedResult(AttackResult):
    """The result of asking the same people several times.

    Attributes
    ----------
    times : int
        How often each was asked.
    fixed : bool
        Whether the noise was fixed per entity.

    Examples
    --------
    >>> from scumble.audit import RepeatedResult
    >>> RepeatedResult(attack="a", attribute="age", success=0.9, base=0.1, low=0.8, high=1.0,
    ...     records=10, explanation="A.", times=5, fixed=False).times
    5
    """

    times: int
    fixed: bool


def repeated_queries(
    truths: Any,
    spec: Specification,
    *,
    name: str,
    fixed: bool = False,
    times: Sequence[int] = (1, 2, 5, 10, 20, 50, 100),
    tolerance: float = 0.05,
    records: int = 2_000,
    seed: int | None = None,
) -> list[RepeatedResult]:
    """Ask the same people several times, and put their reports together.

    Parameters
    ----------
    truths : DataFrame or array
        The auditor's sample.
    spec : Specification
        What disguises it.
    name : str
        Which attribute is asked for.
    fixed : bool
        Whether each entity gets the same noise every time, as
        `disguise(..., secret=, entities=)` gives it, or fresh noise.
    times : sequence of int
        After how many reports the adversary guesses.
    tolerance, records, seed
        As for `best_guess`.

    Returns
    -------
    list of RepeatedResult
        One for each number of reports.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Categorical, Specification
    >>> from scumble.audit import repeated_queries
    >>> from scumble.mechanisms import Warner
    >>> spec = Specification({"smoker": Categorical(["no", "yes"], mechanism=Warner(keep=0.8))})
    >>> truths = pa.table({"smoker": ["no", "yes"] * 500})
    >>> fresh = repeated_queries(truths, spec, name="smoker", times=[1, 25], seed=1)
    >>> same = repeated_queries(truths, spec, name="smoker", times=[1, 25], fixed=True, seed=1)
    >>> fresh[1].success > 0.99, same[1].success == same[0].success
    (True, True)

    Notes
    -----
    The adversary knows the mechanism and how the truths are spread, and multiplies the
    likelihoods of the reports. Who got the same answers from everyone as the time before
    sees that the noise is fixed, and counts them once. With fresh noise of standard
    deviation s the mean of k reports is s / sqrt(k) off.
    """
    if any(isinstance(k, bool) or not isinstance(k, int) or k < 1 for k in times):
        raise SpecificationError(f"times: expected whole numbers above 0, got {list(times)!r}")
    evidence = evidence_of(truths, truths, spec, records=records, seed=seed)
    evidence.chosen([name])
    channel = evidence.channel(name)
    prior = evidence.prior(name, channel, knows="population")
    asked = _asked(evidence, name, channel, fixed, seed)
    found, log_chances, last = {}, np.log(np.maximum(prior, _SMALLEST)), None
    logs = np.log(np.maximum(channel.matrix, _SMALLEST)).T
    chances = np.tile(log_chances, (len(evidence.rows), 1))
    for count, codes in zip(range(1, max(times, default=0) + 1), asked, strict=False):
        if last is None or not np.array_equal(codes, last):
            # A missing report says nothing.
            chances += np.where(codes[:, None] >= 0, logs[codes], 0.0)
        last = codes
        if count in times:
            found[count] = _guessed(chances, evidence, name, channel, tolerance)
    same = _guessed(log_chances[None], evidence, name, channel, tolerance)
    return [
        _result(evidence, name, found[k], same, times=k, fixed=fixed, tolerance=tolerance)
        for k in times
    ]


def _guessed(
    chances: FloatArray, evidence: Evidence, name: str, channel: Channel, tolerance: float
) -> NDArray[Any]:
    odds = np.exp(chances - chances.max(axis=1, keepdims=True))
    return best_guesses(odds, evidence.domain(name), channel.truth, tolerance=tolerance)


def _asked(
    evidence: Evidence, name: str, channel: Channel, fixed: bool, seed: int | None
) -> Iterator[NDArray[np.int32]]:
    """Yield the reports, as codes, of the attacked records, asked again and again."""
    chosen = np.zeros(len(evidence.truths), dtype=bool)
    chosen[evidence.rows] = True
    one = Specification({name: evidence.spec[name]})
    people = declared_table(evidence.truths.where(chosen).chosen([name]).native, one)
    domain = evidence.domain(name)
    told = own_mechanism(domain).report_domain(domain)
    draws = np.random.default_rng(seed)
    while True:
        if fixed:
            reports = disguise(people.native, one, secret=_SECRET, entities=evidence.rows)
        else:
            reports = disguise(people.native, one, seed=int(draws.integers(2**62)))
        yield channel.report.codes(told.conform(Table(reports, names=[name]).column(name)))


def _result(
    evidence: Evidence,
    name: str,
    guesses: NDArray[Any],
    same: NDArray[Any],
    *,
    times: int,
    fixed: bool,
    tolerance: float,
) -> RepeatedResult:
    domain, truth = evidence.domain(name), evidence.true(name)[evidence.rows]
    known = is_known(truth)
    right = is_right(guesses, truth, domain, tolerance=tolerance)[known]
    alike = is_right(same, truth, domain, tolerance=tolerance)[known]
    plain = attack_result(
        int(right.sum()),
        len(right),
        attack="repeated queries",
        attribute=name,
        base=float(alike.mean()) if len(alike) else 0.0,
        explanation=(
            "An adversary who knows the mechanism and how the truths are spread asks each person "
            f"{times} {'time' if times == 1 else 'times'} for {name!r}, under "
            f"{'noise that is fixed per person' if fixed else 'fresh noise'}; a guess succeeds if "
            f"it is {right_in_words(domain, tolerance=tolerance)}."
        ),
    )
    return RepeatedResult(**plain.to_dict(), times=times, fixed=fixed)
