"""What is said beside the answer, on stderr, and answers for programs."""

import json
import os
from typing import Any

import click


def coloured() -> bool | None:
    """Say whether to colour: never where NO_COLOR is set, else where it is seen (None)."""
    return False if os.environ.get("NO_COLOR") else None


def note(text: str) -> None:
    """Say something that is no part of the answer."""
    click.echo(f"{click.style('scumble:', dim=True)} {text}", err=True, color=coloured())


def complain(kind: str, text: str) -> None:
    """Say in one line what is wrong; kind is "error" or "warning"."""
    colour = "red" if kind == "error" else "yellow"
    line = " ".join(text.split())
    sign = click.style(f"{kind}:", fg=colour, bold=True)
    click.echo(f"scumble: {sign} {line}", err=True, color=coloured())


def seed_notice(seed: int | None) -> None:
    """Say what a seed means, where one is given."""
    if seed is not None:
        note("seeded noise is for experiments: who knows the seed can take it off.")


def print_json(value: Any) -> None:
    """Print plain values as JSON."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))
