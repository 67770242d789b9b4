"""The command line: how soon it answers, and how a large file is disguised."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pyarrow import csv

from benchmarks._clock import Result, best
from benchmarks._release_once import SPEC, people
from scumble import Categorical, Numeric, Specification
from scumble.mechanisms import GaussianNoise, RandomizedResponse

N = 5_000_000
PART = 500_000


def run() -> list[Result]:
    """Return the figures for `--help` and for a file of five million rows."""
    command = [sys.executable, "-m", "scumble", "--help"]
    answer = best(lambda: subprocess.run(command, check=True, capture_output=True), repeats=5)
    with tempfile.TemporaryDirectory() as folder:
        return [Result("scumble --help", answer, "s", 0.4), *_disguised(Path(folder))]


def specification() -> Specification:
    """Return noise on every number, randomized response on every category."""
    attributes = {}
    for name, attribute in SPEC.attributes.items():
        if isinstance(attribute, Categorical):
            response = RandomizedResponse(keep=0.6)
            attributes[name] = Categorical(attribute.values, mechanism=response)
        elif isinstance(attribute, Numeric):
            noise = GaussianNoise(privacy=1.0)
            attributes[name] = Numeric(attribute.low, attribute.high, mechanism=noise)
    return Specification(attributes)


def _disguised(folder: Path) -> list[Result]:
    path, spec = folder / "people.csv", folder / "people.toml"
    part = people(PART)
    with csv.CSVWriter(path, part.schema) as writer:
        for _ in range(N // PART):
            writer.write_table(part)
    specification().to_toml(spec)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks._disguise_once", path, spec, folder / "reports.csv"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    ours, memory = json.loads(done.stdout)
    start = time.perf_counter()
    csv.write_csv(csv.read_csv(path), folder / "peer.csv")
    peer = time.perf_counter() - start
    return [
        Result(f"disguise of {N:,} x 10, csv", ours, "s", 3 * peer),
        Result(
            "  speed against reading and writing by pyarrow", peer / ours, "x", 1 / 3, least=True
        ),
        Result("  memory of the whole process", memory, "MB", 500),
    ]
