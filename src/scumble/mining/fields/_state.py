"""What the compiled loops are given: a grid, reports, fields, and room to work in."""

from typing import Any, NamedTuple

AXES = 3
MOST_SLABS = 14


class Axes(NamedTuple):
    """The three axes of a grid; those that there are not come first, and have one cell.

    below[a][place, code] is P(code and truth below that place), over what the code is worth;
    shares[a][place] is P(truth below that place).
    """

    below: Any
    shares: Any


class Seen(NamedTuple):
    """What was reported: how often each label with each report, and what that says.

    counts is (labels, reports); whole (reports,) is what all truths together would report;
    given (classes, labels) is P(label | class); classes (classes,) the share of each.
    """

    counts: Any
    whole: Any
    given: Any
    classes: Any


class State(NamedTuple):
    """One field: lines (axes, places), slabs (axes,), a class for each cell; what follows.

    masses (classes, reports) is what each class reports, shares (classes,) how many are of it;
    numbers holds the log-likelihood, the cost of the field, and how often a class departs
    from its rule.
    """

    lines: Any
    slabs: Any
    cells: Any
    masses: Any
    shares: Any
    numbers: Any


class Room(NamedTuple):
    """Room to work in.

    change (classes, reports) is a change of the masses, beside (classes, reports) what two axes
    report of it; shares (classes,) the shares after it; slabs (axes, codes) what slabs report;
    plane (reports,) a product of two of them; likelihoods (reports,) how likely each report is.
    low, high, after (axes,) are the bounds of a block, and where what depends on it ends; start
    (axes,) is where all begins.
    """

    change: Any
    beside: Any
    shares: Any
    slabs: Any
    plane: Any
    likelihoods: Any
    low: Any
    high: Any
    after: Any
    start: Any
