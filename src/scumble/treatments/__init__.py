"""What a custodian does to columns of a table before it is released."""

from typing import TYPE_CHECKING, Any

from scumble.treatments._class_noise import ClassNoise, expected_changes
from scumble.treatments._discretize import Discretize
from scumble.treatments._distribution import Distribution
from scumble.treatments._exposure import Exposure
from scumble.treatments._group_rare import GroupRare
from scumble.treatments._innocent import InnocentNoise, InnocentShuffle
from scumble.treatments._shuffle import Shuffle
from scumble.treatments._together import Together
from scumble.treatments._treatment import ColumnTreatment, Treated

if TYPE_CHECKING:
    from scumble.treatments._treat import Treat

__all__ = [
    "ClassNoise",
    "ColumnTreatment",
    "Discretize",
    "Distribution",
    "Exposure",
    "GroupRare",
    "InnocentNoise",
    "InnocentShuffle",
    "Shuffle",
    "Together",
    "Treat",
    "Treated",
    "expected_changes",
]


def __getattr__(name: str) -> Any:
    # scikit-learn takes long to import: only those who use its contract wait for it.
    if name == "Treat":
        from scumble.treatments._treat import Treat

        return Treat
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
