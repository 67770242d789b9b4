"""What an adversary learns, and what the miner keeps."""

from scumble.audit._check_epsilon import check_epsilon
from scumble.audit._empirical_epsilon import EmpiricalEpsilon, empirical_epsilon
from scumble.audit._independence import check_attributes_independent, check_records_independent
from scumble.audit._power import samples_to_catch

__all__ = [
    "EmpiricalEpsilon",
    "check_attributes_independent",
    "check_epsilon",
    "check_records_independent",
    "empirical_epsilon",
    "samples_to_catch",
]
