"""`scumble demo`: the main job, end to end."""

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scumble.cli.terminal import Command, bar, json_option, output_option, print_json, seed_option
from scumble.wording import one_line

if TYPE_CHECKING:
    from scumble.report import Demo

_STEPS = 11


@click.command(
    cls=Command, short_help="Show the main job on generated data.", example="scumble demo"
)
@click.option("--records", type=click.IntRange(min=1000), default=100_000, show_default=True,
              metavar="N", help="How many people.")  # fmt: skip
@output_option("A folder for the pages.", default="demo")
@seed_option("Make it repeatable.")
@json_option()
def command(records: int, output: str, seed: int | None, as_json: bool) -> None:
    """Show the main job on generated data: disguise, reconstruct, grow, test, audit.

    Takes about half a minute; the first run on a machine, which compiles, some seconds more. The
    pages, with figures and the tree, are written to a folder.
    """
    from scumble.atomic import write_whole
    from scumble.experiments import demonstrate
    from scumble.report import demo_page, write_audit_page

    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    with bar("", total=_STEPS, unit=" steps") as progress:
        begun: list[str] = []

        def said(what: str) -> None:
            progress.update(len(begun[-1:]))  # what was said before is done
            progress.set_description(f"{what:<24}")
            begun.append(what)

        found = demonstrate(records, seed=seed, said=said)
        said("write the pages")
        write_audit_page(
            found.audit,
            folder / "audit.html",
            truth=found.truth,
            title="Audit of the demonstration",
        )
        write_whole(folder / "demo.html", demo_page(found, audit_file="audit.html"))
        progress.update()
    if as_json:
        print_json(_plain(found))
    else:
        click.echo(_text(found, folder))


def _activation() -> list[str]:
    """Return how to get at the command, where the shell does not find it."""
    scripts = Path(sys.prefix, "bin", "activate")
    if shutil.which("scumble") is not None or not scripts.is_file():
        return []
    return [f"  source {os.path.relpath(scripts)}"]


def _plain(demo: "Demo") -> dict[str, object]:
    return {
        "records": demo.records,
        "accuracy": {row.method: row.accuracy for row in (*demo.trees, demo.clear)},
        "estimate": {"accuracy": demo.estimate.accuracy, "error": demo.estimate.error},
        "lights": {own.name: own.light.colour for own in demo.audit},
        "nearer": {row.name: row.gain for row in demo.attributes},
    }


def _text(demo: "Demo", folder: Path) -> str:
    from scumble.report import sketch

    def strong(text: str) -> str:
        return click.style(text, bold=True)

    lines = [
        f"{demo.records:,} people, nine attributes, each disguised at 100 % privacy.",
        "",
        strong(f"{'':11}{'true':20}{'reported':20}{'recovered':20}nearer"),
    ]
    for row in demo.attributes:
        drawn = [sketch(shares) for shares in (row.true, row.reported, row.recovered)]
        lines.append(
            f"{row.name:11}" + "".join(f"{own:20}" for own in drawn) + f"{row.gain:4.0f} x"
        )
    lines += ["", strong("Trees from these reports, on people who are not among them:")]
    for tree in (*demo.trees, demo.clear):
        lines.append(
            f"  {tree.method:13}{tree.accuracy:6.1%} right, {tree.leaves} leaves, "
            f"{tree.seconds:.1f} s"
        )
    lines.append(f"The last but one, by a disguised test set: {demo.estimate}.")
    lines += ["", strong("Its rules with the most support:")]
    lines += [f"  {one_line(str(rule), 78)}" for rule in demo.tree.rules()[:3]]
    worst = demo.audit.light
    colour = {"red": "red", "amber": "yellow", "green": "green"}.get(worst, "white")
    lines += [
        "",
        f"{strong('What an adversary learns:')} worst light {click.style(worst, fg=colour)}.",
    ]
    for attack in demo.audit.attacks:
        rates = f"{attack.success:.0%}, without reports {attack.base:.0%}"
        lines.append(f"  {one_line(f'{attack.attack}: {rates}', 78)}")
    return "\n".join(
        [
            *lines,
            "",
            f"The pages: {folder / 'demo.html'} and {folder / 'audit.html'}.",
            "",
            strong("With a table of your own:"),
            *_activation(),
            "  scumble plan people.csv --class income --disguise -o people.toml",
            "  scumble disguise people.csv --spec people.toml -o reports.parquet",
            "  scumble grow reports.parquet --spec people.toml -o model.json",
        ]
    )
