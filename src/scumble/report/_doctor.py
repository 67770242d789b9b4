"""What an installation has, and what it lacks."""

import os
import platform
import sys
import tempfile
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from scumble.datasets import dataset_states

_PACKAGES = (
    *("click", "cryptography", "matplotlib", "narwhals", "numba", "numpy", "pyarrow"),
    *("scikit-learn", "scipy"),
)


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes
    ----------
    what, found : str
        What it is, and how it is.
    fine : bool
        Whether it is as it should be.
    advice : str
        What to do if not.
    needed : bool
        Whether something will not work.
    """

    what: str
    found: str
    fine: bool = True
    advice: str = ""
    needed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def examine() -> list[Finding]:
    """Look at everything that scumble needs.

    Examples
    --------
    >>> [own.what for own in examine()][:2]
    ['scumble', 'python']
    """
    return [
        Finding("scumble", _version("scumble") or "not installed"),
        Finding("python", platform.python_version(), sys.version_info >= (3, 11)),
        *(_package(name) for name in _PACKAGES),
        _cache(),
        _threads(),
        _folder(),
        _data(),
        _terminal(),
    ]


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _package(name: str) -> Finding:
    found = _version(name)
    return Finding(
        name, found or "missing", found is not None, "pip install scumble again", needed=True
    )


def _cache() -> Finding:
    """Say whether compiled loops are kept, so that only the first run waits for them."""
    from scumble.engines import _kernels

    own = Path(_kernels.__file__).parent / "__pycache__"
    folder = Path(os.environ.get("NUMBA_CACHE_DIR", own))
    kept = sum(1 for _ in folder.rglob("*.nbi")) if folder.exists() else 0
    writable = os.access(folder if folder.exists() else folder.parent, os.W_OK)
    return Finding(
        "compiled code",
        f"{kept} functions kept" if kept else "none kept yet, the first run compiles",
        writable,
        "set NUMBA_CACHE_DIR to a folder that you may write to",
    )


def _threads() -> Finding:
    limit = os.environ.get("OMP_NUM_THREADS")
    return Finding("threads", f"{os.cpu_count()} processors, OMP_NUM_THREADS {limit or 'not set'}")


def _folder() -> Finding:
    try:
        with tempfile.TemporaryFile(dir="."):
            return Finding("this folder", "files can be written")
    except OSError:
        return Finding("this folder", "no file can be written", False, "change to another one")


def _data() -> Finding:
    states = dataset_states()
    found = [state.name for state in states if state.found is not None]
    return Finding(
        "data sets",
        f"{len(found)} of {len(states)} on this machine",
        bool(found),
        "none is needed; the others are fetched when loaded, see scumble datasets",
    )


def _terminal() -> Finding:
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    colour = "no colours (NO_COLOR)" if os.environ.get("NO_COLOR") else "colours"
    return Finding(
        "terminal",
        f"{encoding}, {colour if sys.stdout.isatty() else 'not a terminal'}",
        encoding.startswith("utf"),
        "set PYTHONIOENCODING=utf-8, or pictures of text cannot be shown",
    )
