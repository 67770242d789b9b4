"""Files are written whole or not at all."""

import errno
import os
import secrets
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file so that a reader sees the old content or the new, never a part.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> target = Path(folder.name, "people.toml")
    >>> write_whole(target, "version = 1")
    >>> target.read_text()
    'version = 1'
    >>> folder.cleanup()
    """
    with whole_files(path) as (file,):
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def whole_files(*paths: str | os.PathLike[str]) -> Iterator[Sequence[BinaryIO]]:
    """Open files that appear under their names when all of them are finished, or not at all.

    Whatever ends the work, no part of a file is left: until it is finished it has no name,
    where the operating system can do that (Linux), and else a hidden one that is removed.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> try:
    ...     with whole_files(Path(folder.name, "a"), Path(folder.name, "b")) as (a, b):
    ...         size = a.write(b"finished")
    ...         raise KeyboardInterrupt
    ... except KeyboardInterrupt:
    ...     list(Path(folder.name).iterdir())
    []
    >>> folder.cleanup()
    """
    with ExitStack() as stack:
        parts = []
        for path in paths:
            parts.append(_Part(Path(path)))
            stack.callback(parts[-1].discard)
        yield [part.file for part in parts]
        for part in parts:
            part.finish()
        for part in parts:
            part.publish()


class _Part:
    """A file in the making, in the folder of its target: a rename is atomic only there."""

    def __init__(self, target: Path) -> None:
        # A link stays one, and what it points to is written, as by an ordinary `open`.
        target = Path(os.path.realpath(target)) if target.is_symlink() else target
        # Found out now: later other files would have got their names already.
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
        if target.exists() and not target.is_file():
            # A rename would put a file in the place of a device or a pipe.
            raise OSError(errno.EINVAL, "expected the name of a file, got none", target.name)
        self.target = target
        self.temporary: Path | None = None
        try:
            descriptor = os.open(target.parent, os.O_TMPFILE | os.O_RDWR, 0o600)
        except (AttributeError, OSError):
            # Not on this system, or not on this file system.
            descriptor, self.temporary = _hidden(target)
        self.file: BinaryIO = os.fdopen(descriptor, "w+b")

    def finish(self) -> None:
        """Make sure that all of it is on the disk."""
        self.file.flush()
        os.fsync(self.file.fileno())
        os.fchmod(self.file.fileno(), _ordinary_mode())

    def publish(self) -> None:
        """Give it its name, in place of what had it."""
        if self.temporary is None:
            # A link never replaces a file, a rename does.
            self.temporary = self.target.with_name(f".{self.target.name}.{secrets.token_hex(8)}")
            _link(self.file.fileno(), self.temporary)
        self.temporary.replace(self.target)
        self.temporary = None

    def discard(self) -> None:
        """Close it, and leave nothing behind that was not published."""
        self.file.close()
        if self.temporary is not None:
            self.temporary.unlink(missing_ok=True)


def _hidden(target: Path) -> tuple[int, Path]:
    """Open a hidden file beside a target; an error names the target."""
    try:
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(target)) from None
    return descriptor, Path(name)


def _link(descriptor: int, path: Path) -> None:
    """Give a name to a file that has none."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        # Only with a folder does Python ask for the file behind the link in /proc.
        os.link(f"/proc/self/fd/{descriptor}", path, src_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


def _ordinary_mode() -> int:
    """Return the permissions that an ordinary `open` would have given."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
