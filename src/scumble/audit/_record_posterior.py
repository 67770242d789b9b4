"""What the reports of all attributes tell about whole records."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._coded_column import CodedColumn
from scumble.audit._column_posterior import ColumnPosterior
from scumble.audit._plain import plain_table
from scumble.audit._posterior_row import PINNED
from scumble.audit._shared_guess import shared_guess
from scumble.schema import Specification
from scumble.wording import percent

FloatArray = NDArray[np.float64]
LEVELS = (0.5, 0.95)


@dataclass(frozen=True, kw_only=True)
class RecordPosterior:
    """How well whole records are guessed: every attribute that is disguised, at once.

    Attributes
    ----------
    attributes : tuple of str
        The attributes that were guessed.
    records : int
        The number of records.
    base_guess, mean_guess : float
        The probability that a record is guessed wholly, without reports and with them.
    guessed : dict of float to float
        The share of the records guessed wholly with at least 50 % and 95 %.
    pinned : dict of float to float
        The share of the records of which at least one number is pinned down, with 95 %, to
        less than 1 %, 5 %, 10 % and 25 % of its range.
    """

    attributes: tuple[str, ...]
    records: int
    base_guess: float
    mean_guess: float
    guessed: dict[float, float]
    pinned: dict[float, float]

    @property
    def explanation(self) -> str:
        """The result in a sentence, with what it takes for granted."""
        return (
            f"Whole records are guessed with {percent(self.mean_guess)} on average, "
            f"{percent(self.guessed[0.95])} of them almost surely, by an adversary who takes the "
            "attributes to be independent; one who knows how they depend on each other guesses "
            "more."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return plain_table(self) | {"explanation": self.explanation}


def record_posterior(
    spec: Specification, columns: Sequence[CodedColumn], found: Sequence[ColumnPosterior]
) -> RecordPosterior:
    """Return how well records are guessed, if the truths of their attributes are independent.

    Coins that are shared are not: attributes of a group are guessed together.
    """
    coins = _coins(spec, columns)
    together = [shared_guess([columns[place] for place in coin]) for coin in coins]
    alone = set(range(len(columns))) - {place for coin in coins for place in coin}
    guess = np.zeros(len(columns[0].codes))
    for place in sorted(alone):
        guess += np.log(np.maximum(found[place].guesses, 1e-300))[columns[place].codes + 1]
    for logs in together:
        guess += logs
    chance = np.exp(guess)
    return RecordPosterior(
        attributes=tuple(column.name for column in columns),
        records=len(chance),
        base_guess=float(np.prod([one.row.base_guess for one in found])),
        mean_guess=float(chance.mean()),
        guessed={level: float((chance >= level).mean()) for level in LEVELS},
        pinned=_pinned(columns, found),
    )


def _coins(spec: Specification, columns: Sequence[CodedColumn]) -> list[list[int]]:
    """Return the places of the attributes that share a coin, for each coin."""
    names = [column.name for column in columns]
    groups = [
        [names.index(name) for name in members if name in names] for members in spec.groups.values()
    ]
    return [group for group in groups if len(group) > 1]


def _pinned(columns: Sequence[CodedColumn], found: Sequence[ColumnPosterior]) -> dict[float, float]:
    narrowest = np.full(len(columns[0].codes), np.inf)
    for column, own in zip(columns, found, strict=True):
        if own.widths is not None:
            # A report that is missing pins nothing down.
            widths = np.append(np.inf, own.widths[1:])
            np.minimum(narrowest, widths[column.codes + 1], out=narrowest)
    return {limit: float((narrowest < limit).mean()) for limit in PINNED}
