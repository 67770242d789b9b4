"""What all commands share: options, messages, bars, and how a command ends.

Nothing here imports more than click when it is imported: `scumble --help` must answer at once.
"""

from scumble.cli.terminal._bars import bar, shown
from scumble.cli.terminal._files import (
    output_of,
    records_in,
    source_of,
    specification,
    truths,
)
from scumble.cli.terminal._group import Commands, scumble_group
from scumble.cli.terminal._messages import note, print_json, seed_notice
from scumble.cli.terminal._options import (
    Command,
    json_option,
    names,
    other_spec_option,
    output_option,
    seed_option,
    spec_option,
)
from scumble.cli.terminal._run import main, run

__all__ = [
    "Command",
    "Commands",
    "bar",
    "json_option",
    "main",
    "names",
    "note",
    "other_spec_option",
    "output_of",
    "output_option",
    "print_json",
    "records_in",
    "run",
    "scumble_group",
    "seed_notice",
    "seed_option",
    "shown",
    "source_of",
    "spec_option",
    "specification",
    "truths",
]
