"""How a CSV file is written, told by its first lines."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

_DELIMITERS = ",;\t|"
_ROWS = 1000
_HEAD = 1 << 18
_DECIMALS = re.compile(r"[+-]?\d*([.,])\d+")
# Perhaps not decimals: 1.234 may be a thousand and more.
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}([.,]\d{3})+")
# A number does not begin so: a postcode, an article, a month do.
CODE = r"^\s*[+-]?0[0-9]+\s*$"
_TRUTH = re.compile(r"true|false", re.IGNORECASE)
# As pyarrow reads them; others are not there.
_TRUTH_OR_NONE = re.compile(r"true|false|[01]?|n/?a|#n/a|nan|null", re.IGNORECASE)
# Whose year, and whose day, cannot be told.
_SHORT_DATE = re.compile(r"\s*\d{1,2}([./-])\d{1,2}\1\d{1,2}\s*")

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Dialect:
    """What stands between columns, and what is read as text.

    Attributes
    ----------
    delimiter : str
        The sign between columns.
    decimal : str
        The sign before decimals.
    columns : tuple of str
        The header.
    texts : tuple of str
        Columns that are neither numbers nor dates, though they may look so, as far as the
        first lines tell: digits with leading zeros, dates with years of two digits, and,
        where nothing tells what a point means, 1.234.
    truths : tuple of str
        Columns that hold true and false, as far as the first lines tell.
    """

    delimiter: str = ","
    decimal: str = "."
    columns: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    truths: tuple[str, ...] = ()


def dialect_of(head: bytes) -> Dialect:
    r"""Return how a file is written that begins so, in UTF-8.

    The delimiter is the sign that parts the first lines evenly, into the most columns; a
    comma may stand in cells, too, and is taken last.

    Examples
    --------
    >>> found = dialect_of(b"name;height;postcode\nAda;1,71;0071\n")
    >>> found.delimiter, found.decimal, found.columns, found.texts
    (';', ',', ('name', 'height', 'postcode'), ('postcode',))
    >>> dialect_of(b"age,ill\n34,true\n").truths
    ('ill',)
    """
    text = head[:_HEAD].decode(errors="ignore").removeprefix("\ufeff")
    cut = len(head) > _HEAD
    parted = {sign: _rows(text, sign, cut=cut) for sign in _DELIMITERS}
    delimiter = _delimiter(parted)
    rows = parted[delimiter]
    if not rows:
        return Dialect()
    signs = _decimal_signs(rows[1:])
    decimal = "," if delimiter != "," and signs == {","} else "."
    texts = _columns_with(re.compile(CODE), rows) | _columns_with(_SHORT_DATE, rows)
    if delimiter != "," and not signs:
        texts |= _columns_with(_THOUSANDS, rows)
    truths = _columns_with(_TRUTH, rows) - _columns_with(_TRUTH_OR_NONE, rows, other=True)
    names, told = (
        tuple(name for place, name in enumerate(rows[0]) if place in places)
        for places in (texts, truths)
    )
    return Dialect(delimiter, decimal, tuple(rows[0]), names, told)


def _rows(text: str, delimiter: str, *, cut: bool) -> Rows:
    """Return the first rows; what the end of the text cuts off is none."""
    rows = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            if row:
                rows.append(row)
            if len(rows) > _ROWS:
                return rows
    except csv.Error:  # a cell that is too long for it, or no text at all
        return rows
    return rows[:-1] if cut and len(rows) > 1 else rows


def _delimiter(parted: dict[str, Rows]) -> str:
    """Return the sign that parts all rows alike, or at least the header and some row."""
    known = {sign: rows for sign, rows in parted.items() if _parts(rows)}
    even = [sign for sign, rows in known.items() if len({len(row) for row in rows}) == 1]

    def fits(sign: str) -> tuple[bool, int, bool]:
        return not _parts_quotes(known[sign]), len(known[sign][0]), sign != ","

    return max(even or known, key=fits, default=",")


def _parts_quotes(rows: Rows) -> bool:
    """Say whether some cell has one quote of two."""
    return any(cell.count('"') % 2 for row in rows for cell in row)


def _parts(rows: Rows) -> bool:
    """Say whether the header has several columns, and so has some other row, if there is one."""
    return bool(rows) and len(rows[0]) > 1 and max(map(len, rows[1:]), default=2) > 1


def _decimal_signs(rows: Rows) -> set[str]:
    """Return what stands before decimals that can be nothing else."""
    cells = [cell.strip() for row in rows for cell in row]
    found = [_DECIMALS.fullmatch(cell) for cell in cells if not _THOUSANDS.fullmatch(cell)]
    return {match[1] for match in found if match is not None}


def _columns_with(pattern: re.Pattern[str], rows: Rows, *, other: bool = False) -> set[int]:
    """Return the places of columns some cell of which is such; or some cell of which is not."""
    return {
        place
        for row in rows[1:]
        for place, cell in enumerate(row)
        if (pattern.fullmatch(cell) is None) == other
    }
