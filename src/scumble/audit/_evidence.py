"""What the auditor has: truths, and the reports made of them, record by record."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from scumble.audit._reports_fit import check_reports_fit
from scumble.declared import conformed, declared_table
from scumble.errors import SpecificationError, TableError
from scumble.reconstruction import reconstruct
from scumble.schema import Channel, Domain, Specification, own_mechanism
from scumble.schema._named import suggestion
from scumble.tables import Table

FloatArray = NDArray[np.float64]
#: What an adversary knows of the population: what the reports themselves tell, as any miner
#: does, or how the truths are spread.
Knows = Literal["reports", "population"]
_WORDS: dict[str, str] = {
    "reports": "knows the mechanism and what all reports together tell of the population",
    "population": "knows the mechanism and how the truths are spread in the population",
}


@dataclass(frozen=True, eq=False)
class Evidence:
    """Truths and reports of the same records, and which of them are attacked.

    Attributes
    ----------
    spec : Specification
        What disguised them.
    truths, reports : Table
        The two tables, in the same order.
    rows : array of int
        The records that are attacked; all serve to learn what the population is like.
    """

    spec: Specification
    truths: Table
    reports: Table
    rows: NDArray[np.int64]

    @cached_property
    def disguised(self) -> list[str]:
        """The attributes that a mechanism disguised."""
        return [
            name
            for name in self.reports.names
            if name in self.truths.names and is_disguised(self.spec, name)
        ]

    def chosen(self, names: Sequence[str] | None) -> list[str]:
        """Return the attributes to attack: those that are named, else all disguised ones."""
        for name in names or ():
            if name not in self.disguised:
                raise SpecificationError(
                    f"names: expected attributes that a mechanism disguises, got {name!r}"
                    f"{suggestion(name, self.disguised)}"
                )
        if not self.disguised:
            raise SpecificationError(
                "attributes: expected at least one that a mechanism disguises, got none; there is "
                "nothing to attack"
            )
        return list(names) if names is not None else self.disguised

    def domain(self, name: str) -> Domain:
        """Return the domain of an attribute."""
        return self.spec.domain(name)

    def channel(self, name: str) -> Channel:
        """Return what leads from the truth cells of an attribute to its reports."""
        return own_mechanism(self.domain(name)).channel(self.domain(name))

    def true(self, name: str) -> NDArray[Any]:
        """Return all truths of an attribute: numbers, or codes."""
        return np.asarray(conformed(self.truths, name, self.domain(name)))

    def told(self, name: str) -> NDArray[Any]:
        """Return all reports of an attribute: numbers, or codes."""
        domain = self.domain(name)
        return np.asarray(
            conformed(self.reports, name, own_mechanism(domain).report_domain(domain))
        )

    def prior(self, name: str, channel: Channel, *, knows: Knows) -> FloatArray:
        """Return the shares of the truth cells, as far as the adversary knows them."""
        if knows == "reports":
            return reconstruct(self.reports.column(name), self.domain(name)).shares
        codes = channel.truth.codes(self.true(name))
        counts = np.bincount(codes[codes >= 0], minlength=len(channel.truth))
        return np.asarray(counts / max(1, counts.sum()))


def evidence_of(
    truths: Any, reports: Any, spec: Specification, *, records: int, seed: int | None
) -> Evidence:
    """Return the evidence, with a random sample of records to attack.

    Raises
    ------
    TableError
        If the tables do not belong together, or not row by row.
    """
    if isinstance(records, bool) or not isinstance(records, int) or records < 1:
        raise SpecificationError(f"records: expected a whole number above 0, got {records!r}")
    true = declared_table(truths, spec, withheld=False)
    told = declared_table(reports, spec, withheld=False)
    if len(true) != len(told):
        raise TableError(
            f"reports: expected one for each of the {len(true)} truths, in the same order, got "
            f"{len(told)}"
        )
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(true))[:records]
    evidence = Evidence(spec, true, told, np.sort(rows))
    check_reports_fit(evidence)
    return evidence


def is_disguised(spec: Specification, name: str) -> bool:
    """Say whether a mechanism disguises an attribute."""
    attribute = spec.attributes.get(name)
    return (
        attribute is not None
        and attribute.sensitivity == "private"
        and attribute.mechanism is not None
    )


def who_knows(knows: Knows) -> str:
    """Return what an adversary knows, in words.

    Examples
    --------
    >>> who_knows("population")
    'knows the mechanism and how the truths are spread in the population'
    """
    if knows not in get_args(Knows):
        raise SpecificationError(f"knows: unknown {knows!r}{suggestion(knows, get_args(Knows))}")
    return _WORDS[knows]
