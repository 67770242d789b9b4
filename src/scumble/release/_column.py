"""One column of a release: protected as the specification says, and how well."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble._disguise import disguised_column
from scumble.entropy import Entropy
from scumble.schema import Domain, Specification
from scumble.treatments import ColumnTreatment, Exposure
from scumble.treatments._exposure import exposure_through
from scumble.treatments._records import Records

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ReleasedColumn:
    """A column that is to be released.

    Attributes
    ----------
    name : str
        The attribute.
    sensitivity : str
        How sensitive it is declared to be.
    method : dict
        What protects it, with nothing left out that was learned; empty where nothing does.
    column : array or Series, optional
        The values, in the order of the records; None where the attribute is left out.
    exposure : Exposure, optional
        What an intruder can still tell, where something protects it.
    shares : array of float, optional
        Of an attribute that a mechanism disguises, the shares of its truth cells.
    """

    name: str
    sensitivity: str
    method: dict[str, Any]
    column: Any
    exposure: Exposure | None = None
    shares: FloatArray | None = None


def released_column(
    name: str, records: Records, spec: Specification, entropy: Entropy
) -> ReleasedColumn:
    """Return a column as a specification lets it out.

    Parameters
    ----------
    name : str
        The attribute.
    records : Records
        The truths.
    spec : Specification
        What is declared.
    entropy : Entropy
        Where randomness comes from.
    """
    attribute = spec[name]
    sensitivity = str(attribute.sensitivity)
    if sensitivity == "withheld":
        return ReleasedColumn(name, sensitivity, {"name": "removed"}, None)
    if attribute.treatment is not None:
        assert isinstance(attribute.treatment, ColumnTreatment)
        treatment = attribute.treatment.learned(name, records)
        treated = treatment.treated(name, records, entropy.stream(f"treat {name!r}"))
        return ReleasedColumn(
            name, sensitivity, treatment.to_dict(), treated.column, treated.exposure
        )
    if attribute.mechanism is not None:
        reports = disguised_column(records.table, name, spec, entropy)
        exposure, shares = _through_channel(name, records, spec.domain(name))
        method = attribute.mechanism.to_dict()
        return ReleasedColumn(name, sensitivity, method, reports, exposure, shares)
    return ReleasedColumn(name, sensitivity, {}, records.told(name))


def _through_channel(name: str, records: Records, attribute: Domain) -> tuple[Exposure, FloatArray]:
    """Return the exposure of reports that are drawn one by one, and the shares of the truths."""
    assert attribute.mechanism is not None
    channel = attribute.mechanism.channel(attribute)
    codes = channel.truth.codes(attribute.conform(records.column(name)))
    counts = np.bincount(codes[codes >= 0], minlength=len(channel.truth)).astype(float)
    missing = int(np.count_nonzero(codes < 0))
    return exposure_through(counts, channel.matrix, missing=missing), counts / max(1, counts.sum())
