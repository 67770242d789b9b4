"""Groups whose coin is so fair that truths and their opposites cannot be told apart."""

import math
import warnings

from scumble.errors import ScumbleWarning
from scumble.mechanisms import Warner
from scumble.mining._choice import Candidate
from scumble.schema import Specification

# In squared standard errors of the share of records that were told truly.
_LEAST = 5


def undecided_groups(spec: Specification, records: int) -> dict[str, float]:
    """Return the groups of which too few records tell which way round they are.

    All answers of a group are true, or all are reversed. What hangs together in it is seen
    in clear, but not which of two mirror images is the truth: only that more records are
    true than reversed tells that.

    Parameters
    ----------
    spec : Specification
        The specification.
    records : int
        How many records there are.

    Returns
    -------
    dict
        By the name of the group, how much is known: n (2 keep - 1)^2, less than 5.

    Examples
    --------
    >>> from scumble import Categorical
    >>> answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.55, group="health"))
    >>> undecided_groups(Specification({"smoker": answer, "ill": answer}), 300)
    {'health': 3.0}
    >>> undecided_groups(Specification({"smoker": answer, "ill": answer}), 3000)
    {}
    """
    found = {}
    for group, members in spec.groups.items():
        mechanism = spec[members[0]].mechanism
        if isinstance(mechanism, Warner) and len(members) > 1:
            known = round(records * (2 * mechanism.keep - 1) ** 2, 2)
            if known < _LEAST:
                found[group] = known
    return found


def knowledge_of_the_class(spec: Specification, records: int) -> float | None:
    """Return how little is known of the group of the class; None where it is enough."""
    for group, known in undecided_groups(spec, records).items():
        if spec.class_attribute in spec.groups[group]:
            return known
    return None


def refused(known: float) -> Candidate:
    """Warn that no population can be fitted, and return what is done instead."""
    warnings.warn(
        "fit: the coin that the class shares is too fair for so few records: n (2 keep - 1)^2 is "
        f"{known:g}, less than {_LEAST}, so that truths and their opposites cannot be told apart. "
        "The tree is that of the reports as they are, uncorrected; more records would tell",
        ScumbleWarning,
        stacklevel=5,
    )
    why = "a population is refused: truths and their opposites cannot be told apart"
    return Candidate("uncorrected", math.nan, 0.0, math.nan, True, why)
