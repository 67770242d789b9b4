"""The check that reports tell no more than their mechanism claims."""

import math

import numpy as np

from scumble.audit._empirical_epsilon import (
    SURE,
    EmpiricalEpsilon,
    drawn_reports,
    empirical_epsilon,
)
from scumble.audit._truth_pairs import truth_pairs
from scumble.entropy import entropy_from
from scumble.errors import MechanismCheckError
from scumble.mechanisms._grid import snap
from scumble.schema import Categorical, Domain, Mechanism

_FEW = 10_000


def check_epsilon(
    mechanism: Mechanism,
    domain: Domain,
    *,
    samples: int = 200_000,
    confidence: float = SURE,
    seed: int | None = None,
) -> EmpiricalEpsilon:
    """Check that reports tell no more than a mechanism claims.

    Parameters
    ----------
    mechanism, domain, samples, confidence, seed
        As for `empirical_epsilon`.

    Returns
    -------
    EmpiricalEpsilon
        What was seen.

    Raises
    ------
    MechanismCheckError
        If the samples contradict the claim, or missing truths are reported. A right
        mechanism is refused with probability at most `1 - confidence`.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.audit import check_epsilon
    >>> from scumble.mechanisms import LaplaceNoise
    >>> check_epsilon(LaplaceNoise(epsilon=1), Numeric(20, 80)).contradicted
    False

    See Also
    --------
    scumble.testing.check_mechanism : whether reports follow the channel, with too much
        noise as well as with too little.
    """
    seen = empirical_epsilon(mechanism, domain, samples=samples, confidence=confidence, seed=seed)
    if seen.contradicted:
        by = ", and by ".join(seen.contradictions)
        raise MechanismCheckError(
            f"{mechanism.name}: expected reports that tell at most what is claimed (epsilon "
            f"{seen.claimed:.4g}, and the channel), got more by {by}; epsilon is "
            f"at least {seen.bound:.4g}, look at what disguise adds to a report"
        )
    _check_grid(mechanism, domain, seed)
    _check_missing(mechanism, domain, seed)
    return seen


def _check_grid(mechanism: Mechanism, domain: Domain, seed: int | None) -> None:
    """Refuse floats beside the declared grid: no sample shows all that their bits can tell."""
    if not hasattr(mechanism, "grid_on") or isinstance(domain, Categorical):
        return
    grid = mechanism.grid_on(domain)
    truths = [truth for pair in truth_pairs(mechanism, domain) for truth in pair]
    reports = drawn_reports(mechanism, domain, truths, samples=_FEW, seed=seed)
    told = reports[~np.isnan(reports)]
    beside = int(np.count_nonzero(told != snap(told.copy(), grid)))
    if beside:
        raise MechanismCheckError(
            f"{mechanism.name}: expected reports on the grid of {grid:g}, got {beside} of "
            f"{len(told)} beside it; round reports to it, or their last bits tell of the truth"
        )


def _check_missing(mechanism: Mechanism, domain: Domain, seed: int | None) -> None:
    categories = isinstance(domain, Categorical)
    truth = np.full(_FEW, -1, dtype=np.int32) if categories else np.full(_FEW, math.nan)
    reports = mechanism.disguise(truth, domain, entropy_from(seed).stream("missing"))
    told = int(np.count_nonzero(reports >= 0 if categories else ~np.isnan(reports)))
    if told:
        raise MechanismCheckError(
            f"{mechanism.name}: expected a missing report for a missing truth, got {told} of "
            f"{_FEW} that are not; leave missing truths as they are"
        )
