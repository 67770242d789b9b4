"""The best split against trying all of them."""

from itertools import combinations

import numpy as np
import pytest

from scumble.mining._search import ENTROPY, GINI, best_splits


def _impurity(counts, criterion):
    weight = counts.sum()
    if weight == 0:
        return 0.0
    shares = counts / weight
    if criterion == GINI:
        return weight * (1 - (shares**2).sum())
    positive = shares[shares > 0]
    return -weight * (positive * np.log2(positive)).sum()


def _gain(cells, left, criterion):
    left = np.asarray(left, dtype=bool)
    parts = cells[left].sum(axis=0), cells[~left].sum(axis=0)
    if min(part.sum() for part in parts) <= 0:
        return -np.inf
    return _impurity(cells.sum(axis=0), criterion) - sum(_impurity(p, criterion) for p in parts)


def _ordered_splits(size):
    for cut in range(1, size + 1):
        for missing in (0, 1):
            yield [missing] + [1] * cut + [0] * (size - cut)


def _subset_splits(size):
    for count in range(1, size + 1):
        for chosen in combinations(range(1, size + 1), count):
            for missing in (0, 1):
                yield [missing] + [int(v in chosen) for v in range(1, size + 1)]


def _best(counts, *, sizes, nominal, criterion=GINI, least=0.0):
    counts = np.asarray(counts, dtype=float)
    offsets = np.cumsum([0, *sizes])
    nodes, classes = len(counts), counts.shape[2]
    totals, gains = np.empty((nodes, classes)), np.empty(nodes)
    attribute = np.empty(nodes, dtype=np.int64)
    branch = np.zeros((nodes, max(sizes)), dtype=np.int16)
    ends = np.zeros((nodes, 2), dtype=np.int64)
    best_splits(
        counts,
        offsets,
        np.asarray(nominal),
        criterion,
        least,
        totals,
        gains,
        attribute,
        branch,
        ends,
    )
    return totals, gains, attribute, 1 - branch, ends


def _random_counts(rng, *, classes, size, missing):
    counts = rng.integers(0, 20, (1, size + 1, classes)).astype(float)
    counts[:, rng.random(size + 1) < 0.3] = 0
    counts[:, 1] = 3
    counts[:, 2, 0] = 9
    if not missing:
        counts[:, 0] = 0
    return counts


@pytest.mark.parametrize("criterion", [GINI, ENTROPY])
@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("missing", [False, True])
def test_the_best_cut_of_ordered_cells_is_found(criterion, classes, missing):
    rng = np.random.default_rng(classes)
    for _ in range(50):
        counts = _random_counts(rng, classes=classes, size=8, missing=missing)

        _, gains, attribute, left, _ = _best(
            counts, sizes=[9], nominal=[False], criterion=criterion
        )

        best = max(_gain(counts[0], split, criterion) for split in _ordered_splits(8))
        assert attribute[0] == 0
        assert gains[0] == pytest.approx(best, abs=1e-9)
        assert _gain(counts[0], left[0], criterion) == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("criterion", [GINI, ENTROPY])
def test_the_best_subset_of_categories_is_found_for_two_classes(criterion):
    rng = np.random.default_rng(1)
    for _ in range(50):
        counts = _random_counts(rng, classes=2, size=6, missing=False)

        _, gains, _, left, _ = _best(counts, sizes=[7], nominal=[True], criterion=criterion)

        best = max(_gain(counts[0], split, criterion) for split in _subset_splits(6))
        assert gains[0] == pytest.approx(best, abs=1e-9)
        assert _gain(counts[0], left[0], criterion) == pytest.approx(best, abs=1e-9)


def test_a_subset_for_many_classes_comes_near_the_best():
    rng = np.random.default_rng(2)
    ratios = []
    for _ in range(50):
        counts = _random_counts(rng, classes=4, size=6, missing=False)
        _, gains, *_ = _best(counts, sizes=[7], nominal=[True])
        ratios.append(gains[0] / max(_gain(counts[0], s, GINI) for s in _subset_splits(6)))

    assert np.mean(ratios) > 0.9
    assert max(ratios) <= 1 + 1e-9


def test_the_best_attribute_wins_and_the_first_of_equals():
    cells = np.zeros((2, 9, 2))
    cells[:, 1:3] = [[5, 5], [5, 5]]
    cells[:, 4:6] = [[9, 1], [1, 9]]
    cells[:, 7:9] = [[9, 1], [1, 9]]

    _, _, attribute, *_ = _best(cells, sizes=[3, 3, 3], nominal=[False] * 3)

    assert attribute.tolist() == [1, 1]


def test_no_split_leaves_less_than_the_least_weight_on_a_side():
    cells = np.zeros((1, 4, 2))
    cells[0, 1:] = [[3, 0], [0, 4], [0, 5]]

    _, _, attribute, _left, ends = _best(cells, sizes=[4], nominal=[False], least=5)

    assert attribute[0] == 0
    assert ends[0].tolist() == [2, 3]
    assert _best(cells, sizes=[4], nominal=[False], least=7)[2][0] == -1


def test_cells_on_both_sides_of_a_gap_are_told():
    cells = np.zeros((1, 6, 2))
    cells[0, 2], cells[0, 5] = [4, 0], [0, 4]

    _, _, _, _, ends = _best(cells, sizes=[6], nominal=[False])

    assert ends[0].tolist() == [2, 5]


def test_a_node_of_one_cell_cannot_be_split():
    cells = np.zeros((1, 3, 2))
    cells[0, 1] = [4, 4]

    assert _best(cells, sizes=[3], nominal=[False])[2][0] == -1


def test_missing_values_are_parted_from_the_others_where_that_is_best():
    cells = np.zeros((1, 3, 2))
    cells[0] = [[9, 0], [0, 5], [0, 5]]

    _, _, _, left, ends = _best(cells, sizes=[3], nominal=[False])

    assert left[0].tolist() == [0, 1, 1]
    assert ends[0].tolist() == [2, 3]


def test_what_no_record_of_the_node_has_goes_where_most_records_go():
    cells = np.zeros((1, 5, 2))
    cells[0, 1], cells[0, 2] = [2, 0], [0, 30]

    _, _, _, left, _ = _best(cells, sizes=[5], nominal=[True])

    larger = left[0, 2]
    assert left[0].tolist() == [larger, 1 - larger, larger, larger, larger]


def test_totals_count_every_record_once():
    counts = np.random.default_rng(3).integers(0, 9, (4, 5, 3)).astype(float)

    totals, *_ = _best(counts, sizes=[5], nominal=[False])

    assert (totals == counts.sum(axis=1)).all()
