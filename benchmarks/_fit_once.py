"""Fit a tree once in a process of its own; print seconds of work and gigabytes above the input."""

import json
import re
import sys
import time
from pathlib import Path

from benchmarks.bench_trees import SPEC, quest_reports
from scumble import DisguisedTreeClassifier


def _resident(which: str) -> float:
    """Return the memory held now (VmRSS) or at the most (VmHWM), in gigabytes."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{which}:\s+(\d+) kB", status)[1]) / 2**20


def main(method: str, n: int) -> None:
    """Fit once, warmed up, and print the figures as JSON."""
    tree = DisguisedTreeClassifier(SPEC, method=method, random_state=1)
    tree.fit(*quest_reports(10_000))
    table, y = quest_reports(n)
    held = _resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # forget the most that was held so far
    start = time.process_time()
    tree.fit(table, y)
    seconds = time.process_time() - start
    print(json.dumps([seconds, _resident("VmHWM") - held]))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
