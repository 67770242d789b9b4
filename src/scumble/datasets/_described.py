"""What a published data set must look like, wherever it comes from."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from scumble.errors import DatasetError

if TYPE_CHECKING:
    import pyarrow as pa

Kind: TypeAlias = Literal["integer", "real", "text"]


@dataclass(frozen=True)
class OpenMLSource:
    """Where OpenML keeps a data set, and how its copy differs from ours.

    Parameters
    ----------
    name, data_id
        The name of the data set on OpenML and its number, which fixes the version.
    names : mapping of str to str, optional
        Their column names that are not ours after lower-casing, hyphens as
        underscores.
    values : mapping of str to str, optional
        Their names of the classes, where they are not ours.
    last_rows_first : int, default 0
        How many rows at the beginning of their copy stand at the end of ours.
    """

    name: str
    data_id: int
    names: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    last_rows_first: int = 0


@dataclass(frozen=True)
class Description:
    """A data set: its file, columns and counts.

    Parameters
    ----------
    name, file, sha256
        The name, the file in a directory of data, and the checksum of that file.
    columns : mapping of str to kind
        Every column of the file, in order.
    target : str
        The column that becomes y.
    rows, missing : int
        Number of rows, and of empty cells.
    content : str
        The checksum of the cells, whatever the order of the rows; see
        `content_digest`.
    openml : OpenMLSource
        Where to fetch it.
    parts : tuple of mappings, optional
        Class counts of the consecutive parts of the table; empty for a numeric target.
    identifiers : tuple of str, optional
        Columns that name a record instead of describing it.
    """

    name: str
    file: str
    sha256: str
    columns: Mapping[str, Kind]
    target: str
    rows: int
    missing: int
    content: str
    openml: OpenMLSource
    parts: tuple[Mapping[str, int], ...] = ()
    identifiers: tuple[str, ...] = ()


def check_counts(table: "pa.Table", description: Description) -> None:
    """Raise unless rows, empty cells and class counts are the documented ones."""
    missing = sum(column.null_count for column in table.columns)
    _expect(description, "rows", expected=description.rows, got=table.num_rows)
    _expect(description, "missing cells", expected=description.missing, got=missing)
    start = 0
    for part in description.parts:
        rows = sum(part.values())
        counted = table[description.target].slice(start, rows).value_counts().to_pylist()
        got = {pair["values"]: pair["counts"] for pair in counted}
        _expect(description, f"classes from row {start}", expected=dict(part), got=got)
        start += rows


def check_content(table: "pa.Table", description: Description) -> None:
    """Raise unless the cells are the very ones of the described file."""
    got = content_digest(table)
    _expect(description, "the content checksum", expected=description.content, got=got)


def content_digest(table: "pa.Table") -> str:
    """Return the SHA-256 checksum of the rows of a table as text, sorted.

    Examples
    --------
    >>> import pyarrow as pa
    >>> one, other = pa.table({"a": [1, 2]}), pa.table({"a": [2, 1]})
    >>> content_digest(one) == content_digest(other)
    True
    """
    columns = [column.to_pylist() for column in table.columns]
    rows = sorted(repr(row) for row in zip(*columns, strict=True))
    return hashlib.sha256("\n".join([*table.column_names, *rows]).encode()).hexdigest()


def _expect(description: Description, what: str, *, expected: object, got: object) -> None:
    if expected != got:
        raise DatasetError(
            f"{description.name}: expected {what} {expected}, got {got}; "
            f"use the file {description.file} instead (set SCUMBLE_DATA or pass directory)"
        )
