"""Numbers under additive noise, whose variance the mechanism states."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scumble.audit._evidence import Evidence, FloatArray
from scumble.errors import SpecificationError
from scumble.mechanisms._additive import AdditiveNoise
from scumble.schema import Numeric


@dataclass(frozen=True, eq=False)
class NoisyNumbers:
    """The reports of numbers under additive noise.

    Attributes
    ----------
    names : list of str
        The attributes.
    reports : array, (records, attributes)
        Their reports, of all records; nan where missing.
    variances : array, (attributes,)
        The variance of the noise of each; 0 of those in clear.
    """

    names: list[str]
    reports: FloatArray
    variances: FloatArray

    @property
    def complete(self) -> NDArray[np.bool_]:
        """Which records have a report of every attribute."""
        return np.asarray(~np.isnan(self.reports).any(axis=1))

    def filled(self, rows: NDArray[np.int64]) -> FloatArray:
        """Return some reports, with the mean where one is missing."""
        part = self.reports[rows]
        return np.asarray(np.where(np.isnan(part), self.reports[self.complete].mean(axis=0), part))


def noisy_numbers(evidence: Evidence, *, clear: bool) -> NoisyNumbers:
    """Return the numbers under additive noise, and if asked those in clear.

    Raises
    ------
    SpecificationError
        If there are not two attributes, one of them disguised.
    """
    found = {name: noise_variance(evidence, name) for name in evidence.reports.names}
    names = [name for name, own in found.items() if own is not None and (own > 0 or clear)]
    if len(names) < 2 or not any(found[name] for name in names):
        raise SpecificationError(
            "attributes: expected at least two numbers under additive noise, got "
            f"{len(names)}; there is no correlation to make use of"
        )
    reports = np.column_stack([evidence.told(name) for name in names])
    numbers = NoisyNumbers(names, reports, np.array([found[name] for name in names], dtype=float))
    if np.count_nonzero(numbers.complete) <= len(names):
        raise SpecificationError(
            f"reports: expected more than {len(names)} records without a missing number, got "
            f"{np.count_nonzero(numbers.complete)}"
        )
    return numbers


def noise_variance(evidence: Evidence, name: str) -> float | None:
    """Return the variance of additive noise, 0 in clear, and None of anything else."""
    attribute = evidence.spec.attributes.get(name)
    if not isinstance(attribute, Numeric):
        return None
    if attribute.sensitivity == "public":
        return 0.0
    if isinstance(attribute.mechanism, AdditiveNoise):
        return float((attribute.mechanism.unit_sd * attribute.mechanism.scale_on(attribute)) ** 2)
    return None
