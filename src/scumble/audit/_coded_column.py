"""A column of reports beside its channel: what may be behind each report."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._measured_cells import measured_channel
from scumble.declared import conformed
from scumble.engines import count_codes
from scumble.errors import DomainError
from scumble.reconstruction import reconstruct_counts
from scumble.schema import Channel, Domain, Mechanism, own_mechanism
from scumble.tables import Table

FloatArray = NDArray[np.float64]
_MOST_CELLS = 400


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """The reports of an attribute as codes, and the reconstructed shares of its truths.

    Attributes
    ----------
    name : str
        The attribute.
    domain : Numeric, Date or Categorical
        Its domain.
    mechanism : Mechanism
        What disguised it.
    channel : Channel
        From truth cells to report cells, fine enough for the noise.
    shares : array
        The reconstructed shares of the truth cells.
    codes : array of int
        The report cell of each record; -1 where it is missing.
    """

    name: str
    domain: Domain
    mechanism: Mechanism
    channel: Channel
    shares: FloatArray
    codes: NDArray[np.int32]


def coded_column(table: Table, name: str, domain: Domain) -> CodedColumn:
    """Code the reports of an attribute, and reconstruct the distribution of its truths."""
    mechanism = own_mechanism(domain)
    mechanism.check(domain)
    values = conformed(table, name, mechanism.report_domain(domain))
    channel = mechanism.channel(domain)
    codes = _codes(values, channel, name)
    found = reconstruct_counts(count_codes(codes, size=len(channel.report)), channel)
    finer, shares = measured_channel(domain, mechanism, found.shares, most=_MOST_CELLS)
    return CodedColumn(name, domain, mechanism, finer, shares, _codes(values, finer, name))


def _codes(values: NDArray[Any], channel: Channel, name: str) -> NDArray[np.int32]:
    codes = channel.report.codes(values)
    missing = np.isnan(values) if values.dtype.kind == "f" else values < 0
    stray = int(np.count_nonzero((codes < 0) & ~missing))
    if stray:
        raise DomainError(
            f"column {name!r}: {stray} of {len(values)} reports are of no kind that this mechanism "
            "makes; they come from another mechanism or another specification"
        )
    return codes
