"""Bars that show how far a long work has come."""

import sys
from typing import Any

# What takes less time needs no bar.
_DELAY = 2.0


def shown() -> bool:
    """Say whether someone sits at a terminal and would see a bar."""
    return sys.stderr.isatty()


def bar(what: str, *, total: int | None = None, unit: str = " records") -> Any:
    """Return a bar with the time left, on stderr, that appears after two seconds."""
    from tqdm import tqdm

    return tqdm(
        desc=what, total=total, unit=unit, unit_scale=True, delay=_DELAY, disable=not shown()
    )
