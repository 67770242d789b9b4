"""Text that is a number or a date in another notation than the one that is read."""

from typing import Any

from scumble.columns import as_arrow, holds_text

_NUMBER = (
    r"^[+-]?[^\w\s.,]{0,3}\s?[+-]?\d{1,3}([., '_]?\d{3})*([.,]\d+)?\s?([^\w\s.,]|[A-Za-z]{1,3})?$"
)
_DATE = r"^\d{1,4}[/. -](\d{1,2}|[A-Za-z]{3,9})[/. -]\d{2,4}([ T].*)?$"
_NOTATIONS = {
    "dates": (_DATE, "1990-12-31"),
    "numbers": (_NUMBER, "1234.5"),
}
# What is read as a number, in one spelling or the other.
_PLAIN = r"^\s*[+-]?(\d+([.,]\d+)?|[.,]\d+)\s*$"
_CODE = r"^\s*[+-]?0\d"
# So many records, as a share, may be typing errors.
_TYPOS = 0.1
# Of few different values, such as 1st and 2nd, a list is as good.
_FEW = 20


def other_notation(column: Any) -> str | None:
    """Return what to do where a column of text looks like numbers or dates, or None.

    Examples
    --------
    >>> other_notation([f"{n:,} EUR" for n in range(5000, 5100)])
    'its values look like numbers: write them as 1234.5 to have them taken so'
    >>> other_notation([f"12/{day}/1999" for day in range(1, 31)])
    'its values look like dates: write them as 1990-12-31 to have them taken so'
    >>> other_notation(["thirty", "4o", *(str(age) for age in range(18, 90))])
    'all but 2 of its 74 values are numbers: mend or empty these to have it taken so'
    >>> other_notation([f"{n:04d}" for n in range(100)])
    """
    import pyarrow.compute as pc

    array = as_arrow(column)
    if not holds_text(array.type):
        return None
    values = array.unique().drop_null()
    if len(values) <= _FEW or pc.all(pc.match_substring_regex(values, r"^\d+$")).as_py():
        return None
    for what, (pattern, example) in _NOTATIONS.items():
        if pc.all(pc.match_substring_regex(values, pattern)).as_py():
            return f"its values look like {what}: write them as {example} to have them taken so"
    return _typing_errors(array.drop_null())


def _typing_errors(values: Any) -> str | None:
    """Return what to do where nearly all values are numbers."""
    import pyarrow.compute as pc

    if pc.any(pc.match_substring_regex(values, _CODE)).as_py():
        return None
    wrong = len(values) - pc.sum(pc.match_substring_regex(values, _PLAIN)).as_py()
    if not 0 < wrong <= _TYPOS * len(values):
        return None
    return (
        f"all but {wrong:,} of its {len(values):,} values are numbers: mend or empty these to have "
        "it taken so"
    )
