"""A million rows of ten columns released, beside reading, mixing and writing them."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks._clock import Result
from benchmarks._release_once import people, write

N = 1_000_000


def run() -> list[Result]:
    """Return the figures for CSV and Parquet."""
    with tempfile.TemporaryDirectory() as folder:
        return [result for ending in ("csv", "parquet") for result in _released(folder, ending)]


def _released(folder: str, ending: str) -> list[Result]:
    path = Path(folder, f"people.{ending}")
    write(people(N), path)
    command = [sys.executable, "-m", "benchmarks._release_once", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    ours, peer, memory = json.loads(done.stdout)
    return [
        Result(f"release of {N:,} x 10, {ending}, processor time", ours, "s", 10),
        Result("  against reading, mixing and writing by pyarrow", ours / peer, "x", 6),
        Result("  memory above the start, in tables", memory, "x", 3),
    ]
