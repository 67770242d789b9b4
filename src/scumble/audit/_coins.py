"""Whole records behind randomized response: which way the coins fell."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._attack import AttackResult, attack_result
from scumble.audit._coin_parts import Codes, CoinPart, coin_parts
from scumble.audit._evidence import Evidence, evidence_of
from scumble.declared import conformed, declared_table
from scumble.errors import SpecificationError, TableError
from scumble.schema import Categorical, Specification
from scumble.tables import Table

_ATTACK = "inference of the coins"
# So many records that were not seen are thought possible.
_UNSEEN = 1.0


def coin_inference(
    truths: Any,
    reports: Any,
    spec: Specification,
    *,
    known: Any = None,
    records: int = 2_000,
    seed: int | None = None,
) -> AttackResult:
    """Recover whole records of categories from randomized response.

    Parameters
    ----------
    truths, reports : DataFrame or array
        The auditor's sample and its reports, in the same order.
    spec : Specification
        What disguised them. Only categories are looked at, the class among them.
    known : DataFrame or array, optional
        Records from which the adversary knows how often each combination of values
        occurs; by default the truths themselves, without who they belong to.
    records : int
        How many records are attacked, at the most, drawn at random.
    seed : int, optional
        Makes the sample repeatable.

    Returns
    -------
    AttackResult
        Success is a record of which every value is recovered. The base is the rate of the
        most frequent known record. Records with a missing value are left out.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble import Categorical, Specification, disguise
    >>> from scumble.audit import coin_inference
    >>> from scumble.mechanisms import grouped
    >>> answers = Specification(dict.fromkeys("abcdefgh", Categorical(["no", "yes"])))
    >>> truths = np.where(np.random.default_rng(1).random((1000, 8)) < 0.1, "yes", "no")
    >>> spec = grouped(answers, keep=0.51, groups=1)
    >>> coin_inference(truths, disguise(truths, spec, seed=1), spec).success > 0.95
    True

    Notes
    -----
    The coins of M groups fall in 2^M ways; each says what the record would be. The
    likeliest is P(coins) times how frequent that record is. So the combinations are not
    gone through: known records are scored by P(report | record), which is 0 for those that
    no coins lead to, and beside them stands the record that is likeliest if groups were
    independent of each other, since the true one may not be among the known. It counts
    for one record.
    """
    evidence = evidence_of(truths, reports, spec, records=records, seed=seed)
    names = _categories(evidence)
    true, told, population = _codes(evidence, names, known, spec)
    patterns, counts = _by_frequency(population)
    different, place = np.unique(told, axis=0, return_inverse=True)
    parts = coin_parts(spec, names, known=patterns, counts=counts, reports=different)
    guesses = likeliest_records(parts, patterns, counts)[place.ravel()]
    return attack_result(
        int((guesses == true).all(axis=1).sum()),
        len(true),
        attack=_ATTACK,
        base=float((true == patterns[0]).all(axis=1).mean()),
        explanation=(
            "An adversary who knows the mechanism and how often each whole record occurs in the "
            f"population sees the {len(names)} answers of a record, told with {len(parts)} "
            f"{'coin' if len(parts) == 1 else 'coins'}, and guesses all of them; success is a "
            "record without a single error."
        ),
    )


def likeliest_records(parts: list[CoinPart], known: Codes, counts: Codes) -> Codes:
    """Return the likeliest record behind each report.

    Parameters
    ----------
    parts : list of CoinPart
        The reports, part by part.
    known, counts : array
        The different known records, the most frequent first, and how often each occurs.
    """
    from scumble.audit._coin_kernels import likeliest_known

    reports = len(parts[0].told)
    alone = [part.alone() for part in parts]
    unseen = np.log(_UNSEEN) + np.sum([score for _, score in alone], axis=0)
    guesses = np.empty((reports, known.shape[1]), dtype=np.int64)
    for part, (best, _) in zip(parts, alone, strict=True):
        guesses[:, part.places] = part.values[best]
    independent = np.prod([part.shares[part.known] for part in parts], axis=0)
    best = np.full(reports, -1)
    likeliest_known(
        np.column_stack([part.told for part in parts]),
        np.column_stack([part.other for part in parts]),
        np.stack([part.logs for part in parts], axis=1),
        np.column_stack([part.known for part in parts]),
        np.log(counts + _UNSEEN * independent),
        unseen,
        best,
    )
    guesses[best >= 0] = known[best[best >= 0]]
    return guesses


def _by_frequency(population: Codes) -> tuple[Codes, Codes]:
    """Return the different records, the most frequent first, and how often each occurs."""
    patterns, counts = np.unique(population, axis=0, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return patterns[order], counts[order]


def _categories(evidence: Evidence) -> list[str]:
    names = [
        name
        for name in evidence.reports.names
        if name in evidence.truths.names
        and isinstance(evidence.spec.attributes.get(name), Categorical)
        and evidence.spec[name].sensitivity != "withheld"
        and evidence.spec[name].treatment is None
    ]
    if not set(names) & set(evidence.disguised):
        raise SpecificationError(
            "attributes: expected at least one category under randomized response, got none; there "
            "is no coin to guess"
        )
    return names


def _codes(
    evidence: Evidence, names: list[str], known: Any, spec: Specification
) -> tuple[Codes, Codes, Codes]:
    """Return the attacked records, their reports, and the known records, as codes."""
    true = np.column_stack([evidence.true(name) for name in names]).astype(np.int64)
    told = np.column_stack([evidence.told(name) for name in names]).astype(np.int64)
    population = true if known is None else _known(declared_table(known, spec), names, spec)
    population = population[(population >= 0).all(axis=1)]
    if not len(population):
        raise TableError(
            "known: expected a record without a missing value, got none; give other records"
        )
    attacked: NDArray[np.bool_] = np.zeros(len(true), dtype=bool)
    attacked[evidence.rows] = True
    attacked &= (true >= 0).all(axis=1) & (told >= 0).all(axis=1)
    return true[attacked], told[attacked], population


def _known(table: Table, names: list[str], spec: Specification) -> Codes:
    columns = [conformed(table, name, spec.domain(name)) for name in names]
    return np.column_stack(columns).astype(np.int64)
