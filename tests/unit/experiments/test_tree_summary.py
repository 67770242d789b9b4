import math

import pytest

from scumble.errors import SpecificationError
from scumble.experiments import PUBLISHED, Accuracies, Points, TreeRow, accuracy_table, tree_cases


def _row(accuracy, *, seed=1, n=1000, function=1, algorithm="ByClass"):
    noise, privacy = (None, 0.0) if algorithm == "Original" else ("uniform", 1.0)
    return TreeRow(function, algorithm, noise, privacy, seed, n, accuracy, 3, 0.1)


def test_the_spread_is_the_standard_deviation_over_seeds():
    points = Accuracies([_row(0.9, seed=1), _row(0.94, seed=2)]).of(1, "ByClass", "uniform", 1.0)

    assert points.mean == pytest.approx(92)
    assert points.spread == pytest.approx(2 * math.sqrt(2))


def test_a_single_seed_has_no_spread():
    points = Points.over([0.9])

    assert math.isnan(points.spread)
    assert str(points) == "90.0"


def test_differences_are_taken_seed_by_seed():
    rows = [_row(a, seed=s) for s, a in [(1, 0.8), (2, 0.9)]]
    rows += [_row(a, seed=s, algorithm="Original") for s, a in [(1, 0.9), (2, 1.0)]]
    found = Accuracies(rows)
    gap = found.between((1, "Original", None, 0.0), (1, "ByClass", "uniform", 1.0))

    assert gap.mean == pytest.approx(10)
    assert gap.spread == pytest.approx(0, abs=1e-9)


def test_differences_of_several_pairs_are_averaged_within_a_seed():
    shares = {(1, "Original"): (0.9, 1.0), (1, "ByClass"): (0.8, 0.9)}
    shares |= {(2, "Original"): (0.9, 1.0), (2, "ByClass"): (0.6, 0.9)}
    rows = [
        _row(accuracy, seed=seed, function=function, algorithm=algorithm)
        for (function, algorithm), both in shares.items()
        for seed, accuracy in enumerate(both)
    ]
    pairs = [((f, "Original", None, 0.0), (f, "ByClass", "uniform", 1.0)) for f in (1, 2)]
    gap = Accuracies(rows).mean_between(pairs)

    assert gap.mean == pytest.approx(15)
    assert gap.spread == pytest.approx(5 * math.sqrt(2))


def test_differences_need_the_same_seeds():
    found = Accuracies([_row(0.8, seed=1), _row(0.9, seed=2, algorithm="Original")])

    with pytest.raises(SpecificationError, match="same seeds"):
        found.between((1, "Original", None, 0.0), (1, "ByClass", "uniform", 1.0))


def test_rows_of_several_sizes_are_not_averaged():
    with pytest.raises(SpecificationError, match="one number of training records"):
        Accuracies([_row(0.9), _row(0.9, n=2000)])


def test_the_table_fits_80_columns_and_has_a_line_for_each_disguise():
    cases = tree_cases(
        functions=range(1, 6), algorithms=tuple(PUBLISHED), privacies=[0.25, 2.0], seeds=[1, 2]
    )
    rows = [
        TreeRow(c.function, c.algorithm, c.noise, c.privacy, c.seed, c.n, 1.0, 3, 0.1)
        for c in cases
    ]
    lines = accuracy_table(rows).splitlines()

    assert len(lines) == 1 + 1 + 4 * 2 * 2
    assert all(len(line) <= 80 for line in lines)
    assert lines[1].count("100.0 ±0.0") == 5
