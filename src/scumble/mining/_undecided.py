"""Coins so fair that truths and their opposites cannot be told apart."""

import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from scumble.errors import ScumbleWarning
from scumble.mechanisms import Warner
from scumble.mining._candidate import Candidate
from scumble.mining._training import Training
from scumble.schema import Attribute, Categorical, Specification
from scumble.tables import Table

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
        "apart. The tree is that of the reports as they are, uncorrected, reversed where most are "
        "lies; more records would tell",
        ScumbleWarning,
        stacklevel=5,
    )
    why = "a population is refused: truths and their opposites cannot be told apart"
    return Candidate("uncorrected", math.nan, 0.0, math.nan, True, why)


def righted(training: Training, spec: Specification) -> Training:
    """Return records whose answers are reversed where a coin tells more lies than truths."""
    columns = {}
    for name in training.attributes:
        attribute = spec[name]
        if _mostly_lies(attribute):
            told = attribute.told
            codes = told.conform(training.table.column(name))
            columns[name] = told.decode(_reversed(codes))
    table = Table(training.table.replaced(columns)) if columns else training.table
    target = spec.declared_class
    labels = training.labels
    if target is not None and _mostly_lies(target) and training.classes == 2:
        labels = (1 - labels).astype(labels.dtype)
    return replace(training, table=table, labels=labels)


def _mostly_lies(attribute: Attribute) -> TypeGuard[Categorical]:
    return isinstance(attribute.mechanism, Warner) and attribute.mechanism.keep < 0.5


def _reversed(codes: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.where(codes < 0, codes, 1 - codes)
