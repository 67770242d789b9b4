"""What the reports of one attribute tell about its records."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._plain import plain, plain_table
from scumble.errors import SpecificationError
from scumble.wording import amount, percent

FloatArray = NDArray[np.float64]
#: A record is exposed whose truth is guessed with at least this probability.
SURE = 0.95
PINNED = (0.01, 0.05, 0.1, 0.25)
_QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, kw_only=True, eq=False)
class Spread:
    """A number for each report cell, and how many records report it.

    Attributes
    ----------
    values : array
        The numbers.
    counts : array of int
        How many records have each.
    """

    values: FloatArray
    counts: NDArray[np.int64]

    @property
    def mean(self) -> float:
        """The mean over the records."""
        return float(self.values @ self.counts / max(1, self.counts.sum()))

    def share_below(self, limit: float) -> float:
        """Return the share of the records with less than some limit."""
        return float(self.counts[self.values < limit].sum() / max(1, self.counts.sum()))

    def quantiles(self) -> dict[float, float]:
        """Return quantiles over the records."""
        # There are as many values as report cells, not as records: these may be sorted.
        order = np.argsort(self.values, kind="stable")
        upto = np.cumsum(self.counts[order])
        places = [np.searchsorted(upto, share * upto[-1]) for share in _QUANTILES]
        found = self.values[order][np.minimum(places, len(order) - 1)]
        return dict(zip(_QUANTILES, found.tolist(), strict=True))


@dataclass(frozen=True, kw_only=True, eq=False)
class AttributePosterior:
    """What the reports of one attribute tell about the truth of each record.

    Attributes
    ----------
    name, kind : str
        The attribute.
    records, missing : int
        How many records report it, and how many do not.
    unchanged : float
        The probability that a report is the truth itself.
    base_guess : float
        How probable the best guess of a truth is without reports: of a category its value,
        of a number an interval of `within` of the range.
    within : float
        How narrow a guess of a number is, as a share of the range.
    smallest_group : int or None
        Where a report is an interval: how many records share the rarest one.
    in_small_groups : int or None
        How many records are in groups of fewer than the specification's minimum.
    guesses : Spread
        The probability of the best guess behind each report.
    widths : Spread or None
        Of numbers, the width of the narrowest interval that holds the truth with 95 %.
    range_width : float or None
        Of numbers, the width of the declared range.
    """

    name: str
    kind: str
    records: int
    missing: int
    unchanged: float
    base_guess: float
    within: float
    smallest_group: int | None
    in_small_groups: int | None
    guesses: Spread = field(repr=False)
    widths: Spread | None = field(repr=False)
    range_width: float | None

    @property
    def mean_guess(self) -> float:
        """The probability of the best guess with the reports, on average."""
        return self.guesses.mean

    @property
    def exposed(self) -> float:
        """The share of the records whose best guess is right with at least 95 %."""
        return 1 - self.guesses.share_below(SURE)

    @property
    def pinned(self) -> dict[float, float] | None:
        """The share of the records pinned down to less than 1 %, 5 %, 10 %, 25 % of the range.

        That is, of which the interval that holds the truth with 95 % is so narrow. None for
        categories.
        """
        if self.range_width is None:
            return None
        return {limit: self.exposed_share(limit * self.range_width) for limit in PINNED}

    def exposed_share(self, width: float) -> float:
        """Return the share of the records pinned down to less than a width, in units.

        Raises
        ------
        SpecificationError
            If this is no number.
        """
        if self.widths is None:
            raise SpecificationError(
                f"attributes.{self.name}: expected a number or a date, whose truths have a width, "
                "got categories; read off `exposed`"
            )
        return self.widths.share_below(width)

    @property
    def explanation(self) -> str:
        """The row in a sentence."""
        guess = (
            f"{percent(self.mean_guess)} on average, {percent(self.base_guess)} without the reports"
        )
        if self.widths is None or self.range_width is None:
            return (
                f"The value of {self.name} is guessed rightly with {guess}; it is almost certain "
                f"for {percent(self.exposed)} of the records."
            )
        half, unit = self.widths.quantiles()[0.5], " days" if self.kind == "date" else ""
        return (
            f"For half of the records the interval that holds {self.name} with 95 % is "
            f"{amount(half)}{unit} wide or wider ({percent(half / self.range_width)} of the "
            f"range); {percent(self.exposed_share(0.1 * self.range_width))} are pinned "
            "down to less than a tenth of it."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        derived = {
            "mean_guess": self.mean_guess,
            "exposed": self.exposed,
            "pinned": self.pinned,
            "guess_quantiles": self.guesses.quantiles(),
            "width_quantiles": None if self.widths is None else self.widths.quantiles(),
        }
        shown: dict[str, Any] = plain(derived)
        return plain_table(self) | shown | {"explanation": self.explanation}
