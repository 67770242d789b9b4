"""What the compiled loops are given: a grid, reports, fields, and room to work in."""

from typing import Any, NamedTuple

AXES = 3
MOST_SLABS = 14
# So many likelihoods are worked on at a time.
AT_A_TIME = 256


class Axes(NamedTuple):
    """The three axes of a grid; those that there are not have one cell.

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
    """Room to work in: a change of the masses and of the shares, and likelihoods."""

    change: Any
    beside: Any
    shares: Any
    part: Any
    likelihoods: Any
    bits: Any
    exponents: Any
    mantissas: Any
    mantissa_bits: Any
