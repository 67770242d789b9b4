"""`scumble reproduce`: the tables and figures of the papers, ours beside theirs."""

import json
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from scumble.errors import ScumbleError, ScumbleWarning

if TYPE_CHECKING:
    from scumble.experiments import Experiment, Reproduction

_EPILOG = """\b
Examples:
  scumble reproduce --list
  scumble reproduce as-figure-5 --fast
  scumble reproduce as-figure-5 as-figure-6 --output figures
  scumble reproduce --all --full-within 2 --page docs/reproduction.md
"""


def _known(_context: Any, _parameter: Any, incomplete: str) -> list[str]:
    """Return the names that a shell may complete to."""
    from scumble.experiments import EXPERIMENTS

    return [name for name in EXPERIMENTS if name.startswith(incomplete)]


@click.command("reproduce", epilog=_EPILOG)
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=_known)
@click.option("--list", "listed", is_flag=True, help="Show what there is and how long it takes.")
@click.option("--all", "everything", is_flag=True, help="Run every experiment.")
@click.option("--fast", is_flag=True, help="Have a look: fewer repeats and records, seconds each.")
@click.option(
    "--full-within",
    type=click.FloatRange(min=0),
    metavar="MINUTES",
    help="Run in full what takes at most so long, and have a look at the rest.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Write rows (CSV), everything (JSON) and pictures (PNG) to a folder.",
)
@click.option(
    "--resume", is_flag=True, help="Take up the rows that a broken-off run left in that folder."
)
@click.option(
    "--page",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the page of all experiments anew, with these figures.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def reproduce(
    names: tuple[str, ...],
    *,
    listed: bool,
    everything: bool,
    fast: bool,
    full_within: float | None,
    output: str | None,
    resume: bool,
    page: str | None,
    as_json: bool,
) -> None:
    """Run the experiments of the papers, and compare the figures.

    Each NAME is a table or a figure; --list shows them. Prints what the paper has, what was
    measured, and whether the two agree.
    """
    from scumble import experiments

    if listed:
        click.echo(_list_as_json() if as_json else _list_as_text())
        return
    if everything == bool(names):
        raise click.UsageError("expected names of experiments or --all; --list shows the names")
    if resume and output is None:
        raise click.UsageError("--resume: expected --output too, the folder of the first run")
    with _plain_warnings(), _one_line():
        found = experiments.reproduce(
            None if everything else names,
            fast=fast,
            full_within=full_within,
            output=output,
            resume=resume,
            page=page,
            progress=sys.stderr.isatty(),
            starting=_announce,
        )
        results = list(_printed(found, as_json=as_json))
    if len(results) < len(experiments.EXPERIMENTS if everything else set(names)):
        raise click.exceptions.Exit(1)


def _printed(found: "Iterator[Reproduction]", *, as_json: bool) -> "Iterator[Reproduction]":
    """Print results as they come, or as one JSON array when all are there."""
    together = []
    for each in found:
        if as_json:
            together.append(each.to_dict())
        else:
            click.echo(each.to_text() + "\n")
        yield each
    if as_json:
        click.echo(json.dumps(together, indent=1, ensure_ascii=False, allow_nan=False))


def _announce(experiment: "Experiment", look: bool) -> None:
    how = f"in full, {experiment.duration}"
    if look and experiment.look:
        how = f"a look: {experiment.look}"
    click.echo(f"{experiment.name}: {how}", err=True)


def _list_as_text() -> str:
    from scumble.experiments import EXPERIMENTS

    wide = max(len(name) for name in EXPERIMENTS)
    lines = [f"{'name':{wide}}  paper  full run  shows"]
    for each in EXPERIMENTS.values():
        lines.append(f"{each.name:{wide}}  {each.paper:5}  {each.duration:>8}  {each.what}")
    return "\n".join([*lines, "", "With --fast each takes seconds."])


def _list_as_json() -> str:
    from scumble.experiments import EXPERIMENTS, PAPERS

    listed = [
        {
            "name": each.name,
            "paper": PAPERS[each.paper],
            "shows": each.what,
            "minutes": each.minutes,
            "fast": each.look,
            "page": each.page,
        }
        for each in EXPERIMENTS.values()
    ]
    return json.dumps(listed, indent=1, ensure_ascii=False)


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Show warnings of ours as one line each."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", ScumbleWarning)
        warnings.showwarning = lambda message, *_, **__: click.echo(f"warning: {message}", err=True)
        yield


@contextmanager
def _one_line() -> Iterator[None]:
    try:
        yield
    except ScumbleError as error:
        raise click.ClickException(str(error)) from None
