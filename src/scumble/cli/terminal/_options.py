"""Options that several commands have, always under one name."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click


class Command(click.Command):
    """A command whose help keeps the lines of its example as they are.

    Parameters
    ----------
    example : str
        Command lines that work, shown at the end of the help.
    """

    def __init__(self, *args: Any, example: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        self.example = example

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Example"):
            for line in self.example.strip().splitlines():
                formatter.write(f"  {line.strip()}\n")


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def spec_option(
    *, required: bool = True, text: str = "The specification, TOML or JSON."
) -> Decorator:
    """Return the option --spec."""
    return click.option("--spec", "spec_file", metavar="FILE", required=required, help=text)


def output_option(text: str, *, required: bool = False, default: str | None = None) -> Decorator:
    """Return the option -o."""
    return click.option(
        "-o", "--output", metavar="OUT", required=required, default=default, help=text
    )


def seed_option(text: str = "Repeatable noise, for experiments only.") -> Decorator:
    """Return the option --seed."""
    return click.option("--seed", type=int, metavar="N", help=text)


def json_option(text: str = "Print JSON, for programs.") -> Decorator:
    """Return the option --json."""
    return click.option("--json", "as_json", is_flag=True, help=text)


def other_spec_option() -> Decorator:
    """Return the option --any-spec."""
    return click.option(
        "--any-spec",
        "any_spec",
        is_flag=True,
        help="Take reports that another specification disguised, too.",
    )


def names(given: Sequence[str], known: Iterable[str]) -> list[str]:
    """Return names of columns that were given one by one or with commas between them.

    A name that has commas or spaces around it itself is taken as it is.

    Examples
    --------
    >>> names(["age, town", " pulse", "a,b", "none"], ["age", "town", " pulse", "a,b"])
    ['age', 'town', ' pulse', 'a,b', 'none']
    """
    columns, found = set(known), []
    for text in given:
        parts = text.split(",")
        while parts:
            name, used = _first(parts, columns)
            found.append(name)
            parts = parts[used:]
    return [name for name in found if name]


def _first(parts: list[str], columns: set[str]) -> tuple[str, int]:
    """Return the longest name that text between commas begins with, and how many parts it has."""
    for used in range(len(parts), 0, -1):
        text = ",".join(parts[:used])
        for name in (text, text.strip()):
            if name in columns:
                return name, used
    return parts[0].strip(), 1
