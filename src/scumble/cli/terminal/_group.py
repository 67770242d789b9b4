"""The command `scumble` itself, which finds its commands by their files."""

import difflib
import importlib
from pathlib import Path

import click

_FOLDER = Path(__file__).parents[1]


class Commands(click.Group):
    """A group with a command for each file of a folder, imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(path.stem[1:].replace("_", "-") for path in _FOLDER.glob("_[a-z]*.py"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"scumble.cli._{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            close = difflib.get_close_matches(args[0], known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(known)}"
            raise click.UsageError(f"no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"scumble {version('scumble')}")
        ctx.exit()


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version,
              help="Print the version.")  # fmt: skip
def scumble_group() -> None:
    """Disguise the answers, learn from the crowd.

    People disguise their answers as a specification says; distributions and decision trees
    are recovered from the reports. Start with `scumble demo`, or with a table of your own:
    `scumble plan people.csv --class income --disguise -o people.toml`.

    Files are CSV (also .csv.gz; any usual delimiter and encoding) or Parquet by their names; - is
    a pipe of CSV. Each command answers --help with an example.
    """
