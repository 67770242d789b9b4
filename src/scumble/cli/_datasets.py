"""`scumble datasets`: what there is to experiment on."""

from dataclasses import asdict

import click

from scumble.cli.terminal import Command, json_option, print_json


@click.command(
    cls=Command, short_help="List the published data sets.", example="scumble datasets --json"
)
@json_option()
def command(as_json: bool) -> None:
    """List the published data sets, where they were found, and how to get them."""
    from scumble.datasets import dataset_states

    states = dataset_states()
    if as_json:
        rows = [asdict(s) | {"found": None if s.found is None else str(s.found)} for s in states]
        print_json(rows)
        return
    for state in states:
        where = f"fetched when loaded ({state.source})" if state.found is None else str(state.found)
        click.echo(f"{state.name:<25}{state.rows:>7,} x {state.columns:<4}{where}")
    click.echo(
        "\nFrom Python: scumble.datasets.load_NAME(). Files are looked for in the folder that\n"
        "SCUMBLE_DATA names, else fetched from OpenML once. scumble.datasets.make_quest\n"
        "generates tables of any size."
    )
