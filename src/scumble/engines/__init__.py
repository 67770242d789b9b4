"""Who counts: reports by cell, and records by node, class and attribute."""

from scumble.engines._counts import Counts, count_codes, count_reports
from scumble.engines._files import read_table, table_kind, write_table
from scumble.engines._rows import Rows, Source, Splits, TellingSource

__all__ = [
    "Counts",
    "Rows",
    "Source",
    "Splits",
    "TellingSource",
    "count_codes",
    "count_reports",
    "read_table",
    "table_kind",
    "write_table",
]
