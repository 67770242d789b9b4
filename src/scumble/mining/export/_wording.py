"""How names, values, counts and shares are written for people."""

import json
import re
from typing import Any

import numpy as np

# What stands in a text without quotes: nothing that a condition is built of.
_PLAIN = re.compile(r"[^\s{},\"]+( [^\s{},\"]+)*")


def plain(value: Any) -> str:
    """Return a name, a value or a label as text, in quotes where it could mislead.

    Examples
    --------
    >>> plain("new car"), plain(3), plain(np.True_), plain("a, b"), plain("")
    ('new car', '3', 'True', '"a, b"', '""')
    """
    value = value.item() if isinstance(value, np.generic) else value
    if not isinstance(value, str):
        return str(value)
    clear = _PLAIN.fullmatch(value) and value.isprintable()
    return value if clear else json.dumps(value, ensure_ascii=not value.isprintable())


def among(values: list[str], *, width: int | None = None) -> str:
    """Return a set as text; where that is wider than allowed, its first values.

    Examples
    --------
    >>> among(["a", "b"]), among(["Austria", "Belgium", "Chad", "Denmark"], width=26)
    ('{a, b}', '{Austria, ... 3 more}')
    """
    text = "{" + ", ".join(values) + "}"
    if width is None or len(text) <= width:
        return text
    for shown in range(min(len(values) - 1, width), 0, -1):
        text = "{" + ", ".join(values[:shown]) + f", ... {len(values) - shown} more}}"
        if len(text) <= width:
            break
    return text


def amount(weight: float) -> str:
    """Return the weight of records as text.

    Examples
    --------
    >>> amount(20000.0), amount(1.0), amount(0.125)
    ('20,000 records', '1 record', '0.125 records')
    """
    return f"{number(weight)} record{'' if weight == 1 else 's'}"


def number(weight: float) -> str:
    """Return the weight of records as a number alone.

    Examples
    --------
    >>> number(20000.0), number(1234.5), number(0.0003)
    ('20,000', '1,234.5', '0.0003')
    """
    if weight == round(weight):
        return f"{weight:,.0f}"
    return f"{weight:,.1f}" if weight >= 100 else f"{weight:.4g}"


def percent(share: float) -> str:
    """Return a share as text; it reads 0 or 100 only where it is.

    Examples
    --------
    >>> percent(0.975), percent(1.0), percent(0.99971), percent(0.0002)
    ('97.5 %', '100.0 %', '99.97 %', '0.02 %')
    """
    for decimals in range(1, 10):
        text = f"{100 * share:.{decimals}f}"
        if share in (0, 1) or 0 < float(text) < 100:
            break
    return f"{text} %"
