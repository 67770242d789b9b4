"""A file of finished rows, so that a long experiment can be broken off and taken up again."""

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from scumble.atomic import write_whole
from scumble.errors import TableError


class FinishedRows:
    """The rows of an experiment that are done, in a file of JSON lines.

    The first line says which experiment and with which settings; the others are rows.
    The file is written whole after each row: a run that is broken off loses at most
    the row it was working on. With a pause, for many thousands of quick rows, it is
    written that often, and at the end of a `with` block, however it ends.

    Parameters
    ----------
    path : path
        The file; it need not exist yet.
    heading : mapping
        What the first line must say.
    lines : list of str
        The lines so far, the heading first.
    pause : float
        For how many seconds rows may wait to be written.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name, "rows.jsonl")
    >>> FinishedRows.open(path, {"experiment": "dice"}).add({"eyes": 6})
    >>> FinishedRows.open(path, {"experiment": "dice"}).records()
    [{'eyes': 6}]
    >>> folder.cleanup()
    """

    def __init__(
        self, path: Path, heading: Mapping[str, Any], lines: list[str], *, pause: float = 0.0
    ) -> None:
        self.path = path
        self.pause = pause
        self._lines = lines or [_line(heading)]
        self._written = len(self._lines)
        self._due = time.monotonic() + pause
        self._check_heading(heading)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._written < len(self._lines):
            self._write()

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], heading: Mapping[str, Any], *, pause: float = 0.0
    ) -> Self:
        """Read the file, or begin with none; it is written with the first row."""
        target = Path(path)
        # Said before the work is done, not when its first row is to be written.
        if not target.parent.is_dir():
            raise TableError(f"{target}: expected its folder to exist, got none; make it first")
        try:
            lines = target.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            lines = []
        except (OSError, UnicodeDecodeError) as error:
            raise TableError(
                f"{target}: expected a file of finished rows, got {type(error).__name__}; "
                "name another file"
            ) from None
        return cls(target, heading, lines, pause=pause)

    def records(self) -> list[dict[str, Any]]:
        """Return the rows in the file."""
        return [self._record(number) for number in range(1, len(self._lines))]

    def add(self, record: Mapping[str, Any]) -> None:
        """Keep one more row."""
        self._lines.append(_line(record))
        if time.monotonic() >= self._due:
            self._write()

    def refusal(self, number: int) -> TableError:
        """Return the error that a row, counted from 0, is none of this experiment."""
        return TableError(
            f"{self.path}: line {number + 2}: expected a finished row, got something else; "
            "the file is torn or foreign, name another"
        )

    def _write(self) -> None:
        write_whole(self.path, "\n".join(self._lines) + "\n")
        self._written = len(self._lines)
        self._due = time.monotonic() + self.pause

    def _record(self, number: int) -> dict[str, Any]:
        try:
            record = json.loads(self._lines[number])
        except ValueError:
            record = None
        if not isinstance(record, dict):
            raise self.refusal(number - 1)
        return record

    def _check_heading(self, heading: Mapping[str, Any]) -> None:
        try:
            found = json.loads(self._lines[0])
        except ValueError:
            found = None
        expected = json.loads(_line(heading))
        if not isinstance(found, dict) or found.keys() != expected.keys():
            raise TableError(
                f"{self.path}: line 1: expected the heading of a file of finished rows, got "
                "something else; the file is torn or foreign, name another"
            )
        for name, value in expected.items():
            if found[name] != value:
                raise TableError(
                    f"{self.path}: its rows come from another {name} than the one asked for; "
                    "name another file"
                )


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, allow_nan=False)
