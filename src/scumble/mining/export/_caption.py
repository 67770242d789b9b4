"""What stands in the box of a node, in a picture."""

from dataclasses import dataclass

from scumble.mining.export._conditions import Conditions
from scumble.mining.export._visible import Shown
from scumble.mining.export._wording import number, percent, plain

_WIDEST = 30


@dataclass(frozen=True)
class Caption:
    """The two lines in a box.

    Attributes
    ----------
    head : str
        What is tested, how many leaves are not shown, or the class of a leaf.
    records : str
        The most frequent class where the head does not tell, its share, and the
        number of records.
    is_leaf : bool
        Whether it is the box of a leaf.
    """

    head: str
    records: str
    is_leaf: bool


def caption(shown: Shown, *, conditions: Conditions) -> Caption:
    """Return what stands in the box of a node.

    Examples
    --------
    >>> from scumble import DisguisedTreeClassifier
    >>> tree = DisguisedTreeClassifier(pruning=None).fit([[1], [2]], ["no", "yes"]).tree_
    >>> caption(Shown(0, hidden=0, children=(1, 2)), conditions=Conditions(tree))
    Caption(head='x0 < 1.5', records='no 50.0 % of 2', is_leaf=False)
    """
    tree = conditions.tree
    label = plain(tree.label(shown.node))
    share = percent(float(tree.probabilities[shown.node].max()))
    records = f"{share} of {number(float(tree.counts[shown.node].sum()))}"
    if shown.children:
        head = conditions.test(shown.node, width=_WIDEST)
    elif shown.hidden:
        head = f"... {shown.hidden:,} leaves"
    else:
        return Caption(label, records, is_leaf=True)
    return Caption(head, f"{label} {records}", is_leaf=False)
