"""`scumble audit`: what an adversary learns."""

from itertools import product
from pathlib import Path

import click

from scumble.cli.terminal import (
    Command,
    bar,
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

FAILED = 3


@click.command(
    cls=Command,
    short_help="Say what an adversary learns.",
    example="""scumble audit --spec people.toml -o audit.html --fail-if "light = red"
    scumble audit --spec people.toml --truth people.csv --reports reports.csv""",
)
@spec_option()
@click.option("--truth", metavar="FILE", help="Truths, to mount attacks and draw them.")
@click.option("--reports", metavar="FILE", help="Reports, of the same records in the same order.")
@output_option("Where the page goes, as HTML.")
@click.option("--json", "json_file", metavar="FILE",
              help="Where the figures go, as JSON; - prints them.")  # fmt: skip
@click.option("--fail-if", "conditions", metavar="COND", multiple=True,
              help='End with exit code 3 where this holds, such as "exposed > 0.01", '
              '"guess > 0.5", "attack > 0.2", "epsilon > 4" or "light = red".')  # fmt: skip
@seed_option("Make the attacks, which sample records, repeatable.")
@other_spec_option()
@click.pass_context
def command(
    ctx: click.Context,
    spec_file: str,
    truth: str | None,
    reports: str | None,
    output: str | None,
    json_file: str | None,
    conditions: tuple[str, ...],
    seed: int | None,
    any_spec: bool,
) -> None:
    """Say what an adversary learns from a specification, from reports, by attacks.

    Each attribute gets a light: red, amber or green; grey is told in clear. The more is given,
    the more is said: the specification alone, reports, truths beside them.
    """
    from scumble.audit import audit
    from scumble.engines import check_not_source, read_reports
    from scumble.report import write_audit_page
    from scumble.tables import provenance

    for target, source in product((output, json_file), (truth, reports)):
        check_not_source(target, source)
    spec = specification(spec_file)
    told = (
        None
        if reports is None
        else read_reports(source_of(reports), spec, other=any_spec, progress=shown())
    )
    made = None if told is None else provenance(told)
    if made is not None and made.seeded:
        note("these reports were made with a seed: who knows it can take the noise off.")
    clear = None if truth is None else truths(truth, spec)
    found = audit(spec, reports=told, truth=clear, seed=seed, progress=shown())
    failed = found.failed(conditions)
    if output is not None:
        with bar("write the page", total=1, unit=" pages") as done:
            write_audit_page(found, output, truth=clear, title=f"Audit of {Path(spec_file).stem}")
            done.update()
    if json_file is not None and json_file != "-":
        found.to_json(json_file)
    if json_file == "-":
        print_json(found.to_dict())
    else:
        click.echo(found.to_text())
    if output is not None:
        note(f"the page is in {output}")
    for text in failed:
        note(f"failed: {text}")
    if failed:
        ctx.exit(FAILED)
