"""Bars that show how far a long work has come."""

import threading
from typing import Any

# What takes less time needs no bar.
_DELAY = 2.0
_TICK = 0.5


def bar(what: str, *, shown: bool, total: float | None = None, unit: str = " records") -> Any:
    """Return a bar with the time left, on stderr, that appears after two seconds.

    It appears, and the time goes on, also while a step takes long.

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

    class Ticking(tqdm):  # type: ignore[misc]
        """A bar that is drawn again from time to time."""

        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self._closed, self._drawn = threading.Event(), False
            if not self.disable:
                threading.Thread(target=self._tick, daemon=True).start()

        def _tick(self) -> None:
            while not self._closed.wait(_TICK):
                if self._time() >= self.start_t + self.delay:
                    self._drawn = True
                    self.refresh()

        def close(self) -> None:
            self._closed.set()
            if self._drawn:
                # Else it would take itself for one that never appeared, and not end its line.
                self.last_print_t = self._time()
            super().close()

    many = total is None or total >= 1000
    # By the average speed: that of the last step tells nothing where steps differ.
    return Ticking(
        desc=what,
        total=total,
        unit=unit,
        unit_scale=many,
        smoothing=0,
        delay=_DELAY,
        disable=not shown,
    )
