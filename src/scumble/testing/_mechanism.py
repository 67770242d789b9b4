"""The check that a mechanism does what it states."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Cryptographic, Entropy, Seeded, Stream
from scumble.errors import MechanismCheckError
from scumble.schema import Categorical, Cells, CellSet, Domain, Mechanism, mechanism_from_dict
from scumble.schema._parameters import share
from scumble.testing._goodness import agrees, sample_size

FloatArray = NDArray[np.float64]


def check_mechanism(
    mechanism: Mechanism,
    domain: Domain,
    *,
    alpha: float = 1e-6,
    smallest_error: float = 0.1,
    entropy: Entropy | None = None,
) -> None:
    """Check that a mechanism keeps the contract of its channel.

    Rows of the matrix sum to one; reports follow it and lie in the report domain;
    epsilon is the worst log-ratio; disguise is vectorised, draws from its stream
    alone, keeps missing values missing and leaves the truth alone; the parameters
    survive JSON.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism to check.
    domain : Numeric or Categorical
        A domain to check it on.
    alpha : float
        How often a right mechanism may fail the check of its reports.
    smallest_error : float
        The error in the amount of noise that must be caught, with the same small
        probability of missing it; the sample size follows from it.
    entropy : Entropy, optional
        Where the draws come from; by default they are cryptographic.

    Raises
    ------
    MechanismCheckError
        If the mechanism does not do what it states.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import GaussianNoise
    >>> from scumble.testing import check_mechanism
    >>> check_mechanism(GaussianNoise(privacy=1.0), Numeric(20, 80))

    Notes
    -----
    For a few truths reports are drawn and counted, and Pearson's statistic is
    compared with its distribution. Under noise that is `smallest_error` too large
    or too small the statistic is non-central, with a non-centrality proportional to
    the number of reports: that number is chosen so that both errors have
    probability `alpha`.
    """
    entropy = entropy or Cryptographic()
    alpha, smallest_error = share("alpha", alpha), share("smallest_error", smallest_error)
    mechanism.check(domain)
    _check_json(mechanism)
    truths = _truth_points(domain)
    report = mechanism.report_cells(domain, domain.cells())
    rows = mechanism.matrix(domain, truths, report)
    _check_rows(mechanism.channel(domain).matrix)
    _check_rows(rows)
    _check_epsilon(mechanism.epsilon_on(domain), rows)
    _check_vectorised(mechanism, domain, truths)
    if rows[-1].max() < 0.9:
        _check_draws(mechanism, domain, truths)
    wrong = [
        mechanism.with_noise(factor).matrix(domain, truths, report)
        for factor in (1 - smallest_error, 1 + smallest_error)
    ]
    level = alpha / len(truths)
    for place in range(len(truths)):
        size = sample_size(rows[place], [other[place] for other in wrong], alpha=level)
        stream = entropy.stream(f"check {place}")
        reports = mechanism.disguise(_repeated(truths, place, size), domain, stream)
        _check_reports(mechanism, domain, reports)
        codes = report.codes(reports)
        if len(codes) != size or codes.min() < 0:
            _fail(mechanism, "some reports are missing, or lie in no report cell")
        counts = np.bincount(codes, minlength=len(report))
        if not agrees(counts, rows[place], alpha=level):
            _fail(mechanism, f"{size} reports of one truth do not follow the matrix")


def _truth_points(domain: Domain) -> CellSet:
    """Return a few truths: the ends and two in between."""
    if isinstance(domain, Categorical):
        return domain
    cells = domain.cells()
    if cells.is_point.all():
        return Cells.points(cells.lower[[0, len(cells) // 3, -1]])
    return Cells.points(domain.low + domain.width * np.array([0.0, 0.31, 0.77, 1.0]))


def _repeated(truths: CellSet, place: int, size: int) -> NDArray[Any]:
    if isinstance(truths, Cells):
        return np.full(size, truths.lower[place])
    return np.full(size, place, dtype=np.int32)


def _check_json(mechanism: Mechanism) -> None:
    if mechanism_from_dict(mechanism.to_dict()) != mechanism:
        _fail(mechanism, "the parameters do not survive to_dict and back")


def _check_rows(matrix: FloatArray) -> None:
    if not (matrix.min() >= 0 and np.allclose(matrix.sum(axis=1), 1, atol=1e-9)):
        raise MechanismCheckError("matrix: expected rows of probabilities that sum to one")


def _check_epsilon(stated: float, rows: FloatArray) -> None:
    """Compare with the worst log-ratio of two truths over the report cells."""
    worst = _worst_ratio(rows)
    if math.isinf(stated):
        # A ratio is unbounded if it is infinite, or still rises at the outer cells.
        outer = max(1, rows.shape[1] // 10)
        if math.isfinite(worst) and not worst > 1.001 * _worst_ratio(rows[:, outer:-outer]):
            raise MechanismCheckError(
                f"epsilon: infinity is stated, but the log-ratio does not exceed {worst:.6f}"
            )
    # Far from zero a domain has few floats between its cells, hence the tolerance.
    elif not math.isclose(worst, stated, rel_tol=1e-4, abs_tol=1e-9):
        raise MechanismCheckError(
            f"epsilon: {stated:.6f} is stated, but the worst log-ratio of the matrix is {worst:.6f}"
        )


def _worst_ratio(rows: FloatArray) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(rows)
        ratios = logs.max(axis=0, initial=-math.inf) - logs.min(axis=0, initial=math.inf)
    return float(np.nanmax(ratios, initial=0))


def _check_vectorised(mechanism: Mechanism, domain: Domain, truths: CellSet) -> None:
    for size in (0, 1, 1000):
        truth = _repeated(truths, 0, size)
        if size:
            truth[-1] = math.nan if truth.dtype.kind == "f" else -1
        before, stream = truth.copy(), _Counting()
        reports = mechanism.disguise(truth, domain, stream)
        if not np.array_equal(truth, before, equal_nan=truth.dtype.kind == "f"):
            _fail(mechanism, "disguise changed the truth that it was given")
        if reports.shape != truth.shape or reports.dtype.kind != truth.dtype.kind:
            _fail(mechanism, "disguise: expected one report of the same type for each truth")
        if size and not (np.isnan(reports[-1]) if truth.dtype.kind == "f" else reports[-1] < 0):
            _fail(mechanism, "disguise: a missing truth must stay missing")
        if stream.calls > 10:
            _fail(mechanism, "disguise: expected a few draws of whole arrays, not one per record")


def _check_draws(mechanism: Mechanism, domain: Domain, truths: CellSet) -> None:
    """Check that reports depend on the stream and on nothing else that is random."""
    truth = _repeated(truths, len(truths) - 1, 1000)
    one, again, other = (
        mechanism.disguise(truth, domain, Seeded(seed).stream("check")) for seed in (1, 1, 2)
    )
    if not np.array_equal(one, again, equal_nan=truth.dtype.kind == "f"):
        _fail(mechanism, "disguise: expected all randomness from the stream")
    if np.array_equal(one, other):
        _fail(mechanism, "disguise: expected noise from the stream, got none")


class _Counting(Stream):
    def __init__(self) -> None:
        self.calls = 0
        self._stream = Cryptographic().stream("count")

    def words(self, count: int) -> NDArray[np.uint64]:
        self.calls += 1
        return self._stream.words(count)


def _check_reports(mechanism: Mechanism, domain: Domain, reports: NDArray[Any]) -> None:
    reported = mechanism.report_domain(domain)
    if isinstance(reported, Categorical):
        outside = np.count_nonzero(reports >= len(reported))
    else:
        outside = np.count_nonzero((reports < reported.low) | (reports > reported.high))
    if outside:
        _fail(mechanism, f"{outside} of {len(reports)} reports lie outside the report domain")


def _fail(mechanism: Mechanism, what: str) -> None:
    raise MechanismCheckError(f"{mechanism.name}: {what}")
