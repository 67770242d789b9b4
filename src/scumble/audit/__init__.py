"""What an adversary learns, and what the miner keeps."""

from scumble.audit._attack import AttackResult, attack_result
from scumble.audit._class_security import class_security
from scumble.audit._kept_accuracy import KeptAccuracy
from scumble.audit._lattice import lattice_attack
from scumble.audit._laws import Lattice
from scumble.audit._linkage import link_records
from scumble.audit._membership import membership_inference
from scumble.audit._rank import RankResult, rank_attack
from scumble.audit._utility import AttributeUtility, CorrelationChange, Utility, utility

__all__ = [
    "AttackResult",
    "AttributeUtility",
    "CorrelationChange",
    "KeptAccuracy",
    "Lattice",
    "RankResult",
    "Utility",
    "attack_result",
    "class_security",
    "lattice_attack",
    "link_records",
    "membership_inference",
    "rank_attack",
    "utility",
]
