"""What is wrong with a file that cannot be read, said without a word of its content."""

import re
from typing import Any

_CSV = "expected a CSV file in UTF-8 with a header"
WRONG_PARQUET = (
    "expected a Parquet file, but it is none, or its end is missing; copy or write it again"
)
_DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "bars"}
_KINDS = {"double": "numbers", "int64": "whole numbers", "bool": "true or false"}


def wrong_csv(message: str) -> str:
    """Return what is wrong with a CSV file, by what the library says of it.

    Examples
    --------
    >>> wrong_csv("CSV parse error: Row #3: Expected 2 columns, got 3: Ada,1,2")
    'expected a CSV file in UTF-8 with a header; row 3 has 3 cells and the header 2: check the \
delimiter, and quote cells that hold it'
    >>> wrong_csv("no such thing")
    'expected a CSV file in UTF-8 with a header; check the delimiter, the encoding and the end'
    """
    row = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", message)
    cells = re.search(r"Expected (\d+) columns, got (\d+)", message)
    column = re.search(
        r"In CSV column #(\d+): (?:Row #\d+: )?CSV conversion error to (\w+)", message
    )
    if "UTF8" in message or "utf-8" in message:
        why = "it is in another encoding: convert it, say by iconv -f latin1 -t utf-8"
    elif row is not None:
        why = f"row {row[1]} has {row[3]} cells and the header {row[2]}: {_QUOTE}"
    elif cells is not None:
        why = f"a row has {cells[2]} cells and the header {cells[1]}: {_QUOTE}"
    elif column is not None:
        what = _KINDS.get(column[2], "other values")
        why = (
            f"column {int(column[1]) + 1} should hold {what}, as the specification says, and does "
            "not: check the specification, the delimiter and decimal points"
        )
    elif "Empty CSV" in message:
        why = "it is empty"
    else:
        why = "check the delimiter, the encoding and the end"
    return f"{_CSV}; {why}"


_QUOTE = "check the delimiter, and quote cells that hold it"


def wrong_columns(schema: Any) -> str | None:
    """Return what is wrong with the columns of a CSV file that was read, if anything is."""
    import pyarrow as pa

    # Bytes that are no UTF-8 are no text.
    if any(pa.types.is_binary(kind) for kind in schema.types):
        return wrong_csv("UTF8")
    return wrong_delimiter(schema.names)


def wrong_delimiter(names: list[str]) -> str | None:
    """Return what is wrong with a header of one column that looks like several.

    Examples
    --------
    >>> wrong_delimiter(["age;town"])
    'expected commas between the columns, got what looks like semicolons; write it with commas'
    >>> wrong_delimiter(["age"])
    """
    found = [word for sign, word in _DELIMITERS.items() if len(names) == 1 and sign in names[0]]
    if not found:
        return None
    return (
        f"expected commas between the columns, got what looks like {found[0]}; write it with commas"
    )
