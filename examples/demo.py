"""The main job, end to end: people disguise, a miner learns from the crowd."""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

from scumble import DisguisedTreeClassifier, disguise, reconstruct
from scumble.datasets import QUEST_DOMAINS, make_quest, quest_specification
from scumble.experiments import as_figure_2, plot_as_figure_2
from scumble.mechanisms import GaussianNoise

BLOCKS = " ▁▂▃▄▅▆▇█"


def sketch(shares: np.ndarray, width: int = 18) -> str:
    """Return a distribution as a line of text."""
    heights = np.array([part.sum() for part in np.array_split(shares, width)])
    return "".join(BLOCKS[round(8 * height / heights.max())] for height in heights)


def main() -> None:
    """Disguise a table, recover its distributions, grow a tree, draw both."""
    matplotlib.use("Agg")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--output", type=Path, default=Path("demo"))
    options = parser.parse_args()

    X, y = make_quest(function=2, n=options.records)
    spec = quest_specification(GaussianNoise(privacy=1.0))
    reports = disguise(X, spec)
    print(f"{options.records:,} people, nine attributes, each disguised at 100 % privacy.\n")
    print(f"{'':11}{'true':20}{'reported':20}{'recovered':20}nearer")
    for name, domain in QUEST_DOMAINS.items():
        truth, reported = X[name].to_numpy(), reports[name].to_numpy()
        found = reconstruct(reported, spec[name])
        edges = np.linspace(domain.low, domain.high, 19)
        lines = [np.histogram(values, edges)[0] for values in (truth, reported)]
        edges[:-1] -= 1e-9 * domain.width  # a cell holds its lower end
        lines.append(np.diff(found.cdf(edges)))
        gain = np.abs(np.sort(reported) - np.sort(truth)).mean() / found.wasserstein(truth)
        print(f"{name:11}" + "".join(f"{sketch(line):20}" for line in lines) + f"{gain:4.0f} x")

    X_test, y_test = make_quest(function=2, n=5_000)
    print("\nTrees from these reports, on people who are not among them:")
    for method in ("uncorrected", "byclass", "local", "likelihood"):
        tree = DisguisedTreeClassifier(spec, method=method).fit(reports, y)
        print(f"  {method:12}{tree.score(X_test, y_test):6.1%} right, {tree.get_n_leaves()} leaves")

    options.output.mkdir(parents=True, exist_ok=True)
    tree.plot().figure.savefig(options.output / "tree.png", dpi=120)
    plot_as_figure_2(as_figure_2()).savefig(options.output / "figure2.png", dpi=120)
    print(f"\nThe pictures are in {options.output}: tree.png, figure2.png.")


if __name__ == "__main__":
    main()
