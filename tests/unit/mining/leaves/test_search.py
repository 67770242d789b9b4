import numpy as np
import pyarrow as pa
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.mechanisms import GaussianNoise, RandomizedResponse, Warner
from scumble.mining.leaves import (
    Box,
    apart,
    counted,
    finer,
    first_boxes,
    search_leaves,
    start_leaves,
    tree_of_leaves,
)
from scumble.mining.leaves._candidates import promising_splits
from scumble.mining.leaves._model import one_leaf
from scumble.population import MixtureFit, code_reports, fit_population
from scumble.tables import Table

NOISE = GaussianNoise(privacy=0.5)
SPEC = Specification(
    {
        "age": Numeric(0, 100, mechanism=NOISE),
        "salary": Numeric(0, 100, mechanism=NOISE),
        "tax": Numeric(0, 50, mechanism=NOISE),
        "town": Categorical(["a", "b", "c"], mechanism=RandomizedResponse(keep=0.7)),
    }
)


def _table(n=20_000, seed=1):
    rng = np.random.default_rng(seed)
    salary = rng.uniform(0, 100, n)
    return {
        "age": rng.uniform(0, 100, n),
        "salary": salary,
        "tax": salary / 2,
        "town": rng.choice(["a", "b", "c"], n),
    }


def _coded(columns, label, names, seed=1):
    reports = disguise(pa.table(columns), SPEC, seed=seed)
    return code_reports(Table(reports), SPEC, names=names, labels=label.astype(np.int64))


def _boxes():
    low, high = Box().cut(0, 35.0)
    return [*low.cut(1, 60.0), *high.cut(1, 45.0)]


def test_one_threshold_in_two_branches_becomes_one():
    columns = _table()
    label = (columns["age"] < 40) ^ (columns["salary"] < 50)
    patterns = counted(finer(_coded(columns, label, ["age", "salary"])))

    model = search_leaves(start_leaves(patterns, _boxes()))

    ends = {end for box in model.boxes for end in box.bounds[1] if np.isfinite(end)}
    assert len(ends) == 1
    assert ends.pop() == pytest.approx(50, abs=1.5)


def test_thresholds_that_differ_stay_apart():
    columns = _table()
    border = np.where(columns["age"] < 40, 65, 35)
    patterns = counted(finer(_coded(columns, columns["salary"] < border, ["age", "salary"])))

    model = search_leaves(start_leaves(patterns, _boxes()))

    ends = sorted({end for box in model.boxes for end in box.bounds[1] if np.isfinite(end)})
    assert ends == pytest.approx([35, 65], abs=2)


def test_a_leaf_that_is_missing_is_found():
    columns = _table()
    label = (columns["age"] > 30) & (columns["age"] < 60)
    patterns = counted(finer(_coded(columns, label, ["age"])))

    model = search_leaves(start_leaves(patterns, list(Box().cut(0, 60.0))))

    ends = sorted({end for box in model.boxes for end in box.bounds[0] if np.isfinite(end)})
    assert ends == pytest.approx([30, 60], abs=1.5)


def test_values_are_split_off_too():
    columns = _table()
    label = columns["town"] == "b"
    model = one_leaf(counted(_coded(columns, label, ["age", "town"])))

    best = promising_splits(model)[0]

    assert best.attribute == 1
    assert best.at in ((False, True, False), (True, False, True))


def test_noise_is_not_split():
    columns = _table(n=5000)
    label = np.random.default_rng(8).random(5000) < 0.5
    start = start_leaves(counted(_coded(columns, label, ["age", "town"])), [Box()])

    assert len(search_leaves(start).boxes) == 1


def test_of_attributes_that_depend_on_each_other_the_more_telling_is_kept():
    columns = _table()
    label = (columns["salary"] < 50) ^ (columns["age"] < 40)
    reports = _coded(columns, label, ["tax", "salary", "age", "town"])

    kept = [list(reports.attributes)[f] for f in apart(reports)]

    assert len({"tax", "salary"} & set(kept)) == 1
    assert {"age", "town"} <= set(kept)


def test_dependence_that_comes_from_the_class_is_none():
    columns = _table(n=60_000)
    label = (columns["salary"] < 50) & (columns["age"] < 40)
    kept = ~label | (np.random.default_rng(2).random(60_000) < 0.3)
    columns = {name: column[kept] for name, column in columns.items()}

    reports = _coded(columns, label[kept], ["salary", "age"])

    assert apart(reports) == [0, 1]
    assert len(apart(reports, strictly=True)) == 1


def test_attributes_that_share_a_coin_are_seen_together():
    warner = Warner(keep=0.8, group="all")
    binary = {name: Categorical(["n", "y"], mechanism=warner) for name in "ab"}
    spec = Specification(binary)
    rng = np.random.default_rng(4)
    truth = {name: rng.choice(["n", "y"], 20_000) for name in "ab"}
    label = ((truth["a"] == "y") & (truth["b"] == "y")).astype(np.int64)
    table = Table(disguise(pa.table(truth), spec, seed=4))
    reports = code_reports(table, spec, names=["a", "b"], labels=label)

    model = search_leaves(start_leaves(counted(reports), [Box()]))

    both = [box for box in model.boxes if all(box.values.get(j, ())[1:] == (True,) for j in (0, 1))]
    assert len(both) == 1
    place = model.boxes.index(both[0])
    assert model.chances[place, 1] > 0.9


