"""Measures of privacy that follow from the channel alone: no record is looked at."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._breach import worst_posterior
from scumble.audit._channel_text import channel_sentences
from scumble.audit._information import entropy_bits, information_bits, settled_shares
from scumble.audit._measured_cells import measured_channel, measured_widths
from scumble.audit._plain import plain, plain_table
from scumble.audit._value_posterior import greatest_posteriors, report_chances
from scumble.schema import Attribute, Cells, Domain, Mechanism, Numeric, Text, own_mechanism

FloatArray = NDArray[np.float64]
CONFIDENCES = (0.5, 0.95, 0.999)
PRIORS = (0.01, 0.05, 0.5)


@dataclass(frozen=True, kw_only=True)
class IntervalPrivacy:
    """How wide the interval is that holds the truth with some confidence.

    Attributes
    ----------
    confidence : float
        The confidence.
    width : float
        The width, in the units of the attribute; of dates in days.
    share : float or None
        The width as a share of the range; None where the range is infinite.
    """

    confidence: float
    width: float
    share: float | None


@dataclass(frozen=True, kw_only=True)
class Information:
    """What a report tells of a truth, in bits, and what it leaves open.

    Attributes
    ----------
    cells : int
        How many cells of the truth the entropies speak of.
    entropy : float
        H(truth): how uncertain the truth is before the report.
    remaining : float
        H(truth | report): how uncertain it is afterwards, on average.
    told : float
        The mutual information, the difference of the two.
    privacy_loss : float
        1 - 2^-told, from 0 (nothing is told) to 1 (Agrawal and Aggarwal 2001).
    equivalent : float
        As uncertain as the truth is given the report: a uniform distribution of this
        width (numbers; their measure 2^h), or so many equally likely values (categories).
    """

    cells: int
    entropy: float
    remaining: float
    told: float
    privacy_loss: float
    equivalent: float


@dataclass(frozen=True, kw_only=True)
class Guess:
    """How well an adversary guesses the cell of a truth.

    Attributes
    ----------
    what : str
        What a guess is: a value, or of numbers with too many a hundredth of the range.
    base : float
        The chance of a right guess without the report: the greatest share.
    mean : float
        The chance of a right guess with the report, on average.
    worst : float
        The chance that the report gives which tells most.
    """

    what: str
    base: float
    mean: float
    worst: float


@dataclass(frozen=True, kw_only=True)
class ChannelMeasures:
    """What the mechanism of one attribute gives away.

    Attributes
    ----------
    kind, mechanism : str
        What the attribute is and what disguises it; "identity" where it is public.
    intervals : tuple of IntervalPrivacy
        At 50 %, 95 % and 99.9 %; none for categories.
    epsilon : float
        The worst log-ratio of the probabilities of a report under two truths.
    information : Information or None
        In bits; None where the range is infinite.
    guess : Guess or None
        How well a truth is guessed; None where the range is infinite.
    """

    kind: str
    mechanism: str
    intervals: tuple[IntervalPrivacy, ...]
    epsilon: float
    information: Information | None
    guess: Guess | None

    def breach(self, prior: float) -> float:
        """Return what a suspicion of this probability can rise to, at worst."""
        return worst_posterior(prior, epsilon=self.epsilon)

    @property
    def sentences(self) -> dict[str, str]:
        """Each measure in a sentence, for those who are no mathematicians."""
        return channel_sentences(self)

    @property
    def explanation(self) -> str:
        """The measure that tells most, in a sentence."""
        return next(iter(self.sentences.values()))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        breaches = {prior: self.breach(prior) for prior in PRIORS}
        return plain_table(self) | {"breach": plain(breaches), "explanations": self.sentences}


def channel_measures(attribute: Attribute, *, shares: Any = None) -> ChannelMeasures | None:
    """Measure what the channel of an attribute gives away.

    Parameters
    ----------
    attribute : Numeric, Date or Categorical
        A declared attribute: disguised by a mechanism, public or withheld.
    shares : array, optional
        How the truths are distributed over the cells of the domain (`attribute.cells()`),
        such as the shares of a reconstruction. By default all cells are equally likely.

    Returns
    -------
    ChannelMeasures or None
        None where there is no channel to be measured: of text, and where a custodian treats
        the whole table instead (then the measures of the release speak of it).

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.audit import channel_measures
    >>> from scumble.mechanisms import GaussianNoise
    >>> measures = channel_measures(Numeric(20, 80, mechanism=GaussianNoise(privacy=1.0)))
    >>> [(own.confidence, round(own.width, 1)) for own in measures.intervals]
    [(0.5, 20.6), (0.95, 60.0), (0.999, 100.7)]
    >>> print(measures.explanation)
    A report leaves open where in an interval of 60 (100 % of the range) the truth lies, at 95 %
    confidence.
    >>> measures.epsilon, round(measures.information.told, 2)
    (inf, 0.59)
    """
    if isinstance(attribute, Text) or attribute.treatment is not None:
        return None
    mechanism = own_mechanism(attribute)
    mechanism.check(attribute)
    finite = not isinstance(attribute, Numeric) or math.isfinite(attribute.width)
    return ChannelMeasures(
        kind=attribute.kind,
        mechanism=mechanism.name,
        intervals=_intervals(attribute, mechanism),
        epsilon=float(mechanism.epsilon_on(attribute)),
        information=_information(attribute, mechanism, shares) if finite else None,
        guess=_guess(attribute, mechanism, shares) if finite else None,
    )


def _intervals(domain: Domain, mechanism: Mechanism) -> tuple[IntervalPrivacy, ...]:
    if not isinstance(domain, Numeric):
        return ()
    found = []
    for confidence in CONFIDENCES:
        width = mechanism.interval_privacy(domain, confidence=confidence)
        assert width is not None  # of categories alone
        share = float(width) / domain.width if math.isfinite(domain.width) else None
        found.append(IntervalPrivacy(confidence=confidence, width=float(width), share=share))
    return tuple(found)


def _information(domain: Domain, mechanism: Mechanism, shares: Any) -> Information:
    channel, prior = measured_channel(domain, mechanism, shares)
    entropy, told = entropy_bits(prior), information_bits(channel, prior)
    remaining = max(0.0, entropy - told)
    loss, equivalent = -math.expm1(-told * math.log(2)), 2**remaining
    if isinstance(domain, Numeric):
        widths = measured_widths(domain, channel.truth)
        equivalent *= 2 ** float(prior @ np.log2(widths))
        if mechanism.name == "identity":
            # Cells are as fine as we look; what is told in clear is known exactly.
            loss, equivalent = 1.0, 0.0
    return Information(
        cells=len(prior),
        entropy=entropy,
        remaining=remaining,
        told=told,
        privacy_loss=loss,
        equivalent=equivalent,
    )


def _guess(domain: Domain, mechanism: Mechanism, shares: Any) -> Guess:
    cells = domain.cells()
    wide = isinstance(cells, Cells) and not cells.is_point.all()
    if wide:
        channel, prior = mechanism.channel(domain), settled_shares(shares, size=len(cells))
    else:
        channel, prior = measured_channel(domain, mechanism, shares)
    greatest, chance = greatest_posteriors(channel, prior), report_chances(channel, prior)
    return Guess(
        what="hundredth of the range" if wide else "value",
        base=float(prior.max()),
        mean=float(greatest @ chance),
        worst=float(greatest.max()),
    )
