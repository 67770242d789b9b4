"""Bars that show how far a long work has come."""

from typing import Any

# What takes less time needs no bar.
_DELAY = 2.0


def bar(what: str, *, shown: bool, total: float | None = None, unit: str = " records") -> Any:
    """Return a bar with the time left, on stderr, that appears after two seconds.

    Parameters
    ----------
    what : str
        What is done.
    shown : bool
        Whether there is a bar at all.
    total : float, optional
        How much there is to do.
    unit : str
        What that is counted in.

    Examples
    --------
    >>> with bar("plan", shown=False, total=2, unit=" columns") as columns:
    ...     columns.update()
    """
    from tqdm import tqdm

    many = total is None or total >= 1000
    return tqdm(desc=what, total=total, unit=unit, unit_scale=many, delay=_DELAY, disable=not shown)
