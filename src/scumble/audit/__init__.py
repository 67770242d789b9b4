"""What a disguise or a treatment costs, and what it hides: trees beside the original one."""

from scumble.audit._instability import natural_instability
from scumble.audit._similarity import ComparedRule, TreeSimilarity, compare_trees

__all__ = ["ComparedRule", "TreeSimilarity", "compare_trees", "natural_instability"]
