"""Measures from channel and reports: what is known of each record, given the crowd."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scumble.audit._coded_column import CodedColumn, coded_column
from scumble.audit._column_posterior import column_posterior
from scumble.audit._plain import plain
from scumble.audit._posterior_row import AttributePosterior, Spread
from scumble.audit._record_posterior import RecordPosterior, record_posterior
from scumble.audit._shared_guess import value_guesses
from scumble.declared import declared_table
from scumble.errors import SpecificationError
from scumble.schema import Criteria, Specification, is_mined
from scumble.schema._parameters import share


@dataclass(frozen=True, eq=False)
class Posteriors:
    """What reports tell about each record, attribute by attribute and as a whole.

    Attributes
    ----------
    rows : tuple of AttributePosterior
        One for each disguised attribute.
    record : RecordPosterior
        The same for whole records.
    """

    rows: tuple[AttributePosterior, ...]
    record: RecordPosterior

    def __getitem__(self, name: str) -> AttributePosterior:
        for row in self.rows:
            if row.name == name:
                return row
        raise SpecificationError(f"attributes: no disguised attribute {name!r} in these reports")

    def exposed_share(self, width: float) -> dict[str, float]:
        """Return the share of the records pinned down to less than a share of the range.

        One for each number and date; `self[name].exposed_share` takes a width in units.
        """
        return {
            row.name: row.exposed_share(width * row.range_width)
            for row in self.rows
            if row.range_width is not None
        }

    @property
    def explanation(self) -> str:
        """The whole in a sentence."""
        return self.record.explanation

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "attributes": [plain(row.to_dict()) for row in self.rows],
            "record": plain(self.record.to_dict()),
        }


def posteriors(
    reports: Any,
    spec: Specification,
    *,
    names: Sequence[str] | None = None,
    within: float = 0.05,
) -> Posteriors:
    """Measure what reports tell about each record, given the distribution of all.

    The distribution of the truths is reconstructed, as any miner can; from it follows what
    is probable behind each report.

    Parameters
    ----------
    reports : DataFrame or array
        The reports.
    spec : Specification
        What disguised them.
    names : sequence of str, optional
        The attributes; by default all that are disguised by a mechanism.
    within : float
        A guess of a number is an interval of so much of the range.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble import Numeric, Specification, disguise
    >>> from scumble.audit import posteriors
    >>> from scumble.mechanisms import UniformNoise
    >>> spec = Specification({"age": Numeric(20, 80, mechanism=UniformNoise(half_width=15))})
    >>> reports = disguise(np.random.default_rng(1).uniform(20, 80, (20_000, 1)), spec, seed=1)
    >>> age = posteriors(reports, spec)["age"]
    >>> bool(26 < age.widths.quantiles()[0.5] < 30), bool(0.02 < age.exposed_share(6.0) < 0.06)
    (True, True)

    Notes
    -----
    Each attribute is judged by its own report; where it shares a coin, by all reports of its
    group. Whole records are judged as if attributes were
    independent, with the coins that groups share; an adversary who knows how attributes depend
    on each other learns more, which the attacks of the audit show.
    """
    table = declared_table(reports, spec, withheld=False)
    chosen = [name for name in spec if _is_disguised(spec, name) and name in table.names]
    unknown = [name for name in names or () if name not in chosen]
    if unknown or not chosen:
        raise SpecificationError(
            f"names: expected attributes that a mechanism disguises, got {len(unknown)} others and "
            f"{len(chosen)} of them in the table; measure what is public or treated by attacks"
        )
    if not len(table):
        raise SpecificationError("reports: expected at least one record, got none")
    chosen = chosen if names is None else list(names)
    minimum = (spec.release or Criteria()).minimum_group
    columns = [coded_column(table, name, spec.domain(name)) for name in chosen]
    width = share("within", within)
    found = [column_posterior(own, within=width, minimum=minimum) for own in columns]
    rows = _with_coins(tuple(one.row for one in found), columns, spec)
    return Posteriors(rows, record_posterior(spec, columns, found))


def _with_coins(
    rows: tuple[AttributePosterior, ...], columns: Sequence[CodedColumn], spec: Specification
) -> tuple[AttributePosterior, ...]:
    """Return the rows, those of a group judged by all reports that its coin has made."""
    by_name = {row.name: row for row in rows}
    for members in spec.groups.values():
        group = [column for column in columns if column.name in members]
        if len(group) < 2:
            continue
        for column, chances in zip(group, value_guesses(group), strict=True):
            known = chances[column.codes >= 0]
            # Records that are told alike are guessed alike: few numbers differ.
            values, counts = np.unique(np.round(known, 9), return_counts=True)
            guesses = Spread(values=values, counts=counts)
            by_name[column.name] = replace(by_name[column.name], guesses=guesses)
    return tuple(by_name[row.name] for row in rows)


def _is_disguised(spec: Specification, name: str) -> bool:
    return is_mined(spec[name]) and spec[name].mechanism is not None
