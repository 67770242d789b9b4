"""`scumble doctor`: whether everything is in place."""

import click

from scumble.cli.terminal import Command, json_option, print_json


@click.command(cls=Command, short_help="Check the installation.", example="scumble doctor")
@json_option()
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Check the installation: versions, compiled code, threads, data sets, terminal."""
    from scumble.report import examine

    findings = examine()
    if as_json:
        print_json([own.to_dict() for own in findings])
    else:
        for own in findings:
            sign = click.style("ok  ", fg="green") if own.fine else click.style("look", fg="yellow")
            click.echo(f"{sign}  {own.what:<18}{own.found}")
            if own.advice and not own.fine:
                click.echo(f"{'':24}{own.advice}")
    if not all(own.fine for own in findings if own.needed):
        ctx.exit(1)
