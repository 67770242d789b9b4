"""The main job, end to end: the same as `scumble demo`."""

import sys

from scumble.cli import run

if __name__ == "__main__":
    sys.exit(run(["demo", *sys.argv[1:]]))
