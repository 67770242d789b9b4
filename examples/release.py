"""A custodian plans and releases a table: `python examples/release.py`."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from scumble.mining import C45Classifier
from scumble.release import plan, release


def patients(count: int) -> pd.DataFrame:
    """Return a made-up table of a hospital."""
    rng = np.random.default_rng(0)
    ill = rng.random(count) < 0.4
    return pd.DataFrame(
        {
            "patient": np.arange(count) + 7000,
            "age": rng.integers(20, 70, count) + 15 * ill,
            "pulse": rng.normal(70, 8, count) + 6 * ill,
            "smokes": rng.random(count) < 0.2 + 0.4 * ill,
            "shoe_size": rng.integers(36, 47, count),
            "ill": np.where(ill, "yes", "no"),
        }
    )


def main() -> None:
    """Plan, release, and see what a miner makes of it."""
    table = patients(3000)
    proposed = plan(table, class_attribute="ill")
    print(proposed.to_text(), end="\n\n")

    with tempfile.TemporaryDirectory() as folder:
        released = release(table, proposed.specification, output=Path(folder, "patients.csv"))
        print(released.manifest.to_text(), end="\n\n")
        print("written:", *sorted(path.name for path in Path(folder).iterdir()))

    for name, part in (("truth", table), ("release", released.table)):
        tree = C45Classifier().fit(part.drop(columns=["ill", "patient"], errors="ignore"), part.ill)
        score = tree.score(part[tree.feature_names_in_], part.ill)
        leaves = tree.get_n_leaves()
        print(f"a tree of the {name} puts {100 * score:.0f} % right, with {leaves} leaves")


if __name__ == "__main__":
    main()
