"""`scumble grow`: a decision tree from reports."""

import click

from scumble.cli.terminal import (
    Command,
    json_option,
    note,
    other_spec_option,
    output_option,
    print_json,
    seed_option,
    shown,
    source_of,
    spec_option,
    specification,
    truths,
)

METHODS = ("likelihood", "byclass", "local", "global", "inversion", "uncorrected")


@click.command(
    cls=Command,
    example="scumble grow reports.parquet --spec people.toml -o model.json",
)
@click.argument("reports", metavar="REPORTS")
@spec_option(required=False, text="What disguised the reports; without it they are in clear.")
@click.option("--class", "class_name", metavar="COLUMN",
              help="The class; by default the one of the specification.")  # fmt: skip
@click.option("--method", type=click.Choice(METHODS), default="likelihood", show_default=True,
              help="How the disguise is corrected for.")  # fmt: skip
@click.option("--max-depth", type=click.IntRange(min=1), metavar="N",
              help="How deep the tree may get.")  # fmt: skip
@output_option("Where the model goes, as JSON.")
@seed_option("Make the search, which starts at random, repeatable.")
@json_option("Print a summary as JSON, for programs.")
@other_spec_option()
def command(
    reports: str,
    spec_file: str | None,
    class_name: str | None,
    method: str,
    max_depth: int | None,
    output: str | None,
    seed: int | None,
    as_json: bool,
    any_spec: bool,
) -> None:
    """Grow a decision tree from REPORTS, and print it.

    The tree is for truths: ship the model to where they are, and apply it by `scumble predict`.
    A table that was released, or any other in clear, is mined without --spec.
    """
    from scumble.engines import check_not_source, read_reports
    from scumble.mining import grown_from, model_summary, selection_text

    check_not_source(output, reports)
    spec = None if spec_file is None else specification(spec_file)
    table = (
        truths(reports, None)
        if spec is None
        else read_reports(source_of(reports), spec, other=any_spec, progress=shown())
    )
    tree = grown_from(
        table,
        spec,
        class_attribute=class_name,
        method=method,
        max_depth=max_depth,
        random_state=seed,
        n_jobs=-1,
        verbose=shown(),
    )
    if output is not None:
        tree.set_params(verbose=False).to_json(output)
    if as_json:
        print_json(model_summary(tree))
    else:
        click.echo("\n".join([tree.to_text(), *selection_text(tree)]))
    if output is not None:
        note(f"the model is in {output}")