def test_first_boxes_are_a_tree_that_says_what_the_population_says():
    columns = _table()
    label = (columns["age"] < 40) ^ (columns["salary"] < 50)
    reports = _coded(columns, label, ["age", "salary"])
    population = fit_population(reports, fit=MixtureFit(runs=1), seed=1)

    boxes = first_boxes(population, most=8, seed=1)

    assert 4 <= len(boxes) <= 8
    counts = np.tile([3.0, 1.0], (len(boxes), 1))
    counts[::2] = [1.0, 3.0]
    tree = tree_of_leaves(
        boxes, counts, [0, 1], attributes=SPEC.attributes, classes=np.array(["x", "y"])
    )
    rng = np.random.default_rng(1)
    values = np.column_stack([rng.uniform(0, 100, (500, 2)), np.zeros((500, 2))])
    for row, leaf in zip(values, tree.leaves(values), strict=True):
        place = next(
            k
            for k, box in enumerate(boxes)
            if all(low <= row[j] < high for j, (low, high) in box.bounds.items())
        )
        assert tree.counts[leaf].argmax() == counts[place].argmax()


def test_leaves_side_by_side_that_answer_the_same_are_made_one():
    low, high = Box().cut(0, 50.0)
    boxes = [*low.cut(1, 10.0), high]
    counts = np.array([[5.0, 1.0], [9.0, 2.0], [1.0, 7.0]])

    tree = tree_of_leaves(
        boxes, counts, [0, 1], attributes=SPEC.attributes, classes=np.array(["x", "y"])
    )

    assert tree.leaf_count == 2
    assert tree.counts[0].tolist() == [15, 10]
    assert tree.threshold[0] == 50


def _tree(boxes, counts, **options):
    letters = {"x": Numeric(0, 100), "letter": Categorical(list("abcdef"))}
    return tree_of_leaves(
        boxes, np.array(counts), [0, 1], attributes=letters, classes=np.array(["p", "q"]), **options
    )


def test_a_first_cut_that_no_leaf_shows_any_more_is_found():
    some, others = Box().cut(1, (True, True, True, False, False, False))
    low, high = some.cut(0, 10.0)
    left, right = others.cut(0, 20.0)
    boxes = [
        *low.cut(1, (True, False, False, False, False, False)),
        *high.cut(1, (True, True, False, False, False, False)),
        *left.cut(1, (False, False, False, True, False, False)),
        *right.cut(1, (False, False, False, True, True, False)),
    ]

    assert _tree(boxes, [[9.0, 1.0], [1.0, 9.0]] * 4).leaf_count == 8


def test_a_leaf_that_is_too_light_takes_no_others_with_it():
    thin, rest = Box().cut(0, 5.0)
    boxes = [thin, *rest.cut(0, 50.0)]

    tree = _tree(boxes, [[0.0, 9.0], [500.0, 0.0], [0.0, 500.0]], least=20)

    assert tree.leaf_count == 2
    assert tree.threshold[0] == 50


def test_a_tree_is_no_deeper_than_it_may_be():
    low, high = Box().cut(0, 50.0)
    boxes = [*low.cut(0, 25.0), *high.cut(0, 75.0)]
    counts = [[9.0, 1.0], [1.0, 9.0], [9.0, 2.0], [1.0, 9.0]]

    assert _tree(boxes, counts).depths.max() > 1
    assert _tree(boxes, counts, depth=1).depths.max() == 1


def test_thresholds_are_not_tied_across_a_third():
    from scumble.mining.leaves._search import _joined
    from scumble.mining.leaves._step import Improved

    columns = _table(n=500)
    patterns = counted(_coded(columns, columns["age"] < 50, ["age"]))
    boxes, rest = [], Box()
    for at in (10.0, 20.0, 30.0):
        low, rest = rest.cut(0, at)
        boxes.append(low)
    start = one_leaf(patterns)
    model = start.with_boxes([*boxes, rest], np.tile(start.chances, (4, 1)))
    found = Improved(model, [(0, 10.0), (0, 20.0), (0, 30.0)], np.diag([1.0, 1.0, 1.0]))

    assert _joined(found, [(0.1, 0, 10.0, 30.0)]) is not None  # both meet at the third
    assert _joined(found, [(0.1, 0, 10.0, 30.0), (0.1, 0, 20.0, 20.0)]) is not None
    lopsided = Improved(model, found.keys, np.diag([1.0, 1.0, 0.01]))
    assert _joined(lopsided, [(0.1, 0, 10.0, 30.0)]) is None
