"""Coins so fair that truths and their opposites cannot be told apart."""

import math
import warnings
from collections.abc import Sequence

from scumble.errors import ScumbleWarning
from scumble.mechanisms import Warner
from scumble.mining._choice import Candidate
from scumble.schema import Specification

# In squared standard errors of the share of records that were told truly.
LEAST_KNOWN = 5


def known_of(name: str, parties: Sequence[tuple[Specification, int]]) -> float:
    """Return how well it is known which way round an attribute is, in squared standard errors.

    All answers of a group are true, or all are reversed. What hangs together in it is seen
    in clear, but not which of two mirror images is the truth: only that more records are
    true than reversed tells that.

    Parameters
    ----------
    name : str
        The attribute.
    parties : sequence of (Specification, int)
        The specification of each party, and how many records it has.

    Returns
    -------
    float
        The sum of n (2 keep - 1)^2; infinite where a party has it in no group.

    Examples
    --------
    >>> from scumble import Categorical
    >>> answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.55, group="health"))
    >>> spec = Specification({"smoker": answer, "ill": answer})
    >>> round(known_of("ill", [(spec, 300)]), 2), round(known_of("ill", [(spec, 3000)]), 2)
    (3.0, 30.0)
    """
    total = 0.0
    for spec, records in parties:
        mechanism = spec.attributes[name].mechanism if name in spec.attributes else None
        if not isinstance(mechanism, Warner) or len(spec.groups.get(mechanism.group or "", [])) < 2:
            return math.inf
        total += records * (2 * mechanism.keep - 1) ** 2
    return total


def refused(known: float) -> Candidate:
    """Warn that no population can be fitted, and return what is done instead."""
    warnings.warn(
        "fit: the coin that the class shares is too fair for so few records: n (2 keep - 1)^2 is "
        f"{known:.2g}, less than {LEAST_KNOWN}, so that truths and their opposites cannot be told "
        "apart. The tree is that of the reports as they are, uncorrected; more records would tell",
        ScumbleWarning,
        stacklevel=5,
    )
    why = "a population is refused: truths and their opposites cannot be told apart"
    return Candidate("uncorrected", math.nan, 0.0, math.nan, True, why)
