"""Files are written whole or not at all."""

import os
import tempfile
from pathlib import Path


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
    target = Path(path)
    data = content.encode() if isinstance(content, str) else content
    # The temporary file stands in the same folder: a rename is atomic only within
    # one file system.
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(_ordinary_mode())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _ordinary_mode() -> int:
    """Return the permissions that an ordinary `open` would have given."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
