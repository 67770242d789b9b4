"""What a field costs before any report is seen."""

from typing import Any, NamedTuple

import numpy as np

from scumble.mining.fields._rows import compiled


class Prior(NamedTuple):
    """Minus the logarithms of the chances by which a field is told, cell by cell.

    like and unlike: what it costs that a cell is of the class of one that it touches and that
    was told before, or of one other class. norms (touched, pairs): the logarithm of the sum of
    these chances over all classes, by how many it touches and how many pairs of them are alike.
    lines: how many lines an axis is expected to have.
    """

    like: float
    unlike: float
    norms: Any
    lines: float


def prior_of(classes: int, *, alike: float, lines: float) -> Prior:
    """Return the prior of fields of some classes.

    Parameters
    ----------
    classes : int
        How many classes there are.
    alike : float
        The chance that a cell is like one beside it.
    lines : float
        How many lines an axis is expected to have.

    Examples
    --------
    >>> prior = prior_of(2, alike=0.9, lines=1.0)
    >>> round(float(np.exp(-prior.like)), 2), round(float(np.exp(-prior.unlike)), 2)
    (0.9, 0.1)
    """
    unlike = (1 - alike) / (classes - 1)
    norms = np.zeros((4, 4))
    for touched, parts in [
        (0, []),
        (1, [1]),
        (2, [2]),
        (2, [1, 1]),
        (3, [3]),
        (3, [2, 1]),
        (3, [1, 1, 1]),
    ]:
        pairs = sum(part * (part - 1) // 2 for part in parts)
        own = sum(alike**part * unlike ** (touched - part) for part in parts)
        # Three neighbours of three classes there are not where there are two.
        rest = max(classes - len(parts), 0) * unlike**touched
        norms[touched, pairs] = np.log(own + rest)
    return Prior(float(-np.log(alike)), float(-np.log(unlike)), norms, lines)


@compiled
def cost_of(cells: Any, low: Any, high: Any, prior: Any) -> Any:
    """Return minus the logarithm of the prior of the classes of a block of cells.

    Cells are told in order; each is like those told before that it touches, with that
    chance for each of them.
    """
    total = 0.0
    for i in range(low[0], high[0]):
        for j in range(low[1], high[1]):
            for k in range(low[2], high[2]):
                own, touched, like = cells[i, j, k], 0, 0
                # What is not there is unlike everything.
                a, b, c = -1, -2, -3
                if i > 0:
                    a, touched = cells[i - 1, j, k], touched + 1
                if j > 0:
                    b, touched = cells[i, j - 1, k], touched + 1
                if k > 0:
                    c, touched = cells[i, j, k - 1], touched + 1
                like = int(a == own) + int(b == own) + int(c == own)
                pairs = int(a == b) + int(a == c) + int(b == c)
                total += like * prior.like + (touched - like) * prior.unlike
                total += prior.norms[touched, pairs]
    return total
