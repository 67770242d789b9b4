"""The audit: what an adversary learns from a specification, from reports, by attacks."""

import json
import os
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scumble.atomic import write_whole
from scumble.audit._attack import AttackResult
from scumble.audit._attribute_audit import AttributeAudit, audit_attribute
from scumble.audit._conditions import failed_conditions
from scumble.audit._light import Colour, worst_light
from scumble.audit._mounted import Mounted, mounted_attacks
from scumble.audit._named_columns import named_columns
from scumble.audit._plain import plain
from scumble.audit._posterior import Posteriors, posteriors
from scumble.audit._record_epsilon import RecordEpsilon, record_epsilon
from scumble.audit._utility import Utility, utility
from scumble.declared import declared_table
from scumble.entropy import entropy_from
from scumble.errors import SpecificationError, TableError
from scumble.progress import bar
from scumble.reconstruction import Reconstruction, reconstruct
from scumble.schema import Specification
from scumble.schema._named import suggestion
from scumble.tables import Table
from scumble.treatments import ColumnTreatment, Together, Treated
from scumble.treatments._records import Records
from scumble.treatments._together import telling_names, together_in
from scumble.wording import one_line, percent, short_name

_WIDTH = 80


@dataclass(frozen=True, eq=False, kw_only=True)
class Audit:
    """What an adversary learns, attribute by attribute and of whole records.

    Attributes
    ----------
    spec : Specification
        What was audited.
    attributes : tuple of AttributeAudit
        In the order of the specification.
    epsilon : RecordEpsilon
        What all that is told of a record tells together.
    posteriors : Posteriors, optional
        Where reports were given.
    attacks : tuple of AttackResult
        Attacks on whole records, or on all attributes together.
    utility : Utility, optional
        What the recovered distributions, or the released table, keep of the truth.
    records : int
        The number of records that were looked at.
    together : Together, optional
        How many records look alike in all that is told in clear or coarsened, where a table was
        given.
    """

    spec: Specification
    attributes: tuple[AttributeAudit, ...]
    epsilon: RecordEpsilon
    posteriors: Posteriors | None = None
    attacks: tuple[AttackResult, ...] = ()
    utility: Utility | None = None
    records: int = 0
    together: Together | None = None

    def __iter__(self) -> Iterator[AttributeAudit]:
        return iter(self.attributes)

    def __getitem__(self, name: str) -> AttributeAudit:
        for own in self:
            if own.name == name:
                return own
        names = [own.name for own in self]
        raise SpecificationError(f"attribute: unknown {name!r}{suggestion(name, names)}")

    @property
    def light(self) -> Colour:
        """The worst light of all attributes."""
        return worst_light([own.light for own in self])

    @property
    def unmeasured(self) -> tuple[str, ...]:
        """The private attributes of which it is not known how exposed they are in these data."""
        private = (own for own in self if own.attribute.sensitivity == "private")
        return tuple(own.name for own in private if own.exposed is None)

    @property
    def not_protected(self) -> tuple[str, ...]:
        """What nothing protects, each in a sentence."""
        found = []
        clear = [own.name for own in self if own.protection == "in clear"]
        if clear:
            found.append(f"Told in clear: {', '.join(clear)}.")
        if self.together is not None:
            found.append(self.together.sentence)
        unknown = [n for n in self.unmeasured if self[n].attribute.treatment is not None]
        if unknown:
            found.append(f"Treated, but not measured without the truth: {', '.join(unknown)}.")
        found.append(self.epsilon.explanation)
        if self.posteriors is not None:
            found.append(self.posteriors.explanation)
        for group, members in self.spec.groups.items():
            if len(members) > 1:
                found.append(
                    f"{', '.join(members)} share the coin {group!r}: their reports agree exactly "
                    "where the truths do."
                )
        return tuple(found)

    def failed(self, conditions: Sequence[str]) -> list[str]:
        """Return the conditions that hold, each with what was found.

        A condition is a measure, a comparison and a limit, such as "exposed > 0.01",
        "epsilon > 4", "guess > 0.5", "attack > 0.2" or "light = red"; the worst attribute
        counts. An attack counts by what the reports add to its rate. "alone > 0" is about the
        records that look like no other in all that is told in clear or coarsened.

        Raises
        ------
        SpecificationError
            If a condition is none, or is about what was not measured: without reports and
            truths nothing is known of exposed values, guesses and attacks.

        Examples
        --------
        >>> from scumble import Numeric, Specification
        >>> from scumble.audit import audit
        >>> from scumble.mechanisms import GaussianNoise
        >>> found = audit(Specification({"age": Numeric(0, 90, mechanism=GaussianNoise(sd=9))}))
        >>> found.failed(["epsilon > 4", "light = red"])
        ['epsilon > 4: got inf (age)']
        """
        return failed_conditions(self, conditions)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "specification": self.spec.digest,
            "records": self.records,
            "light": self.light,
            "attributes": [own.to_dict() for own in self],
            "epsilon": plain(self.epsilon.to_dict()),
            "record": None if self.posteriors is None else plain(self.posteriors.record.to_dict()),
            "attacks": [plain(attack.to_dict()) for attack in self.attacks],
            "utility": None if self.utility is None else plain(self.utility.to_dict()),
            "together": None if self.together is None else self.together.to_dict(),
            "not_protected": list(self.not_protected),
        }

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the audit as JSON, and write it to a file if one is named."""
        text = json.dumps(self.to_dict(), indent=2) + "\n"
        if path is not None:
            write_whole(path, text)
        return text

    def to_text(self) -> str:
        """Return a table of at most 80 columns: each attribute, and whole records."""
        lines = [f"{'attribute':<20}{'protected by':<22}{'light':<7}why"]
        for own in self:
            why = own.light.reasons[0] if own.light.reasons else ""
            start = f"{short_name(own.name, 19):<20}{one_line(own.protection, 21):<22}"
            start = f"{start}{own.light.colour:<7}"
            told = textwrap.wrap(why, _WIDTH - len(start), break_on_hyphens=False) or [""]
            lines.append((start + told[0]).rstrip())
            lines += [" " * len(start) + part for part in told[1:]]
        for attack in self.attacks:
            rate = f"{percent(attack.success)}, base {percent(attack.base)}"
            lines.append(f"attack: {one_line(attack.attack, 46)}: {rate}")
        if self.together is not None:
            lines += textwrap.wrap(self.together.sentence, _WIDTH, break_on_hyphens=False)
        return "\n".join(lines)


def audit(
    spec: Specification,
    *,
    reports: Any = None,
    truth: Any = None,
    released: Any = None,
    seed: int | None = None,
    progress: bool = False,
) -> Audit:
    """Audit what a specification lets an adversary learn.

    Parameters
    ----------
    spec : Specification
        What is declared and done. Alone it tells what the channels give away, whatever the
        data.
    reports : DataFrame or array, optional
        Reports: then also what they tell of each record, given the crowd.
    truth : DataFrame or array, optional
        The auditor's sample of truths. With reports of the same records in the same order,
        attacks are mounted; of attributes that a custodian treats, the exposure is measured.
    released : DataFrame or array, optional
        With truth: the table that a custodian released, to see what it is still good for.
    seed : int, optional
        Makes the attacks, which sample records, repeatable.
    progress : bool
        Whether to show how far the audit has come.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble import Numeric, Specification, disguise
    >>> from scumble.audit import audit
    >>> from scumble.mechanisms import GaussianNoise, UniformNoise
    >>> spec = Specification({
    ...     "age": Numeric(20, 80, mechanism=GaussianNoise(privacy=1.0)),
    ...     "pulse": Numeric(40, 140, mechanism=UniformNoise(half_width=1)),
    ... })
    >>> truth = np.random.default_rng(0).uniform([20, 40], [80, 140], (5000, 2))
    >>> found = audit(spec, reports=disguise(truth, spec, seed=1), truth=truth, seed=2)
    >>> {own.name: own.light.colour for own in found}
    {'age': 'green', 'pulse': 'red'}
    """
    table = None if reports is None else declared_table(reports, spec, withheld=False)
    if truth is not None and table is not None and len(declared_table(truth, spec)) != len(table):
        raise TableError(
            f"truth: expected the records of the {len(table)} reports in the same order, got "
            f"{len(declared_table(truth, spec))}"
        )
    disguised = [name for name in spec if spec[name].mechanism is not None]
    with bar("audit", shown=progress, total=4, unit=" steps") as steps:
        told = posteriors(reports, spec) if table is not None and disguised else None
        steps.update()
        recovered = {} if table is None else _recovered(table, spec, disguised)
        steps.update()
        mounted = Mounted({}, ())
        if truth is not None and table is not None and disguised:
            mounted = _mounted(truth, table, spec, seed)
        steps.update()
        treated = {} if truth is None else _treated(truth, spec, seed)
        attributes = tuple(
            audit_attribute(
                name,
                spec[name],
                posterior=told[name] if told is not None and name in recovered else None,
                exposure=treated[name].exposure if name in treated else None,
                recovered=recovered.get(name),
                attacks=mounted.by_attribute.get(name, ()),
            )
            for name in spec
        )
        kept = _utility(truth, released, recovered, treated, spec, seed)
        steps.update()
    return Audit(
        spec=spec,
        attributes=attributes,
        epsilon=record_epsilon(spec),
        posteriors=told,
        attacks=mounted.together,
        utility=kept,
        together=_together(spec, released, table, truth, treated),
        records=_count(table, truth, spec),
    )


def _count(reports: Table | None, truth: Any, spec: Specification) -> int:
    """Return how many records are looked at."""
    if reports is not None:
        return len(reports)
    return 0 if truth is None else len(declared_table(truth, spec))


def _mounted(truth: Any, told: Table, spec: Specification, seed: int | None) -> Mounted:
    """Mount attacks on what is not treated: a treated column is no report through a channel."""
    kept = [name for name in spec if spec[name].treatment is None]
    part = Specification({name: spec[name] for name in kept}, class_attribute=spec.class_attribute)
    true = declared_table(truth, spec)
    sample, reports = (
        table.chosen([name for name in kept if name in table.names]).native
        for table in (true, told)
    )
    return mounted_attacks(sample, reports, part, seed=seed)


def _recovered(table: Any, spec: Specification, names: Sequence[str]) -> dict[str, Reconstruction]:
    return {
        name: reconstruct(table.column(name), spec.domain(name))
        for name in names
        if name in table.names
    }


def _treated(truth: Any, spec: Specification, seed: int | None) -> dict[str, Treated]:
    """Return what the treatments of a custodian make of a truth, by draws of this audit."""
    table, entropy = declared_table(truth, spec), entropy_from(seed)
    records = Records(table, attributes=spec.attributes, class_name=spec.class_attribute)
    found = {}
    for name in table.names:
        treatment = spec[name].treatment
        if isinstance(treatment, ColumnTreatment):
            learned = treatment.learned(name, records)
            found[name] = learned.treated(name, records, entropy.stream(f"audit {name!r}"))
    return found


def _together(
    spec: Specification,
    released: Any,
    reports: Table | None,
    truth: Any,
    treated: dict[str, Treated],
) -> Together | None:
    """Return what is told together in the table that was told, or that would be of a truth."""
    if released is not None:
        return together_in(declared_table(released, spec, withheld=False), spec)
    if reports is not None:
        return together_in(reports, spec)
    if truth is None:
        return None
    table = declared_table(truth, spec)
    names = [name for name in telling_names(spec) if name in table.names]
    columns = {n: treated[n].column if n in treated else table.column(n) for n in names}
    return together_in(Table(table.empty().made_of(columns), names=names), spec) if names else None


def _utility(
    truth: Any,
    released: Any,
    recovered: dict[str, Reconstruction],
    treated: dict[str, Treated],
    spec: Specification,
    seed: int | None,
) -> Utility | None:
    """Return what a released table or recovered distributions keep of the truth."""
    if truth is None:
        return None
    if released is None:
        columns = list(recovered)
        return utility(named_columns(truth, spec, columns), recovered) if columns else None
    # Whoever applies a tree of intervals puts numbers into the same intervals first.
    coarse = {n: treated[n].column for n in telling_names(spec) if n in treated}
    told = declared_table(truth, spec).replaced(coarse)
    return utility(truth, released, class_attribute=spec.class_attribute, told=told, seed=seed)
