"""`scumble release`: a table that is fit to publish."""

from pathlib import Path

import click

from scumble.cli.terminal import (
    Command,
    json_option,
    note,
    output_option,
    print_json,
    shown,
    spec_option,
    specification,
)


@click.command(
    cls=Command,
    short_help="Treat a table and write what is fit to publish.",
    example="scumble release people.csv --spec release.toml -o released.csv",
)
@click.argument("source", metavar="FILE")
@spec_option()
@output_option("A file, or a folder for a file of the same name.", required=True)
@json_option("Print the manifest as JSON, for programs.")
def command(source: str, spec_file: str, output: str, as_json: bool) -> None:
    """Treat a table as a specification says, check it, and write what is fit to publish.

    Beside OUT a manifest is written: what was done, and what that leaves to see. Nothing is
    written where a criterion of the specification is not fulfilled.
    """
    import json

    from scumble.release import release

    target = Path(output)
    if output.endswith("/") or target.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        target = target / Path(source).name
    found = release(source, specification(spec_file), output=target, progress=shown())
    if as_json:
        print_json(json.loads(found.manifest.to_json()))
    else:
        click.echo(found.manifest.to_text())
    note(f"the table is in {target}, and its manifest beside it")
