"""What an adversary learns, and what the miner keeps."""

from scumble.audit._attack import AttackResult, attack_result
from scumble.audit._bayes_estimate import bayes_estimate
from scumble.audit._best_guess import best_guess
from scumble.audit._population_guess import population_guess
from scumble.audit._recovery import RecoveryResult
from scumble.audit._spectral import spectral_filter

__all__ = [
    "AttackResult",
    "RecoveryResult",
    "attack_result",
    "bayes_estimate",
    "best_guess",
    "population_guess",
    "spectral_filter",
]
