"""How a file of reports was made, noted in it or beside it.

Parquet carries the note itself. CSV has no place for one, so it stands in a file of its own
with .scumble.json after the name.
"""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scumble.engines._csv import PathOrFile
from scumble.engines._csv_types import report_types, with_whole_numbers
from scumble.engines._files import read_table, table_kind
from scumble.errors import TableError
from scumble.schema import Specification
from scumble.tables import Provenance, provenance, stamped


def note_path(path: str | os.PathLike[str]) -> Path:
    """Return where the note on a CSV file of reports stands.

    Examples
    --------
    >>> note_path("reports.csv").name
    'reports.csv.scumble.json'
    """
    return Path(path).with_name(Path(path).name + ".scumble.json")


def note_text(made: Provenance, *, size: int) -> str:
    """Return a note; the size of the file tells whether it is still that file."""
    return json.dumps({"reports": asdict(made), "bytes": size}, indent=2) + "\n"


def noted(path: str | os.PathLike[str]) -> Provenance | None:
    """Return what the note beside a file says, or None where there is none on this file."""
    try:
        note = json.loads(note_path(path).read_text(encoding="utf-8"))
        own = note["bytes"] == Path(path).stat().st_size
        return Provenance(**note["reports"]) if own else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def read_reports(
    source: PathOrFile, spec: Specification, *, other: bool = False, progress: bool = False
) -> Any:
    """Read a file of reports as a pyarrow Table, and check what disguised them.

    Parameters
    ----------
    source : path or binary file
        A .csv, .csv.gz or .parquet file; an open file, such as a pipe, is CSV.
    spec : Specification
        What is declared of the columns.
    other : bool
        Whether reports that another specification disguised are taken, too.
    progress : bool
        Whether to show how far they are read.

    Raises
    ------
    TableError
        If the file cannot be read, or says that another specification disguised it.
    """
    table = with_whole_numbers(
        read_table(source, types=report_types(spec), progress=progress), spec
    )
    if not isinstance(source, str | os.PathLike):
        return table
    made = noted(source) if table_kind(source) == "csv" else provenance(table)
    if made is None:
        return table
    if made.digest != spec.digest and not other:
        raise TableError(
            f"{Path(source).name}: disguised under another specification (its digest begins "
            f"{made.digest[:12]}, this one {spec.digest[:12]}); give the one that disguised it"
        )
    return stamped(table, made)
