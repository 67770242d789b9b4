"""Release a table once in a process of its own; print seconds and memory."""

import json
import re
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

from scumble import Categorical, Criteria, Numeric, Specification
from scumble.engines import read_table
from scumble.mechanisms import GaussianNoise, RandomizedResponse
from scumble.release import release
from scumble.treatments import Discretize, GroupRare, Shuffle

TOWNS = 2000
SPEC = Specification(
    {
        "age": Numeric(18, 90, step=1, treatment=Discretize(method="mdlp")),
        "income": Numeric(1000, 500_000, treatment=Shuffle(within=("ill",))),
        "town": Categorical(
            [f"town {place}" for place in range(TOWNS)],
            treatment=GroupRare(minimum=5),
            sensitivity="public",
        ),
        "pulse": Numeric(-6, 6, mechanism=GaussianNoise(privacy=0.5)),
        "pressure": Numeric(-6, 6, treatment=Shuffle(within=("ill",), like=("pulse",))),
        "grade": Categorical(list(range(10)), mechanism=RandomizedResponse(keep=0.4)),
        "share": Numeric(0, 1),
        "score": Numeric(0, 1, treatment=Discretize(method="frequency", bins=20)),
        "blood": Categorical(["A", "B", "AB"], treatment=Shuffle()),
        "ill": Categorical(["no", "yes"]),
    },
    class_attribute="ill",
    release=Criteria(identification=0.6),
)


def people(size: int) -> pa.Table:
    """Return a table of ten columns: numbers, categories, text."""
    rng = np.random.default_rng(0)
    towns = np.array([f"town {place}" for place in range(TOWNS)])
    return pa.table(
        {
            "age": rng.integers(18, 91, size),
            "income": rng.lognormal(10, 0.5, size).clip(1000, 500_000).round(2),
            "town": towns[rng.zipf(1.5, size).clip(1, TOWNS) - 1],
            "pulse": rng.normal(0, 1, size).clip(-6, 6),
            "pressure": rng.normal(0, 1, size).clip(-6, 6),
            "grade": rng.integers(0, 10, size),
            "share": rng.random(size),
            "score": rng.random(size),
            "blood": np.array(["A", "B", "AB"])[rng.integers(0, 3, size)],
            "ill": np.array(["no", "yes"])[(rng.random(size) < 0.4).astype(int)],
        }
    )


def write(table: pa.Table, path: Path) -> None:
    """Write a table as its name says."""
    (parquet.write_table if path.suffix == ".parquet" else csv.write_csv)(table, path)


def _resident(which: str) -> float:
    """Return the memory held now (VmRSS) or at the most (VmHWM), in bytes."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{which}:\s+(\d+) kB", status)[1]) * 1024


def main(path: Path) -> None:
    """Release a file, warmed up by a small one, and read and write it as the peer does."""
    small = path.with_name(f"small{path.suffix}")
    write(people(2000), small)
    release(small, SPEC, output=path.with_name(f"small-released{path.suffix}"))
    pa.default_memory_pool().release_unused()
    held = _resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # forget the most that was held so far
    start = time.process_time()
    release(path, SPEC, output=path.with_name(f"released{path.suffix}"))
    ours = time.process_time() - start
    most = _resident("VmHWM") - held
    start = time.process_time()
    table = read_table(path)
    order = np.random.default_rng(1).permutation(len(table))
    write(table.take(pa.array(order)), path.with_name(f"peer{path.suffix}"))
    peer = time.process_time() - start
    print(json.dumps([ours, peer, most / table.nbytes]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
