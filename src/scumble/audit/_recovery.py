"""Guesses that use what attributes tell of each other, beside guesses that do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._attack import AttackResult, attack_result
from scumble.audit._best_guess import Guesses, guesses_of, is_known
from scumble.audit._evidence import Evidence, FloatArray, Knows, who_knows
from scumble.audit._guess import is_right, right_in_words
from scumble.schema import Numeric


@dataclass(frozen=True, kw_only=True)
class RecoveryResult(AttackResult):
    """The result of an attack that puts several attributes together.

    Attributes
    ----------
    alone : float
        The rate of success of the best guess from the report of the same attribute alone,
        on the same records.
    error, error_alone : float or None
        The root of the mean squared error of both, as a share of the range; None for
        categories.

    Examples
    --------
    >>> from scumble.audit import RecoveryResult
    >>> RecoveryResult(attack="a", attribute=None, success=0.9, base=0.1, low=0.8, high=1.0,
    ...     records=10, explanation="A.", alone=0.4, error=0.02, error_alone=0.1).to_dict()["alone"]
    0.4
    """

    alone: float
    error: float | None
    error_alone: float | None


@dataclass(frozen=True, eq=False)
class Attempt:
    """What an attack guessed of one attribute.

    Attributes
    ----------
    values : array
        The guesses that should be right.
    means : array or None
        The guesses whose squared error should be small; None for categories.
    """

    values: NDArray[Any]
    means: FloatArray | None


@dataclass(frozen=True, eq=False)
class _Scored:
    """Of one attribute, by attacked record: what is right, and the squared errors."""

    known: NDArray[np.bool_]
    right: NDArray[np.bool_]
    alone: NDArray[np.bool_]
    alike: NDArray[np.bool_]
    squares: FloatArray | None
    squares_alone: FloatArray | None


def recovery_results(
    evidence: Evidence,
    attempts: Mapping[str, Attempt],
    *,
    attack: str,
    how: str,
    knows: Knows,
    tolerance: float,
) -> list[RecoveryResult]:
    """Return the result of each attribute and, where there are several, of all together.

    Parameters
    ----------
    evidence : Evidence
        Truths, reports, and which records are attacked.
    attempts : mapping of str to Attempt
        The guesses, by attribute.
    attack : str
        The short name of the attack.
    how : str
        What the adversary does, in words.
    knows, tolerance
        As for `best_guess`.
    """
    scored = {}
    for name, attempt in attempts.items():
        alone = guesses_of(evidence, name, knows=knows, tolerance=tolerance)
        scored[name] = _scored(evidence, name, attempt, alone, tolerance=tolerance)
    who = f"An adversary who {who_knows(knows)} {how}"

    def result(name: str | None, parts: Sequence[_Scored]) -> RecoveryResult:
        means = "the true value, or for a number near it"
        if name is not None:
            means = right_in_words(evidence.domain(name), tolerance=tolerance)
        own = "each value" if name is None else f"the value of {name!r}"
        explanation = f"{who} and guesses {own}; a guess succeeds if it is {means}."
        return _result(parts, attack=attack, attribute=name, explanation=explanation)

    results = [result(name, [part]) for name, part in scored.items()]
    return results if len(results) < 2 else [*results, result(None, list(scored.values()))]


def _scored(
    evidence: Evidence, name: str, attempt: Attempt, alone: Guesses, *, tolerance: float
) -> _Scored:
    domain, truth = evidence.domain(name), evidence.true(name)[evidence.rows]

    def right(guesses: NDArray[Any]) -> NDArray[np.bool_]:
        return is_right(guesses, truth, domain, tolerance=tolerance)

    squares = squares_alone = None
    if isinstance(domain, Numeric) and attempt.means is not None and alone.means is not None:
        squares = ((attempt.means - truth) / domain.width) ** 2
        squares_alone = ((alone.means - truth) / domain.width) ** 2
    return _Scored(
        known=alone.told & is_known(truth),
        right=right(attempt.values),
        alone=right(alone.values),
        alike=right(np.full(len(truth), alone.same)),
        squares=squares,
        squares_alone=squares_alone,
    )


def _result(
    parts: Sequence[_Scored], *, attack: str, attribute: str | None, explanation: str
) -> RecoveryResult:
    known = np.array([part.known for part in parts])
    records = int(known.any(axis=0).sum())

    def rate(values: list[NDArray[np.bool_]]) -> float:
        return float(np.array(values)[known].mean()) if records else 0.0

    plain = attack_result(
        rate([part.right for part in parts]) * records,
        records,
        attack=attack,
        attribute=attribute,
        base=rate([part.alike for part in parts]),
        explanation=explanation,
    )
    return RecoveryResult(
        **plain.to_dict(),
        alone=rate([part.alone for part in parts]),
        error=_root([(part.squares, part.known) for part in parts]),
        error_alone=_root([(part.squares_alone, part.known) for part in parts]),
    )


def _root(parts: list[tuple[FloatArray | None, NDArray[np.bool_]]]) -> float | None:
    """Return the root of the mean of the squares of the numbers among the attributes."""
    squares = [own[known] for own, known in parts if own is not None]
    return float(np.sqrt(np.concatenate(squares).mean())) if squares else None
