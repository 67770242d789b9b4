"""`scumble reconstruct`: the distribution behind reports."""

import click

from scumble.cli.terminal import (
    Command,
    json_option,
    names,
    other_spec_option,
    print_json,
    shown,
    source_of,
    spec_option,
    specification,
)

METHODS = ("auto", "bayes", "em", "ems", "inversion", "penalised", "likelihood")


@click.command(
    cls=Command,
    example="""scumble reconstruct reports.parquet --spec people.toml
    scumble reconstruct reports.csv --spec people.toml --attribute age --json""",
)
@click.argument("reports", metavar="REPORTS")
@spec_option()
@click.option("--attribute", "attributes", metavar="NAME", multiple=True,
              help="Which one; several with commas. By default all disguised ones.")  # fmt: skip
@click.option("--method", type=click.Choice(METHODS), default="auto", show_default=True,
              help="How; bayes is as published.")  # fmt: skip
@click.option("--plot", metavar="PNG", help="Draw the reported and the recovered distribution.")
@json_option()
@other_spec_option()
def command(
    reports: str,
    spec_file: str,
    attributes: tuple[str, ...],
    method: str,
    plot: str | None,
    as_json: bool,
    any_spec: bool,
) -> None:
    """Recover the distribution of the truths behind REPORTS."""
    from scumble.engines import read_reports
    from scumble.report import reconstruct_all, reconstruction_text, save_reconstructions

    spec = specification(spec_file)
    table = read_reports(source_of(reports), spec, other=any_spec, progress=shown())
    found = reconstruct_all(
        table, spec, attributes=names(attributes, spec), method=method, progress=shown()
    )
    if plot is not None:
        save_reconstructions(found, plot)
    if as_json:
        print_json({name: own.to_dict() for name, own in found.items()})
    else:
        click.echo("\n\n".join(reconstruction_text(own, name=name) for name, own in found.items()))
