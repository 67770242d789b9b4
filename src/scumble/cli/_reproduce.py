"""`scumble reproduce`: the tables and figures of the papers, ours beside theirs."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from scumble.cli.terminal import Command, json_option, note, output_option, print_json, shown

if TYPE_CHECKING:
    from scumble.experiments import Experiment, Reproduction

_INTERRUPTED = 130


def _known(_context: Any, _parameter: Any, incomplete: str) -> list[str]:
    """Return the names that a shell may complete to."""
    from scumble.experiments import EXPERIMENTS

    return [name for name in EXPERIMENTS if name.startswith(incomplete)]


@click.command(
    cls=Command,
    example="""scumble reproduce --list
    scumble reproduce as-figure-5 --fast
    scumble reproduce as-figure-5 as-figure-6 -o figures
    scumble reproduce --all --full-within 2 --page docs/reproduction.md""",
)
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=_known)
@click.option("--list", "listed", is_flag=True,
              help="Show what there is and how long it takes.")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Run every experiment.")
@click.option("--fast", is_flag=True,
              help="Have a look: fewer repeats and records, seconds each.")  # fmt: skip
@click.option("--full-within", type=click.FloatRange(min=0), metavar="MINUTES",
              help="Run in full what takes at most so long, have a look at the rest.")  # fmt: skip
@output_option("A folder for the rows (CSV), all of it (JSON) and the pictures (PNG).")
@click.option("--resume", is_flag=True,
              help="Take up the rows that a broken-off run left in that folder.")  # fmt: skip
@click.option("--page", metavar="FILE",
              help="Write the page of all experiments anew, with these figures.")  # fmt: skip
@json_option()
def command(
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
    from scumble.experiments import EXPERIMENTS, reproduce

    if listed:
        print_json(_listed()) if as_json else click.echo(_list_as_text())
        return
    _check_use(names, everything, resume=resume, output=output)
    found = reproduce(
        None if everything else names,
        fast=fast,
        full_within=full_within,
        output=output,
        page=page,
        resume=resume,
        progress=shown(),
        starting=_announce,
    )
    try:
        count = _printed(found, as_json=as_json)
    except KeyboardInterrupt:
        note("interrupted; what was finished is kept, and --resume takes it up")
        raise click.exceptions.Exit(_INTERRUPTED) from None
    # What lacks its data set was left out with a warning.
    if count < len(EXPERIMENTS if everything else set(names)):
        raise click.exceptions.Exit(1)


def _check_use(
    names: tuple[str, ...], everything: bool, *, resume: bool, output: str | None
) -> None:
    if everything == bool(names):
        raise click.UsageError("expected names of experiments, or --all; --list shows the names")
    if resume and output is None:
        raise click.UsageError("--resume: expected -o too, the folder of the run to be taken up")


def _printed(found: "Iterator[Reproduction]", *, as_json: bool) -> int:
    """Print results as they come, or as JSON when all are there; return how many there are."""
    results = []
    for each in found:
        results.append(each)
        if not as_json:
            click.echo(each.to_text() + "\n")
    if as_json:
        print_json([each.to_dict() for each in results])
    return len(results)


def _announce(experiment: "Experiment", look: bool) -> None:
    how = f"in full, {experiment.duration}"
    if look and experiment.look:
        how = f"a look: {experiment.look}"
    note(f"{experiment.name}: {how}")


def _list_as_text() -> str:
    from scumble.experiments import EXPERIMENTS

    wide = max(len(name) for name in EXPERIMENTS)
    lines = [f"{'name':{wide}}  paper  full run  shows"]
    for each in EXPERIMENTS.values():
        lines.append(f"{each.name:{wide}}  {each.paper:5}  {each.duration:>8}  {each.what}")
    return "\n".join([*lines, "", "With --fast each takes seconds."])


def _listed() -> list[dict[str, Any]]:
    from scumble.experiments import EXPERIMENTS, PAPERS

    return [
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
