"""What a person may wish of a disguise."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scumble.audit._column_posterior import expected_exposure
from scumble.audit._measured_cells import measured_channel
from scumble.audit._value_posterior import greatest_posteriors, report_chances
from scumble.errors import SpecificationError
from scumble.schema import Domain, Mechanism, Numeric
from scumble.schema._parameters import budget, positive, probability, share
from scumble.wording import amount, percent

FloatArray = NDArray[np.float64]
_MOST_CELLS = 200


@dataclass(frozen=True, kw_only=True)
class IntervalAtLeast:
    """No interval that holds the truth with some confidence is narrower than a width.

    Parameters
    ----------
    width : float
        The width in the units of the attribute; of dates in days.
    confidence : float
        The confidence.

    Examples
    --------
    >>> IntervalAtLeast(width=20).aim
    'to leave an interval of 20 at 95 % confidence'
    """

    width: float
    confidence: float = 0.95

    def __post_init__(self) -> None:
        positive("width", self.width)
        share("confidence", self.confidence)

    @property
    def aim(self) -> str:
        """What the wish is, in words."""
        return (
            f"to leave an interval of {amount(self.width)} at {percent(self.confidence)} confidence"
        )

    def measure(self, domain: Domain, mechanism: Mechanism, shares: FloatArray | None) -> float:
        """Return the width of the interval."""
        _needs_number(domain)
        return mechanism.interval_privacy(domain, confidence=self.confidence) or 0.0

    def is_met(self, measured: float) -> bool:
        """Say whether what was measured fulfils the wish."""
        return measured >= self.width * (1 - 1e-9)


@dataclass(frozen=True, kw_only=True)
class EpsilonAtMost:
    """No report is more than exp(epsilon) times as likely under one truth as under another.

    Parameters
    ----------
    epsilon : float
        The bound.

    Examples
    --------
    >>> EpsilonAtMost(epsilon=2).aim
    'to keep epsilon at 2 at most'
    """

    epsilon: float

    def __post_init__(self) -> None:
        budget("epsilon", self.epsilon)

    @property
    def aim(self) -> str:
        """What the wish is, in words."""
        return f"to keep epsilon at {amount(self.epsilon)} at most"

    def measure(self, domain: Domain, mechanism: Mechanism, shares: FloatArray | None) -> float:
        """Return epsilon."""
        return float(mechanism.epsilon_on(domain))

    def is_met(self, measured: float) -> bool:
        """Say whether what was measured fulfils the wish."""
        return measured <= self.epsilon * (1 + 1e-9)


@dataclass(frozen=True, kw_only=True)
class ExposedUnder:
    """Few records are pinned down to less than a width, with 95 %.

    Parameters
    ----------
    share : float
        The greatest share of the records.
    width : float
        The width in the units of the attribute; of dates in days.

    Examples
    --------
    >>> ExposedUnder(share=0.01, width=6).aim
    'to bring the exposed share (known to less than 6) under 1 %'
    """

    share: float
    width: float

    def __post_init__(self) -> None:
        share("share", self.share)
        positive("width", self.width)

    @property
    def aim(self) -> str:
        """What the wish is, in words."""
        return (
            f"to bring the exposed share (known to less than {amount(self.width)}) under "
            f"{percent(self.share)}"
        )

    def measure(self, domain: Domain, mechanism: Mechanism, shares: FloatArray | None) -> float:
        """Return the share of the records that will be exposed."""
        _needs_number(domain)
        if mechanism.name == "identity":
            return 1.0
        channel, prior = measured_channel(domain, mechanism, shares, most=_MOST_CELLS)
        return expected_exposure(channel, prior, width=self.width)

    def is_met(self, measured: float) -> bool:
        """Say whether what was measured fulfils the wish."""
        return measured < self.share


@dataclass(frozen=True, kw_only=True)
class GuessAtMost:
    """No report lets a value be guessed with more than some probability.

    Parameters
    ----------
    probability : float
        The probability.

    Examples
    --------
    >>> GuessAtMost(probability=0.7).aim
    'to let no value be guessed with more than 70 %'
    """

    probability: float

    def __post_init__(self) -> None:
        probability("probability", self.probability)

    @property
    def aim(self) -> str:
        """What the wish is, in words."""
        return f"to let no value be guessed with more than {percent(self.probability)}"

    def measure(self, domain: Domain, mechanism: Mechanism, shares: FloatArray | None) -> float:
        """Return the probability of the best guess behind the report that tells most."""
        if isinstance(domain, Numeric):
            raise SpecificationError(
                "wish: expected categories for a guess, got a number; wish for an interval or an "
                "exposed share"
            )
        channel = mechanism.channel(domain)
        prior = np.full(len(domain), 1 / len(domain)) if shares is None else shares
        possible = report_chances(channel, prior) > 0
        return float(greatest_posteriors(channel, prior)[possible].max())

    def is_met(self, measured: float) -> bool:
        """Say whether what was measured fulfils the wish."""
        return measured <= self.probability * (1 + 1e-9)


Wish = IntervalAtLeast | EpsilonAtMost | ExposedUnder | GuessAtMost


def _needs_number(domain: Domain) -> None:
    if not isinstance(domain, Numeric):
        raise SpecificationError(
            "wish: expected a number or a date, whose truths have a width, got categories; wish "
            "for an epsilon or a guess"
        )
