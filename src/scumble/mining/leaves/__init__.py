"""Trees whose leaves are fitted by likelihood through the channels, thresholds and all.

The population behind it is simple: attributes that are independent of each other, each with
a smooth density, and classes that depend on the leaf alone. Where that is near the truth, the
thresholds are found as exactly as the noise allows.
"""

from scumble.mining.leaves._apart import apart, only
from scumble.mining.leaves._box import Box
from scumble.mining.leaves._candidates import cut_after
from scumble.mining.leaves._chances import leaf_chances
from scumble.mining.leaves._coarser import coarser
from scumble.mining.leaves._cutting import Axis
from scumble.mining.leaves._finer import finer
from scumble.mining.leaves._grid import cut_out, grid_axes, grid_boxes, regridded
from scumble.mining.leaves._model import LeafModel
from scumble.mining.leaves._patterns import Patterns, counted
from scumble.mining.leaves._scores import joint_log_scores, own_log_scores
from scumble.mining.leaves._search import (
    rough_leaves,
    search_leaves,
    simplified,
    start_leaves,
)
from scumble.mining.leaves._sight import Sight
from scumble.mining.leaves._splits import tree_of_leaves
from scumble.mining.leaves._start import first_boxes
from scumble.mining.leaves._step import improve
from scumble.mining.leaves._witnesses import witnesses_of
from scumble.mining.leaves._worth import worth

__all__ = [
    "Axis",
    "Box",
    "LeafModel",
    "Patterns",
    "Sight",
    "apart",
    "coarser",
    "counted",
    "cut_after",
    "cut_out",
    "finer",
    "first_boxes",
    "grid_axes",
    "grid_boxes",
    "improve",
    "joint_log_scores",
    "leaf_chances",
    "only",
    "own_log_scores",
    "regridded",
    "rough_leaves",
    "search_leaves",
    "simplified",
    "start_leaves",
    "tree_of_leaves",
    "witnesses_of",
    "worth",
]
