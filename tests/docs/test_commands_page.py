"""The page on the command line: its examples run, and it lists every command and option."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

import scumble
from scumble.cli import run
from scumble.cli.terminal import scumble_group

ROOT = Path(scumble.__file__).parents[2]
PAGE = (ROOT / "docs" / "commands.md").read_text()
README = (ROOT / "README.md").read_text()


def _commands():
    context = click.Context(scumble_group)
    names = scumble_group.list_commands(context)
    return {n: scumble_group.get_command(context, n) for n in names}


def _section(name):
    found = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", PAGE, flags=re.DOTALL | re.MULTILINE)
    return "" if found is None else found[1]


@pytest.mark.parametrize("name", _commands())
def test_a_command_is_documented_with_every_option_and_an_example(name):
    section = _section(name)

    assert f"$ scumble {name}" in section
    for option in _commands()[name].params:
        if isinstance(option, click.Option):
            for spelled in option.opts:
                assert f"`{spelled}`" in section, spelled


@pytest.mark.parametrize("name", _commands())
def test_an_option_that_is_documented_exists(name):
    known = {spelled for option in _commands()[name].params for spelled in option.opts}
    rows = "\n".join(row.split("|")[1] for row in _section(name).splitlines() if row[:1] == "|")

    assert set(re.findall(r"`(--?[\w-]+)`", rows)) <= known


@pytest.mark.parametrize("name", _commands())
def test_a_command_says_what_it_does_and_shows_an_example(name):
    command = _commands()[name]

    assert command.help
    assert f"scumble {name}" in command.example
    assert all(option.help for option in command.params if isinstance(option, click.Option))


@pytest.mark.parametrize("name", _commands())
def test_help_fits_a_terminal_of_80_columns(name):
    context = click.Context(_commands()[name], info_name=f"scumble {name}", terminal_width=80)

    assert max(map(len, context.get_help().splitlines())) <= 80


def _done(line, capfd):
    """Run a line as a shell would, but a lone command in this process: imports take seconds."""
    words = shlex.split(line, comments=True)
    if words[0] == "scumble" and "|" not in words:
        return run(words[1:]), capfd.readouterr().err
    line = re.sub(r"\bscumble (?=[a-z])", f"{sys.executable} -m scumble ", line)
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_the_examples_run_one_after_the_other(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(compile(code, "docs/commands.md", "exec"), {})

    lines = re.findall(r"^\$ (.*)$", PAGE, flags=re.MULTILINE)
    lines += re.findall(r"^\$ (scumble .*)$", README, flags=re.MULTILINE)
    for line in lines:
        code, said = _done(line, capfd)
        assert code == 0, f"{line}: {said}"

    for name in ("reports.parquet", "age.png", "classes.csv", "released.manifest.json"):
        assert (tmp_path / name).exists(), name
