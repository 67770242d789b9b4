"""The way from reports to a distribution."""

import warnings
from typing import Any, Literal

import numpy as np
from threadpoolctl import threadpool_limits

from scumble.engines import Counts, count_reports
from scumble.errors import ConvergenceWarning, ReconstructionError
from scumble.reconstruction._bayes import Bayes, published_interval_count
from scumble.reconstruction._em import EM, EMS
from scumble.reconstruction._fit import Method
from scumble.reconstruction._inversion import Inversion
from scumble.reconstruction._penalised import Penalised
from scumble.reconstruction._response import ResponseLikelihood
from scumble.reconstruction._result import Reconstruction
from scumble.schema import (
    Attribute,
    Categorical,
    Cells,
    CellSet,
    Channel,
    Domain,
    Mechanism,
    Numeric,
    Product,
    Silence,
    Text,
    own_mechanism,
)
from scumble.schema._named import suggestion

MethodName = Literal["auto", "bayes", "em", "ems", "inversion", "penalised", "likelihood"]
"""The methods of `reconstruct`; "auto" is "penalised" for numbers, "likelihood" for categories."""
_METHODS: dict[str, type[Any]] = {
    method.name: method for method in (Bayes, EM, EMS, Inversion, Penalised, ResponseLikelihood)
}


def reconstruct(
    reports: Any,
    mechanism: Mechanism | Attribute,
    *,
    domain: Domain | None = None,
    cells: int | Cells | None = None,
    method: MethodName | Method = "auto",
) -> Reconstruction:
    """Recover the distribution of the truths behind reports.

    Parameters
    ----------
    reports : array, Series or list
        The reports of one attribute; missing ones are counted and left aside. For a
        `Product`, one column for each of its parts.
    mechanism : Mechanism or attribute
        What disguised them; an attribute of a specification brings its domain.
    domain : Numeric, Date or Categorical, optional
        The domain of the truths, where a mechanism is given.
    cells : int or Cells, optional
        The cells of a numeric attribute, or their number. By default 100; for
        "bayes" as many as published. An attribute with a step and at most 400
        possible values has a cell for each of them, whatever the number.
    method : str or Method
        "auto": "penalised" for numbers and "likelihood" for categories. Else one of
        "bayes" (as published), "em", "ems", "inversion", or an object such as
        `Bayes(tolerance=0.001)`.

    Returns
    -------
    Reconstruction
        The shares, and what follows from them.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble import Numeric, reconstruct
    >>> from scumble.mechanisms import GaussianNoise
    >>> truth = np.random.default_rng(1).beta(5, 2, 50_000)
    >>> reports = truth + np.random.default_rng(2).normal(0, 0.25, 50_000)
    >>> found = reconstruct(reports, GaussianNoise(sd=0.25), domain=Numeric(0, 1))
    >>> bool(abs(found.mean - truth.mean()) < 0.01), bool(found.wasserstein(truth) < 0.01)
    (True, True)
    """
    mechanism, domain = _settled(mechanism, domain)
    mechanism.check(domain)
    report_domain = mechanism.report_domain(domain)
    _check_column(reports, domain)
    chosen = _method(method, domain)
    if cells is None and isinstance(chosen, Bayes):
        cells = published_interval_count(len(reports))
    channel = mechanism.channel(domain, _truth_cells(domain, cells))
    if isinstance(channel.report, Silence):
        raise ReconstructionError("reports: expected some, but this attribute is withheld")
    counts = count_reports(reports, domain=report_domain, cells=channel.report)
    return reconstruct_counts(counts, channel, method=chosen)


def reconstruct_counts(
    counts: Counts, channel: Channel, *, method: MethodName | Method = "auto"
) -> Reconstruction:
    """Recover the distribution of the truths from counts alone.

    Parameters
    ----------
    counts : Counts
        How many reports fell into each report cell of the channel.
    channel : Channel
        What leads from truth cells to report cells.
    method : str or Method
        As for `reconstruct`.
    """
    chosen = _method(method, channel.truth)
    if len(counts.cells) != len(channel.report):
        raise ReconstructionError(
            f"counts: expected {len(channel.report)} report cells, got {len(counts.cells)}"
        )
    if counts.total == 0:
        raise ReconstructionError(
            f"reports: expected at least one, got none ({counts.missing} missing)"
        )
    if channel.mixture is None:
        _check_possible(counts, channel)
    # Threads wait for each other longer than matrices as small as these take.
    with threadpool_limits(1, "blas"):
        fit = chosen.fit(counts.cells.astype(float), channel)
    if not fit.converged:
        warnings.warn(
            f"reconstruct: {chosen.name!r} stopped after {fit.iterations} iterations before it "
            "came to rest; the shares are approximate",
            ConvergenceWarning,
            stacklevel=3,
        )
    return Reconstruction(channel, counts, chosen, fit)


def _settled(mechanism: Mechanism | Attribute, domain: Domain | None) -> tuple[Mechanism, Domain]:
    if isinstance(mechanism, Text):
        raise ReconstructionError(
            "mechanism: expected a number, a date or categories, got a text attribute, which has "
            "no list of values to find the shares of"
        )
    if isinstance(mechanism, Numeric | Categorical):
        if domain is not None:
            raise ReconstructionError(
                "domain: expected none beside an attribute, which has its own"
            )
        return own_mechanism(mechanism), mechanism
    if not isinstance(mechanism, Mechanism):
        raise ReconstructionError(
            "mechanism: expected a mechanism or an attribute of a specification, "
            f"got {type(mechanism).__name__}"
        )
    if domain is None:
        raise ReconstructionError(
            "domain: missing; give domain=Numeric(low, high) or Categorical(values), or an "
            "attribute of the specification instead of the mechanism"
        )
    return mechanism, domain


def _check_column(reports: Any, domain: Domain) -> None:
    """Raise unless there is one column of reports (for a product, one for each part)."""
    try:
        single = np.ndim(reports) == 1
    except ValueError:  # columns of several lengths
        single = False
    if not single and not isinstance(domain, Product):
        raise ReconstructionError("reports: expected one column of reports")


def _truth_cells(domain: Domain, cells: int | Cells | None) -> CellSet:
    if cells is None:
        return domain.cells()
    if isinstance(cells, Cells):
        if not np.isfinite(cells.edges).all() or not isinstance(domain, Numeric):
            raise ReconstructionError("cells: expected finite ends, for a numeric attribute")
        return cells
    if isinstance(cells, bool) or not isinstance(cells, int | np.integer) or cells < 1:
        raise ReconstructionError(f"cells: expected a whole number above 0, got {cells!r}")
    return domain.cells(int(cells))


def _method(method: MethodName | Method, truth: Any) -> Method:
    if not isinstance(method, str):
        if isinstance(method, type) or not hasattr(method, "fit"):
            raise ReconstructionError(f"method: expected a name or a method, got {method!r}")
        return method
    if method == "auto":
        method = "likelihood" if isinstance(truth, Categorical) else "penalised"
    if method not in _METHODS:
        raise ReconstructionError(
            f"method: unknown {method!r}{suggestion(method, ['auto', *_METHODS])}"
        )
    chosen: Method = _METHODS[method]()
    return chosen


def _check_possible(counts: Counts, channel: Channel) -> None:
    impossible = channel.matrix.max(axis=0) <= 0
    stray = int(counts.cells[impossible].sum())
    if stray:
        raise ReconstructionError(
            f"reports: {stray} of {counts.total} cannot come from any truth in the domain; the "
            "mechanism or the domain of the specification is not the one that made them"
        )
