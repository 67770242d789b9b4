"""`scumble disguise`: a file of truths in, a file of reports out."""

from pathlib import Path

import click

from scumble.cli.terminal import (
    Command,
    bar,
    note,
    output_of,
    output_option,
    records_in,
    seed_notice,
    seed_option,
    source_of,
    spec_option,
    specification,
)


@click.command(
    cls=Command,
    example="scumble disguise people.csv --spec people.toml -o reports.parquet",
)
@click.argument("source", metavar="IN")
@spec_option()
@output_option("Where the reports go; - is standard output.", default="-")
@seed_option()
@click.option("--secret-file", metavar="FILE",
              help="A secret: the same disguise for the same entity, every time.")  # fmt: skip
@click.option("--entity", metavar="COLUMN",
              help="With --secret-file: the column that names the entity.")  # fmt: skip
def command(
    source: str,
    spec_file: str,
    output: str,
    seed: int | None,
    secret_file: str | None,
    entity: str | None,
) -> None:
    """Disguise a table of truths, record by record.

    IN is read part by part, so that a table of any size needs little memory. OUT appears when
    it is finished. It says which specification disguised it: Parquet itself, CSV in a file
    beside it that ends in .scumble.json.
    """
    from scumble.engines import disguise_file

    if (secret_file is None) != (entity is None):
        raise click.UsageError("--secret-file and --entity go together")
    if seed is not None and secret_file is not None:
        raise click.UsageError("--seed and --secret-file do not go together")
    seed_notice(seed)
    spec = specification(spec_file)
    with bar("disguise", total=records_in(source)) as progress:
        count = disguise_file(
            source_of(source),
            spec,
            output=output_of(output),
            seed=seed,
            secret=None if secret_file is None else Path(secret_file).read_bytes(),
            entity=entity,
            progress=progress.update,
        )
    if output != "-":
        note(f"{count:,} records disguised, in {output}")
