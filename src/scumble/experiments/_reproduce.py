"""Run experiments by name and write what came of them."""

import io
import os
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scumble.atomic import whole_files
from scumble.errors import DatasetError, ScumbleWarning, TableError
from scumble.experiments._experiment import Asked, Experiment
from scumble.experiments._registry import EXPERIMENTS, experiment
from scumble.experiments._reproduction import Reproduction
from scumble.experiments._reproduction_page import check_page, write_reproduction_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DPI = 120


def run_experiment(
    name: str,
    *,
    fast: bool = False,
    settings: Mapping[str, Any] | None = None,
    resume: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Reproduction:
    """Run one experiment.

    Parameters
    ----------
    name : str
        One of `EXPERIMENTS`.
    fast : bool
        Whether to have a look, in seconds, instead of a full run.
    settings : mapping, optional
        Other settings than those of a full or a fast run; then it counts as a fast one.
    resume : path, optional
        A file in which finished rows are kept and found again; another file after a change
        of code. Experiments that cannot be taken up again do without.
    progress : bool
        Whether to show a bar on stderr, where the experiment has one.

    Raises
    ------
    SpecificationError
        If there is no such experiment.
    DatasetError
        If a data set that it needs cannot be found, fetched or trusted.

    Examples
    --------
    >>> from scumble.experiments import run_experiment
    >>> found = run_experiment("as-table-1")
    >>> len(found.rows), found.rows[0]["agrees"]
    (9, True)
    """
    chosen = experiment(name)
    given = (chosen.fast if fast else chosen.full) if settings is None else settings
    start = time.perf_counter()
    kept = str(resume) if resume is not None and chosen.kept else None
    measured = chosen.run(Asked(given, resume=kept, progress=progress))
    return Reproduction(
        name=name,
        # Where a look is all there is to see, it is the full run.
        fast=settings is not None or (fast and bool(chosen.look)),
        date=date.today().isoformat(),
        version=_version(),
        seconds=time.perf_counter() - start,
        findings=tuple(measured.findings),
        rows=tuple(measured.rows),
        draw=measured.draw,
    )


def reproduce(
    names: Iterable[str] | None = None,
    *,
    fast: bool = False,
    full_within: float | None = None,
    output: str | os.PathLike[str] | None = None,
    page: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: bool = False,
    starting: Callable[[Experiment, bool], None] | None = None,
) -> Iterator[Reproduction]:
    """Run experiments one after the other, and yield each when it is done.

    Parameters
    ----------
    names : iterable of str, optional
        Which of `EXPERIMENTS`; by default all.
    fast : bool
        Whether to have a look at each, in seconds.
    full_within : float, optional
        Run those in full that take at most so many minutes, and have a look at the others.
    output : path, optional
        A folder for the rows (CSV), everything (JSON) and the pictures (PNG), written for
        each experiment when it is done. It is made if it is not there.
    page : path, optional
        A page that is written anew with each result: see `write_reproduction_page`.
    resume : bool
        Whether to take up finished rows that an earlier run left in that folder. Not after a
        change of code.
    progress : bool
        Whether to show bars on stderr.
    starting : callable, optional
        Called with each experiment, and whether it is a look, before it is run.

    Warns
    -----
    ScumbleWarning
        Where a data set is neither at hand nor to be fetched: its experiments are left out.

    Examples
    --------
    >>> from scumble.experiments import reproduce
    >>> [found.score for found in reproduce(["as-table-1"])]
    ['8 of 9']
    """
    # All are looked up before the first is run.
    asked = EXPERIMENTS if names is None else dict.fromkeys(names)
    chosen = [experiment(name) for name in asked]
    folder = None if output is None else _folder(output)
    if folder is not None and not resume:
        _forget(folder, chosen)
    if page is not None:
        check_page(page)
    looks = [fast or (full_within is not None and e.minutes > full_within) for e in chosen]
    for found in _each(zip(chosen, looks, strict=True), folder, progress, starting):
        if folder is not None:
            write_reproduction(found, folder)
        if page is not None:
            write_reproduction_page(page, [found])
        yield found


def _each(
    chosen: Iterable[tuple[Experiment, bool]],
    folder: Path | None,
    progress: bool,
    starting: Callable[[Experiment, bool], None] | None,
) -> Iterator[Reproduction]:
    for each, look in chosen:
        if starting is not None:
            starting(each, look)
        kept = None if folder is None else _kept(folder, each)
        try:
            yield run_experiment(each.name, fast=look, resume=kept, progress=progress)
        except DatasetError as error:
            warnings.warn(f"{each.name} is left out: {error}", ScumbleWarning, stacklevel=3)


def write_reproduction(found: Reproduction, folder: str | os.PathLike[str]) -> list[Path]:
    """Write the rows, everything as JSON, and the picture; all of them or none.

    Returns
    -------
    list of path
        The files.

    Examples
    --------
    >>> import tempfile
    >>> from scumble.experiments import run_experiment, write_reproduction
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write_reproduction(run_experiment("as-table-1"), folder)]
    ['as-table-1.csv', 'as-table-1.json']
    """
    contents = {"csv": found.to_csv().encode(), "json": found.to_json().encode()}
    if found.draw is not None:
        contents["png"] = _as_png(found.draw())
    paths = [Path(folder) / f"{found.name}.{ending}" for ending in contents]
    with whole_files(*paths) as files:
        for file, content in zip(files, contents.values(), strict=True):
            file.write(content)
    return paths


def _as_png(figure: "Figure") -> bytes:
    from matplotlib import pyplot

    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=_DPI)
    pyplot.close(figure)
    return buffer.getvalue()


def _folder(output: str | os.PathLike[str]) -> Path:
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TableError(
            f"{folder}: expected a folder to write to, got {type(error).__name__}; name another"
        ) from None
    return folder


def _kept(folder: Path, chosen: Experiment) -> Path | None:
    return folder / f"finished-{chosen.kept}.jsonl" if chosen.kept else None


def _forget(folder: Path, chosen: Iterable[Experiment]) -> None:
    """Remove finished rows of an earlier run, which may come from other code."""
    for each in chosen:
        kept = _kept(folder, each)
        if kept is not None:
            kept.unlink(missing_ok=True)


def _version() -> str:
    try:
        return version("scumble")
    except PackageNotFoundError:
        return "not installed"
