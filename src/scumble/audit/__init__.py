"""What an adversary learns, and what the miner keeps."""

from scumble.audit._attack import AttackResult, attack_result
from scumble.audit._bayes_estimate import bayes_estimate
from scumble.audit._best_guess import best_guess
from scumble.audit._coins import coin_inference
from scumble.audit._population_guess import population_guess
from scumble.audit._recovery import RecoveryResult
from scumble.audit._repeated import RepeatedResult, repeated_queries
from scumble.audit._repeated_plot import plot_repeated_queries
from scumble.audit._spectral import spectral_filter

__all__ = [
    "AttackResult",
    "RecoveryResult",
    "RepeatedResult",
    "attack_result",
    "bayes_estimate",
    "best_guess",
    "coin_inference",
    "plot_repeated_queries",
    "population_guess",
    "repeated_queries",
    "spectral_filter",
]
