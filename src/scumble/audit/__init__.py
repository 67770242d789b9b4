"""What an adversary learns, and what the miner keeps."""

from scumble.audit._breach import worst_posterior
from scumble.audit._channel_measures import (
    ChannelMeasures,
    Guess,
    Information,
    IntervalPrivacy,
    channel_measures,
)
from scumble.audit._record_epsilon import EpsilonPart, RecordEpsilon, record_epsilon

__all__ = [
    "ChannelMeasures",
    "EpsilonPart",
    "Guess",
    "Information",
    "IntervalPrivacy",
    "RecordEpsilon",
    "channel_measures",
    "record_epsilon",
    "worst_posterior",
]
