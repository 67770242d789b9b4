"""Who counts: reports by cell, and records by node, class and attribute."""

from scumble.engines._counts import Counts, count_codes, count_reports
from scumble.engines._files import TABLE_ENDINGS, read_table, table_kind, write_table
from scumble.engines._rows import Rows, Source, TellingSource
from scumble.engines._shared_rows import SharedRows
from scumble.engines._splits import ALL, Splits

__all__ = [
    "ALL",
    "Counts",
    "Rows",
    "TABLE_ENDINGS",
    "SharedRows",
    "Source",
    "Splits",
    "TellingSource",
    "count_codes",
    "count_reports",
    "read_table",
    "table_kind",
    "write_table",
]
