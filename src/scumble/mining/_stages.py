"""How far a long fit has come, shown to who asks."""

from types import TracebackType
from typing import Any, Self

from scumble.progress import bar


class Stages:
    """A bar that moves on with each stage of a fit.

    Parameters
    ----------
    shown : bool
        Whether there is a bar, on stderr.

    Examples
    --------
    >>> with Stages(shown=False) as stages:
    ...     stages.expect(2)
    ...     stages.done("the first half")
    ...     stages.done("the second half")
    """

    def __init__(self, *, shown: bool) -> None:
        self._bar: Any = bar("", shown=shown, total=0, unit=" stages")

    def expect(self, more: int) -> None:
        """Say that so many more stages will come."""
        self._bar.total = (self._bar.total or 0) + more

    def done(self, what: str) -> None:
        """Say that a stage is done."""
        self._bar.set_description(what, refresh=False)
        self._bar.update()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.close()
