"""Disguise a file once in a process of its own; print seconds and memory."""

import json
import re
import sys
import time
from pathlib import Path

from scumble import Specification
from scumble.engines import disguise_file


def main(source: str, spec: str, output: str) -> None:
    """Disguise a file."""
    start = time.perf_counter()
    disguise_file(source, Specification.from_toml(spec), output=output)
    seconds = time.perf_counter() - start
    most = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    print(json.dumps([seconds, int(most[1]) / 1024]))


if __name__ == "__main__":
    main(*sys.argv[1:])
