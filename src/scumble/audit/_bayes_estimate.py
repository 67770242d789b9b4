"""The Bayes estimate of correlated numbers: the best linear one."""

from typing import Any

import numpy as np

from scumble.audit._evidence import Evidence, FloatArray, Knows, evidence_of
from scumble.audit._noisy_numbers import NoisyNumbers, noisy_numbers
from scumble.audit._recovery import RecoveryResult, recovery_results
from scumble.audit._spectral import attempts_of
from scumble.schema import Specification


def bayes_estimate(
    truths: Any,
    reports: Any,
    spec: Specification,
    *,
    knows: Knows = "reports",
    tolerance: float = 0.05,
    records: int = 10_000,
    seed: int | None = None,
) -> list[RecoveryResult]:
    """Estimate the numbers of a record from all its reports, as if all were normal.

    Parameters
    ----------
    truths, reports, spec, knows, tolerance, records, seed
        As for `best_guess`. Numbers under additive noise are attacked; numbers in clear
        help.

    Returns
    -------
    list of RecoveryResult
        One for each attribute and, where there are several, one for all together.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble import Numeric, Specification, disguise
    >>> from scumble.audit import bayes_estimate
    >>> from scumble.mechanisms import GaussianNoise
    >>> spec = Specification({"a": Numeric(0, 100, mechanism=GaussianNoise(sd=20)),
    ...     "b": Numeric(0, 100)})
    >>> truths = np.repeat(np.random.default_rng(1).uniform(0, 100, (4000, 1)), 2, axis=1)
    >>> found, = bayes_estimate(truths, disguise(truths, spec, seed=1), spec)
    >>> found.success > 0.99, found.alone < 0.5
    (True, True)

    Notes
    -----
    Huang, Du and Chen (2005): mu + Sigma (Sigma + Sigma_noise)^-1 (report - mu), which has
    the least squared error of all linear estimates, and of all where truths and noise are
    normal. Sigma is the covariance of the reports minus that of the noise, with negative
    eigenvalues set to zero; for an adversary who knows the population, that of the truths.
    """
    evidence = evidence_of(truths, reports, spec, records=records, seed=seed)
    numbers = noisy_numbers(evidence, clear=True)
    mean, covariance = _moments(evidence, numbers, knows)
    found = linear_estimate(
        numbers.filled(evidence.rows), mean=mean, covariance=covariance, noise=numbers.variances
    )
    return recovery_results(
        evidence,
        attempts_of(evidence, numbers.names, found),
        attack="Bayes estimate",
        how="weighs all numbers of a record by their correlation and their noise",
        knows=knows,
        tolerance=tolerance,
    )


def _moments(
    evidence: Evidence, numbers: NoisyNumbers, knows: Knows
) -> tuple[FloatArray, FloatArray]:
    """Return mean and covariance of the truths, as far as the adversary knows them."""
    if knows == "population":
        whole = np.column_stack([evidence.true(name) for name in numbers.names])
        whole = whole[~np.isnan(whole).any(axis=1)]
        return whole.mean(axis=0), np.cov(whole.T)
    whole = numbers.reports[numbers.complete]
    values, directions = np.linalg.eigh(np.cov(whole.T) - np.diag(numbers.variances))
    return whole.mean(axis=0), (directions * values.clip(min=0)) @ directions.T


def linear_estimate(
    reports: FloatArray, *, mean: FloatArray, covariance: FloatArray, noise: FloatArray
) -> FloatArray:
    """Return the linear estimate of the truths with the least squared error.

    Examples
    --------
    >>> one = np.array([1.0])
    >>> linear_estimate(np.array([[4.0]]), mean=0 * one, covariance=3 * one[None], noise=one)
    array([[3.]])
    """
    # Least squares and not an inverse: numbers in clear may depend on each other.
    weights = np.linalg.lstsq(covariance + np.diag(noise), covariance, rcond=None)[0]
    return np.asarray(mean + (reports - mean) @ weights)
