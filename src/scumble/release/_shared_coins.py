"""Attributes that share a coin: what all their reports together tell of each value."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scumble.audit._coded_column import CodedColumn, coded_column
from scumble.audit._shared_guess import value_guesses
from scumble.release._column import ReleasedColumn
from scumble.schema import Specification
from scumble.tables import Table


def with_shared_coins(
    columns: Sequence[ReleasedColumn], table: Table, spec: Specification
) -> list[ReleasedColumn]:
    """Return columns with the exposure that a coin which several of them share leaves.

    Parameters
    ----------
    columns : sequence of ReleasedColumn
        What is to be released, each judged by itself.
    table : Table
        The released table.
    spec : Specification
        What was declared.

    Notes
    -----
    One coin decides for all attributes of a group whether truths are told. Who knows how
    often each value occurs sees from all reports of a record which way it probably fell: one
    report alone gives a guess that is too low.
    """
    by_name = {column.name: column for column in columns}
    for members in spec.groups.values():
        if len(members) > 1:
            by_name |= _together([by_name[name] for name in members], table, spec)
    return [by_name[column.name] for column in columns]


def _together(
    group: Sequence[ReleasedColumn], table: Table, spec: Specification
) -> Mapping[str, ReleasedColumn]:
    coded = [_coded(column, table, spec) for column in group]
    found = {}
    for column, code, guesses in zip(group, coded, value_guesses(coded), strict=True):
        exposure, known = column.exposure, guesses[code.codes >= 0]
        if exposure is not None and len(known):
            identified = max(exposure.identified, float(known.mean()))
            column = replace(column, exposure=replace(exposure, identified=identified))
        found[column.name] = column
    return found


def _coded(column: ReleasedColumn, table: Table, spec: Specification) -> CodedColumn:
    coded = coded_column(table, column.name, spec.domain(column.name))
    return coded if column.shares is None else replace(coded, shares=column.shares)
