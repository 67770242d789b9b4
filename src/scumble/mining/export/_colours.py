"""The colour of a node: the hue tells the class, the strength how pure it is."""

from scumble.mining._tree import Tree

# Distinct for readers who do not see red and green (Okabe and Ito).
_HUES = ("0072B2", "E69F00", "009E73", "CC79A7", "56B4E9", "D55E00", "F0E442", "999999")
# Black text must stay readable on the strongest colour.
_WEAKEST, _STRONGEST = 0.06, 0.65


def node_colour(tree: Tree, node: int) -> str:
    """Return the colour of a node, white where all classes are equally frequent.

    Examples
    --------
    >>> from scumble import DisguisedTreeClassifier
    >>> tree = DisguisedTreeClassifier(min_samples_leaf=1).fit([[1], [2]], [0, 1]).tree_
    >>> node_colour(tree, 0)
    '#f0f7fa'
    """
    classes = len(tree.classes)
    even = 1 / classes
    share = float(tree.probabilities[node].max())
    purity = 1.0 if classes == 1 else (share - even) / (1 - even)
    strength = _WEAKEST + (_STRONGEST - _WEAKEST) * purity
    hue = _HUES[int(tree.answers[node]) % len(_HUES)]
    parts = (int(hue[start : start + 2], 16) for start in (0, 2, 4))
    return "#" + "".join(f"{round(255 + (part - 255) * strength):02x}" for part in parts)
