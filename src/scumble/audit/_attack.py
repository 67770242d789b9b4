"""What every attack returns: how often it succeeds, and how often without the reports."""

from dataclasses import asdict, dataclass
from typing import Any

from scumble.errors import TableError

_CONFIDENCE = 0.95


@dataclass(frozen=True, kw_only=True)
class AttackResult:
    """How often an adversary succeeded.

    Attributes
    ----------
    attack : str
        A short name.
    attribute : str or None
        Which attribute was attacked; None for whole records, or all attributes together.
    success : float
        The rate of success.
    base : float
        The rate of the same adversary without the reports.
    low, high : float
        The Clopper-Pearson interval of the success, at 95 %.
    records : int
        How many records were tried.
    explanation : str
        One sentence: who the adversary is, what it knows, what success means.

    Examples
    --------
    >>> from scumble.audit import attack_result
    >>> found = attack_result(90, 100, attack="a guess", base=0.5, explanation="A guess.")
    >>> found.success, found.gain, found.beats_base
    (0.9, 0.4, True)
    """

    attack: str
    attribute: str | None
    success: float
    base: float
    low: float
    high: float
    records: int
    explanation: str

    @property
    def gain(self) -> float:
        """What the reports add to the rate of success."""
        return self.success - self.base

    @property
    def beats_base(self) -> bool:
        """Whether the whole interval lies above the base."""
        return self.low > self.base

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values for JSON.

        Examples
        --------
        >>> from scumble.audit import attack_result
        >>> attack_result(1, 2, attack="a", base=0.5, explanation="A.").to_dict()["success"]
        0.5
        """
        return asdict(self)


def attack_result(
    successes: float,
    records: int,
    *,
    attack: str,
    base: float,
    explanation: str,
    attribute: str | None = None,
) -> AttackResult:
    """Return the result of an attack on some records, with its interval.

    Parameters
    ----------
    successes : float
        How many were successes. A fraction where several values of a record count
        together: the interval is then that of as many records, as if the values of one
        were all alike, which errs on the wide side.
    records : int
        How many were tried, at least one.
    attack, base, explanation, attribute
        As in `AttackResult`.

    Raises
    ------
    TableError
        If there is no record to attack.

    Examples
    --------
    >>> from scumble.audit import attack_result
    >>> found = attack_result(0, 10, attack="a guess", base=0.1, explanation="A guess.")
    >>> found.low, round(found.high, 4)
    (0.0, 0.3085)
    """
    if records < 1:
        raise TableError(
            f"{attack}: expected a record of which truth and report are known, got none; give a "
            "larger sample"
        )
    low, high = clopper_pearson(successes, records)
    return AttackResult(
        attack=attack,
        attribute=attribute,
        success=float(successes) / records,
        base=float(base),
        low=low,
        high=high,
        records=int(records),
        explanation=explanation,
    )


def clopper_pearson(
    successes: float, trials: int, *, confidence: float = _CONFIDENCE
) -> tuple[float, float]:
    """Return the exact interval of a rate.

    Examples
    --------
    >>> [round(end, 4) for end in clopper_pearson(5, 10)]
    [0.1871, 0.8129]
    """
    from scipy.stats import beta

    tail, failures = (1 - confidence) / 2, trials - successes
    low = beta.ppf(tail, successes, failures + 1) if successes > 0 else 0.0
    high = beta.isf(tail, successes + 1, failures) if failures > 0 else 1.0
    return float(low), float(high)
