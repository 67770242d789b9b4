"""What an adversary learns, and what the miner keeps."""

from scumble.audit._breach import worst_posterior
from scumble.audit._channel_measures import (
    ChannelMeasures,
    Guess,
    Information,
    IntervalPrivacy,
    channel_measures,
)
from scumble.audit._choose import Choice, choose
from scumble.audit._frontier import FrontierRow, frontier, scaled_noise
from scumble.audit._frontier_plot import plot_frontier
from scumble.audit._posterior import Posteriors, posteriors
from scumble.audit._posterior_row import AttributePosterior
from scumble.audit._record_epsilon import EpsilonPart, RecordEpsilon, record_epsilon
from scumble.audit._record_posterior import RecordPosterior
from scumble.audit._wishes import EpsilonAtMost, ExposedUnder, GuessAtMost, IntervalAtLeast

__all__ = [
    "AttributePosterior",
    "ChannelMeasures",
    "Choice",
    "EpsilonAtMost",
    "EpsilonPart",
    "ExposedUnder",
    "FrontierRow",
    "Guess",
    "GuessAtMost",
    "Information",
    "IntervalAtLeast",
    "IntervalPrivacy",
    "Posteriors",
    "RecordEpsilon",
    "RecordPosterior",
    "channel_measures",
    "choose",
    "frontier",
    "plot_frontier",
    "posteriors",
    "record_epsilon",
    "scaled_noise",
    "worst_posterior",
]
