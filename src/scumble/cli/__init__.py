"""The command line.

Each file here whose name starts with one underscore is a command of that name, and has it as
`command`; adding a file adds a command. What commands share stands in `terminal`.
"""

from scumble.cli.terminal import main, run

__all__ = ["main", "run"]
