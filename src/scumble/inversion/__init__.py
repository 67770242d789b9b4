"""Undoing a disguise by the inverse of its channel: unbiased, and noisy.

The inverse of the channel of a group that shares a coin is a sum over the sides of the coin
of products over its attributes. That one formula gives the probability of a conjunction, the
table of a few attributes, the counts of a node, and the accuracy of a tree on disguised data.
"""

from scumble.inversion._joint import JointTable, joint_table
from scumble.inversion._probability import Estimate, probability

__all__ = ["Estimate", "JointTable", "joint_table", "probability"]
