"""`scumble test`: how accurate a model is, on reports or on truths."""

from dataclasses import asdict

import click

from scumble.cli.terminal import (
    Command,
    json_option,
    other_spec_option,
    print_json,
    shown,
    source_of,
    spec_option,
    specification,
    truths,
)


@click.command(
    cls=Command,
    example="""scumble test model.json reports_test.parquet
    scumble test model.json --truth people_test.csv""",
)
@click.argument("model", metavar="MODEL")
@click.argument("reports", metavar="[REPORTS]", required=False)
@spec_option(required=False, text="What disguised the reports; by default as the model was grown.")
@click.option("--truth", metavar="FILE", help="Test on truths in clear.")
@click.option(
    "--class", "class_name", metavar="COLUMN", help="The class, if the model does not say."
)
@click.option("--method", type=click.Choice(("likelihood", "inversion")), default="likelihood",
              show_default=True, help="How the accuracy is estimated from reports.")  # fmt: skip
@json_option()
@other_spec_option()
def command(
    model: str,
    reports: str | None,
    spec_file: str | None,
    truth: str | None,
    class_name: str | None,
    method: str,
    as_json: bool,
    any_spec: bool,
) -> None:
    """Test a model: on REPORTS, through the disguise, or on truths.

    Either way it is the accuracy on truths, with its standard error. The class is among the
    columns.
    """
    from scumble.engines import read_reports
    from scumble.mining import DisguisedTreeClassifier, accuracy_on, own_types

    if reports is None and truth is None:
        raise click.UsageError("expected REPORTS or --truth FILE")
    tree = DisguisedTreeClassifier.from_json(model).set_params(verbose=shown())
    if spec_file is not None:
        tree.set_params(spec=specification(spec_file))
    told = None
    if reports is not None:
        told = (
            truths(reports, None, types=own_types(tree))
            if tree.spec is None
            else read_reports(source_of(reports), tree.spec, other=any_spec, progress=shown())
        )
    clear = None if truth is None else truths(truth, tree.spec, types=own_types(tree))
    found = accuracy_on(tree, reports=told, truth=clear, class_attribute=class_name, method=method)
    if as_json:
        print_json({name: asdict(score) for name, score in found.items()})
        return
    for name, score in found.items():
        click.echo(f"accuracy on truths, from {name}: {score}")
