"""`python -m scumble` is the command line."""

from scumble.cli import main

main()
