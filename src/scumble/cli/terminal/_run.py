"""How a command ends: with an answer, or with one line that says what to do."""

import errno
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import click

from scumble.cli.terminal._group import scumble_group
from scumble.cli.terminal._messages import coloured, complain
from scumble.errors import ScumbleError, ScumbleWarning

ERROR, USAGE, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141
_DEBUG = "SCUMBLE_DEBUG"


def main() -> NoReturn:
    """Run the command line of this process."""
    # Before numpy is imported. Matrices are small here: threads of the library that multiplies
    # them would wait for each other, for minutes where the machine is busy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    code = run(sys.argv[1:])
    if not code:
        sys.exit()
    # Who reads files ahead, in threads of its own, may still do so after an error, and Python
    # aborts where a thread calls it while it ends. What was to be written is written or gone.
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def run(args: Sequence[str]) -> int:
    """Run a command line and return its exit code.

    0: done; 1: an error, in one line on stderr; 2: a command line that makes no sense; 3: a
    condition of `audit --fail-if` holds; 130: interrupted; 141: nobody reads the output.

    Examples
    --------
    >>> from scumble.cli import run
    >>> run(["--version"])
    scumble 0.1.0
    0
    """
    if os.environ.get(_DEBUG):
        return _answered(args)
    with warnings.catch_warnings():
        warnings.showwarning = _warned
        # Warnings of others are not for who uses a command.
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", ScumbleWarning)
        try:
            return _answered(args)
        except KeyboardInterrupt:
            return _said(INTERRUPTED, "interrupted; no file was changed")
        except click.UsageError as error:
            return _said(USAGE, _usage(error))
        except click.ClickException as error:
            return _said(ERROR, error.format_message())
        except BrokenPipeError:
            return _pipe_closed()
        except OSError as error:
            return _said(ERROR, _system(error))
        except Exception as error:
            return _said(ERROR, _own(error))


def _answered(args: Sequence[str]) -> int:
    try:
        code = scumble_group.main(
            list(args), prog_name="scumble", standalone_mode=False, color=coloured()
        )
        sys.stdout.flush()
    except click.Abort:
        raise KeyboardInterrupt from None
    except SystemExit:
        # So click ends where nobody reads the output.
        raise BrokenPipeError from None
    return code if isinstance(code, int) else 0


def _said(code: int, text: str) -> int:
    complain("error", text)
    return code


def _usage(error: click.UsageError) -> str:
    """Return what is wrong with a command line, and where to read more."""
    text = error.format_message().rstrip(".")
    path = error.ctx.command_path if error.ctx is not None else "scumble"
    return f"{text[:1].lower()}{text[1:]}; see {path} --help"


def _system(error: OSError) -> str:
    """Return what the operating system refused."""
    where = f"{_named(Path(str(error.filename)))}: " if error.filename else ""
    advice = {
        errno.ENOSPC: "make room and try again",
        errno.EDQUOT: "make room and try again",
        errno.EFBIG: "make room and try again",
        errno.EACCES: "check the permissions",
        errno.EPERM: "check the permissions",
        errno.ENOENT: "check the path",
    }.get(error.errno or 0, "check the path and the disk")
    why = (error.strerror or "cannot be read or written").lower()
    return f"{where}{why}; {advice}; no file was changed"


def _named(path: Path) -> str:
    """Return what a path is called: by its folder where that is what is missing."""
    if not path.parent.exists():
        return f"folder {path.parent}"
    return path.name or str(path)


def _own(error: Exception) -> str:
    """Return the text of an error of ours; of another only where it arose, never what it says.

    The text of a foreign error may quote a record.
    """
    if isinstance(error, ScumbleError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return (
        f"this is a bug in scumble ({type(error).__name__}{place}); set {_DEBUG}=1 to see where it "
        "comes from, which may show data"
    )


def _pipe_closed() -> int:
    # Python would complain once more when it flushes on its way out.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PIPE_CLOSED


def _warned(message: Warning | str, *_: Any, **__: Any) -> None:
    """Show a warning in one line."""
    complain("warning", str(message))
