"""The best guess from all reports of a record, through the population: for any mix of channels."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._evidence import Evidence, FloatArray, evidence_of
from scumble.audit._guess import best_guesses
from scumble.audit._recovery import Attempt, RecoveryResult, recovery_results
from scumble.population import (
    CodedReports,
    MixtureFit,
    Population,
    code_reports,
    component_chances,
    fit_population,
)
from scumble.schema import Cells, Specification, is_mined

_BLOCK = 512
_FITTED = 20_000
_FIT = MixtureFit(components=24, runs=1, most=100)


def population_guess(
    truths: Any,
    reports: Any,
    spec: Specification,
    *,
    names: Sequence[str] | None = None,
    fit: MixtureFit | None = None,
    tolerance: float = 0.05,
    records: int = 5_000,
    seed: int | None = None,
) -> list[RecoveryResult]:
    """Guess each value from all reports of its record.

    Parameters
    ----------
    truths, reports, spec, names, tolerance, records, seed
        As for `best_guess`. Attributes in clear help, the class too.
    fit : MixtureFit, optional
        How the population is fitted, to 20,000 records at the most.

    Returns
    -------
    list of RecoveryResult
        One for each attribute and, where there are several, one for all together, beside
        the best guess from each report alone.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble import Categorical, Specification, disguise
    >>> from scumble.audit import population_guess
    >>> from scumble.mechanisms import Warner
    >>> spec = Specification(dict.fromkeys("abcde",
    ...     Categorical(["no", "yes"], mechanism=Warner(keep=0.75))))
    >>> answers = np.random.default_rng(1).choice(["no", "yes"], (4000, 1))
    >>> truths = np.repeat(answers, 5, axis=1).astype(object)
    >>> *_, overall = population_guess(truths, disguise(truths, spec, seed=1), spec, seed=1)
    >>> overall.success > 0.85, overall.alone < 0.8
    (True, True)

    Notes
    -----
    The joint distribution of the truths, a mixture of products fitted through the channels
    from the reports alone, gives the posterior of each value given the whole report:
    numbers under any noise, categories, shared coins, values in clear.
    """
    evidence = evidence_of(truths, reports, spec, records=records, seed=seed)
    wanted = evidence.chosen(names)
    coded = _coded(evidence)
    rng = np.random.default_rng(seed)
    some = coded.some(rng.permutation(len(coded))[:_FITTED])
    population = fit_population(some, fit=fit or _FIT, seed=seed)
    own = coded.some(evidence.rows)
    return recovery_results(
        evidence,
        {name: _attempt(evidence, name, population, own, tolerance) for name in wanted},
        attack="best guess from the whole report",
        how="sees all reports of a record, learns from all records how attributes hang together",
        knows="reports",
        tolerance=tolerance,
    )


def _coded(evidence: Evidence) -> CodedReports:
    # The class is an attribute like any other to one who wants to know it.
    plain = Specification(
        {name: evidence.spec[name] for name in evidence.reports.names if name in evidence.spec}
    )
    return code_reports(
        evidence.reports, plain, names=[name for name in plain if is_mined(plain[name])]
    )


def _attempt(
    evidence: Evidence,
    name: str,
    population: Population,
    reports: CodedReports,
    tolerance: float,
) -> Attempt:
    domain, place = evidence.domain(name), list(population.attributes).index(name)
    cells = population.cells[place]
    values: list[NDArray[Any]] = []
    means: list[FloatArray] = []
    given = _given(population, reports, place)
    for start in range(0, len(reports), _BLOCK):
        block = reports.some(np.arange(start, min(start + _BLOCK, len(reports))))
        chances = _posterior(population, block, place, given)
        values.append(best_guesses(chances, domain, cells, tolerance=tolerance))
        if isinstance(cells, Cells):
            means.append(chances @ cells.middles)
    return Attempt(np.concatenate(values), np.concatenate(means) if means else None)


def _given(population: Population, reports: CodedReports, attribute: int) -> FloatArray:
    """Return P(truth cell | code of its factor, component), codes first."""
    factor = next(own for own in reports.factors if attribute in own.attributes)
    joint = factor.by_cell(population.all_shares, attribute).transpose(1, 2, 0)
    return np.asarray(joint / np.maximum(joint.sum(axis=2, keepdims=True), 1e-300))


def _posterior(
    population: Population, reports: CodedReports, attribute: int, given: FloatArray
) -> FloatArray:
    """Return P(truth cell | report), one row for each record."""
    place = next(f for f, own in enumerate(reports.factors) if attribute in own.attributes)
    behind = component_chances(population, reports).astype(float)
    return np.asarray(np.einsum("rk,rkc->rc", behind, given[reports.codes[:, place]]))
