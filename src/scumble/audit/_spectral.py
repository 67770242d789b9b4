"""Spectral filtering: noise is spread over all directions, correlated truths are not."""

from typing import Any, Literal, get_args

import numpy as np

from scumble.audit._evidence import Evidence, FloatArray, evidence_of
from scumble.audit._noisy_numbers import noisy_numbers
from scumble.audit._recovery import Attempt, RecoveryResult, recovery_results
from scumble.errors import SpecificationError
from scumble.schema import Numeric, Specification
from scumble.schema._named import suggestion

Rule = Literal["gain", "bound", "gap"]
# Of the noise, whose variance is one: as much again is of truths.
_TWICE = 2.0


def spectral_filter(
    truths: Any,
    reports: Any,
    spec: Specification,
    *,
    rule: Rule = "gain",
    tolerance: float = 0.05,
    records: int = 10_000,
    seed: int | None = None,
) -> list[RecoveryResult]:
    """Filter the noise off correlated numbers by their principal components.

    Parameters
    ----------
    truths, reports, spec, tolerance, records, seed
        As for `best_guess`. Only numbers under additive noise are attacked, two or more.
    rule : {"gain", "bound", "gap"}
        Which components are kept: those in which truths vary more than noise, which makes
        the squared error least; those whose variance is above what noise alone can have
        (Kargupta et al. 2003); or those before the largest drop of the variance (Huang,
        Du and Chen 2005).

    Returns
    -------
    list of RecoveryResult
        One for each attribute, and last one for all together, beside the best guess from
        each report alone. The adversary knows the mechanism and the reports, no more.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble import Numeric, Specification, disguise
    >>> from scumble.audit import spectral_filter
    >>> from scumble.mechanisms import GaussianNoise
    >>> spec = Specification({name: Numeric(0, 100, mechanism=GaussianNoise(sd=20))
    ...     for name in "abcdefgh"})
    >>> truths = np.repeat(np.random.default_rng(1).uniform(0, 100, (4000, 1)), 8, axis=1)
    >>> *_, overall = spectral_filter(truths, disguise(truths, spec, seed=1), spec)
    >>> overall.success > 1.5 * overall.alone
    True

    Notes
    -----
    Reports are divided by the standard deviation of their noise, so that it is the same in
    every direction. The eigenvalues of the covariance of n records of m columns of noise
    alone then lie below (1 + sqrt(m / n))^2. The filtered reports are their projection on
    the kept directions. With many records that bound keeps every direction in which truths
    vary at all, and with it more noise than truth: a direction pays if the variance of the
    reports is above twice that of the noise. `bayes_estimate` weighs instead of choosing.
    """
    if rule not in get_args(Rule):
        raise SpecificationError(f"rule: unknown {rule!r}{suggestion(rule, get_args(Rule))}")
    evidence = evidence_of(truths, reports, spec, records=records, seed=seed)
    numbers = noisy_numbers(evidence, clear=False)
    scale = np.sqrt(numbers.variances)
    whole = numbers.reports[numbers.complete] / scale
    mean = whole.mean(axis=0)
    kept = kept_directions(whole, rule=rule)
    found = (numbers.filled(evidence.rows) / scale - mean) @ kept @ kept.T + mean
    return recovery_results(
        evidence,
        attempts_of(evidence, numbers.names, found * scale),
        attack="spectral filtering",
        how="takes the noise off all numbers of a record at once, by their correlation,",
        knows="reports",
        tolerance=tolerance,
    )


def kept_directions(whole: FloatArray, *, rule: Rule) -> FloatArray:
    """Return the directions in which there is more than noise of variance one, as columns.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> reports = 5 * rng.normal(size=(1000, 1)) + rng.normal(size=(1000, 3))
    >>> kept_directions(reports, rule="bound").shape, kept_directions(reports, rule="gap").shape
    ((3, 1), (3, 1))
    """
    records, columns = whole.shape
    values, directions = np.linalg.eigh(np.cov(whole.T))
    if rule == "gain":
        kept = values > _TWICE
    elif rule == "bound":
        kept = values > (1 + np.sqrt(columns / records)) ** 2
    else:
        # In ascending order: all above the largest step.
        kept = np.arange(columns) > np.diff(values).argmax()
    return np.asarray(directions[:, kept])


def attempts_of(evidence: Evidence, names: list[str], found: FloatArray) -> dict[str, Attempt]:
    """Return estimates as guesses, moved into the domain, of the attributes that are disguised."""
    attempts = {}
    for name, column in zip(names, found.T, strict=True):
        domain = evidence.domain(name)
        if name in evidence.disguised and isinstance(domain, Numeric):
            inside = np.clip(column, domain.low, domain.high)
            attempts[name] = Attempt(inside, inside)
    return attempts
