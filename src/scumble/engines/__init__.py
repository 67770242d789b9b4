"""Who counts: reports by cell, and records by node, class and attribute."""

from scumble.engines._batches import BatchWriter, table_batches
from scumble.engines._counts import Counts, count_codes, count_reports
from scumble.engines._csv_types import (
    number_names,
    report_types,
    text_types,
    truth_types,
    with_whole_numbers,
)
from scumble.engines._disguised_file import disguise_file
from scumble.engines._files import TABLE_ENDINGS, read_table, table_kind, write_table
from scumble.engines._notes import read_reports
from scumble.engines._opened import check_not_source, opened
from scumble.engines._rows import Rows, Source, TellingSource
from scumble.engines._shared_rows import SharedRows
from scumble.engines._splits import ALL, Splits

__all__ = [
    "ALL",
    "BatchWriter",
    "Counts",
    "Rows",
    "TABLE_ENDINGS",
    "SharedRows",
    "Source",
    "Splits",
    "TellingSource",
    "check_not_source",
    "count_codes",
    "count_reports",
    "disguise_file",
    "number_names",
    "opened",
    "read_reports",
    "read_table",
    "report_types",
    "table_batches",
    "table_kind",
    "text_types",
    "truth_types",
    "with_whole_numbers",
    "write_table",
]
