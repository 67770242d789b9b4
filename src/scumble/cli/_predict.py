"""`scumble predict`: the class of each truth."""

import click

from scumble.cli.terminal import (
    Command,
    bar,
    note,
    output_of,
    output_option,
    records_in,
    source_of,
)


@click.command(cls=Command, example="scumble predict model.json people.csv -o classes.csv")
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="FILE")
@output_option("Where the classes go; - is standard output.", default="-")
def command(model: str, source: str, output: str) -> None:
    """Apply a model to the truths in FILE.

    OUT has a row for each record, in their order: the class, and how often records that look
    so have it. FILE is read part by part.
    """
    from scumble.mining import DisguisedTreeClassifier, predict_file

    tree = DisguisedTreeClassifier.from_json(model)
    with bar("predict", total=records_in(source)) as progress:
        count = predict_file(
            tree, source_of(source), output=output_of(output), progress=progress.update
        )
    if output != "-":
        note(f"{count:,} classes are in {output}")
