"""Whether there is someone to show bars to."""

import sys
from typing import Any


def shown() -> bool:
    """Say whether someone sits at a terminal and would see a bar."""
    return sys.stderr.isatty()


def bar(what: str, *, total: int | None = None, unit: str = " records") -> Any:
    """Return a bar with the time left, where someone would see it."""
    from scumble.progress import bar as bar_of

    return bar_of(what, shown=shown(), total=total, unit=unit)
