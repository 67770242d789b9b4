"""`scumble plan`: a specification proposed for a table."""

from pathlib import Path
from shlex import quote

import click

from scumble.cli.terminal import (
    Command,
    json_option,
    names,
    note,
    output_option,
    print_json,
    shown,
    truths,
)


@click.command(
    cls=Command,
    example="""scumble plan people.csv --class income --disguise -o people.toml
    scumble plan people.csv --class income --withheld name -o release.toml""",
)
@click.argument("source", metavar="FILE")
@click.option("--class", "class_name", metavar="COLUMN", required=True,
              help="The class to learn.")  # fmt: skip
@click.option("--public", metavar="NAMES", multiple=True,
              help="Columns that all may see, with commas.")  # fmt: skip
@click.option("--withheld", metavar="NAMES", multiple=True,
              help="Columns that nobody may see, with commas.")  # fmt: skip
@click.option("--disguise", is_flag=True,
              help="For people who disguise their own answers (scumble disguise), not for a "
              "table that is treated as a whole (scumble release).")  # fmt: skip
@click.option("--privacy", type=float, default=1.0, show_default=True, metavar="SHARE",
              help="With --disguise: noise on numbers and dates, by their range.")  # fmt: skip
@click.option("--epsilon", type=float, default=1.0, show_default=True, metavar="E",
              help="With --disguise: what a category may tell at the most.")  # fmt: skip
@click.option("--threshold", type=float, default=0.05, show_default=True, metavar="BITS",
              help="What an attribute must tell of the class to be relevant.")  # fmt: skip
@output_option("Where the proposed specification goes, as TOML.")
@json_option("Print the proposed specification as JSON, for programs.")
def command(
    source: str,
    class_name: str,
    public: tuple[str, ...],
    withheld: tuple[str, ...],
    disguise: bool,
    privacy: float,
    epsilon: float,
    threshold: float,
    output: str | None,
    as_json: bool,
) -> None:
    """Propose a specification for a table, to be read and edited.

    It weighs how much each column of FILE tells of the class against how sensitive it is.
    Columns are private unless you say that they are public or withheld. The proposal tells
    something of the table: values, bounds, cut-points.
    """
    from scumble.engines import check_not_source
    from scumble.release import disguised_specification, disguised_text, plan

    check_not_source(output, source)
    table = truths(source, None)
    found = plan(
        table,
        class_attribute=class_name,
        public=names(public, table.column_names),
        withheld=names(withheld, table.column_names),
        threshold=threshold,
        progress=shown(),
    )
    spec, text = found.specification, found.to_text()
    if disguise:
        spec = disguised_specification(found, privacy=privacy, epsilon=epsilon)
        text = disguised_text(found, spec)
    if output is not None:
        spec.to_toml(output)
    if as_json:
        print_json(spec.to_dict())
        return
    click.echo(text)
    if output is None:
        click.echo("\n" + spec.to_toml().rstrip())
        return
    verb, end = ("disguise", "reports") if disguise else ("release", "released")
    target = f"{Path(source).name.split('.')[0]}-{end}.csv"
    note(f"the specification is in {output}: read and edit it, then")
    click.echo(
        f"  scumble {verb} {quote(source)} --spec {quote(output)} -o {quote(target)}", err=True
    )
