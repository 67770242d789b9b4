"""How far a long fit has come, shown to who asks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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

    @contextmanager
    def about(self, likely: int) -> Iterator[Callable[[str], None]]:
        """Say that about so many stages will come; what is yielded says that one is done.

        Examples
        --------
        >>> with Stages(shown=False) as stages, stages.about(2) as done:
        ...     for level in ("first", "second", "third"):
        ...         done(f"grew the {level} level")
        """
        self.expect(likely)
        left = likely

        def done(what: str) -> None:
            nonlocal left
            # One is kept: as long as this goes on, a bar must not be at its end.
            if left > 1:
                left -= 1
            else:
                self.expect(1)
            self.done(what)

        yield done
        self.expect(-left)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.close()
