"""What an adversary learns, and what the miner keeps."""

from scumble.audit._attack import AttackResult, attack_result
from scumble.audit._attribute_audit import AttributeAudit
from scumble.audit._audit import Audit, audit
from scumble.audit._bayes_estimate import bayes_estimate
from scumble.audit._best_guess import best_guess
from scumble.audit._breach import worst_posterior
from scumble.audit._channel_measures import (
    ChannelMeasures,
    Guess,
    Information,
    IntervalPrivacy,
    channel_measures,
)
from scumble.audit._check_epsilon import check_epsilon
from scumble.audit._choose import Choice, choose
from scumble.audit._choose_noise import NoiseChoice, choose_noise
from scumble.audit._class_security import class_security
from scumble.audit._coins import coin_inference
from scumble.audit._empirical_epsilon import EmpiricalEpsilon, empirical_epsilon
from scumble.audit._frontier import FrontierRow, frontier, scaled_noise
from scumble.audit._frontier_plot import plot_frontier
from scumble.audit._independence import check_attributes_independent, check_records_independent
from scumble.audit._instability import natural_instability
from scumble.audit._kept_accuracy import KeptAccuracy
from scumble.audit._lattice import lattice_attack
from scumble.audit._laws import Lattice
from scumble.audit._light import Light
from scumble.audit._linkage import link_records
from scumble.audit._membership import membership_inference
from scumble.audit._population_guess import population_guess
from scumble.audit._posterior import Posteriors, posteriors
from scumble.audit._posterior_row import AttributePosterior
from scumble.audit._power import samples_to_catch
from scumble.audit._rank import RankResult, rank_attack
from scumble.audit._record_epsilon import EpsilonPart, RecordEpsilon, record_epsilon
from scumble.audit._record_posterior import RecordPosterior
from scumble.audit._recovery import RecoveryResult
from scumble.audit._repeated import RepeatedResult, repeated_queries
from scumble.audit._repeated_plot import plot_repeated_queries
from scumble.audit._similarity import ComparedRule, TreeSimilarity, compare_trees
from scumble.audit._spectral import spectral_filter
from scumble.audit._utility import AttributeUtility, CorrelationChange, Utility, utility
from scumble.audit._wishes import EpsilonAtMost, ExposedUnder, GuessAtMost, IntervalAtLeast

__all__ = [
    "AttackResult",
    "AttributeAudit",
    "AttributePosterior",
    "AttributeUtility",
    "Audit",
    "ChannelMeasures",
    "Choice",
    "ComparedRule",
    "CorrelationChange",
    "EmpiricalEpsilon",
    "EpsilonAtMost",
    "EpsilonPart",
    "ExposedUnder",
    "FrontierRow",
    "Guess",
    "GuessAtMost",
    "Information",
    "IntervalAtLeast",
    "IntervalPrivacy",
    "KeptAccuracy",
    "Lattice",
    "Light",
    "NoiseChoice",
    "Posteriors",
    "RankResult",
    "RecordEpsilon",
    "RecordPosterior",
    "RecoveryResult",
    "RepeatedResult",
    "TreeSimilarity",
    "Utility",
    "attack_result",
    "audit",
    "bayes_estimate",
    "best_guess",
    "channel_measures",
    "check_attributes_independent",
    "check_epsilon",
    "check_records_independent",
    "choose",
    "choose_noise",
    "class_security",
    "coin_inference",
    "compare_trees",
    "empirical_epsilon",
    "frontier",
    "lattice_attack",
    "link_records",
    "membership_inference",
    "natural_instability",
    "plot_frontier",
    "plot_repeated_queries",
    "population_guess",
    "posteriors",
    "rank_attack",
    "record_epsilon",
    "repeated_queries",
    "samples_to_catch",
    "scaled_noise",
    "spectral_filter",
    "utility",
    "worst_posterior",
]
