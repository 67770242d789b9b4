"""What is wrong with a file that cannot be read, said without a word of its content."""

import re

from scumble.errors import TableError

_CSV = "expected a CSV file with a header"
WRONG_PARQUET = (
    "expected a Parquet file, but it is none, or its end is missing; copy or write it again"
)
_KINDS = {"double": "numbers", "int64": "whole numbers", "bool": "true or false"}


ENCODING = "its encoding is not known: convert it, say by iconv -f cp1251 -t utf-8"


def wrong_csv(error: Exception) -> str:
    """Return what is wrong with a CSV file, by what the library says of it.

    Examples
    --------
    >>> wrong_csv(ValueError("CSV parse error: Row #3: Expected 2 columns, got 3: Ada,1,2"))
    'expected a CSV file with a header; row 3 has 3 cells and the header 2: check the \
delimiter, and quote cells that hold it'
    >>> wrong_csv(ValueError("no such thing"))
    'expected a CSV file with a header; check the delimiter, the encoding and the end'
    """
    message = str(error)
    row = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", message)
    cells = re.search(r"Expected (\d+) columns, got (\d+)", message)
    column = re.search(
        r"In CSV column #(\d+): (?:Row #\d+: )?CSV conversion error to (\w+)", message
    )
    if isinstance(error, TableError):
        why = message
    elif isinstance(error, UnicodeError) or "UTF8" in message:
        why = ENCODING
    elif row is not None:
        why = f"row {row[1]} {_uneven(int(row[3]), int(row[2]))}"
    elif cells is not None:
        why = f"a row {_uneven(int(cells[2]), int(cells[1]))}"
    elif column is not None:
        what = _KINDS.get(column[2], "other values")
        why = (
            f"column {int(column[1]) + 1} should hold {what}, as the specification or the model "
            "says, and does not: check it, the delimiter and decimal points"
        )
    elif "zlib" in message or "compressed stream" in message.lower():
        why = "it is not compressed by gzip, or its end is missing: copy or compress it again"
    elif "Empty CSV" in message:
        why = "it is empty"
    elif "straddl" in message:
        why = "a row is longer than 2 MB: check that every quote is closed"
    else:
        why = "check the delimiter, the encoding and the end"
    return f"{_CSV}; {why}"


def _uneven(cells: int, header: int) -> str:
    advice = "quote cells that hold it" if cells > header else "that every quote is closed"
    return f"has {cells} cells and the header {header}: check the delimiter, and {advice}"
