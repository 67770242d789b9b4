"""Noise guided by a tree on the tables of the paper; the full run has 5 subsets x 10 repeats."""

from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa
import pytest

from scumble import mining
from scumble.errors import DatasetError, SpecificationError, TableError
from scumble.experiments import (
    IB_METHODS,
    IbCase,
    IbFigures,
    IbTable,
    ib_cases,
    ib_changes,
    ib_claims,
    ib_similarity,
    ib_table,
)
from scumble.experiments._ib_similarity import treated
from scumble.mining import C45Classifier
from scumble.treatments import InnocentNoise, InnocentShuffle, Shuffle

DRAWS = 20


def _measured(cases, **given):
    try:
        return ib_similarity(cases, **given)
    except DatasetError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def on_classes():
    """Return rows of many subsets, which differ more than repeats do."""
    methods = ["random", "probabilistic", "all leaves", "permutation", "subsample"]
    return _measured(ib_cases(methods=methods, subsets=range(1, 16), repeats=[1]))


@pytest.fixture(scope="module")
def on_attributes():
    methods = ["TIA", "LIA", "TIA + LIA", "TIA, normal", "TIA + LIA, normal", "permutation"]
    return _measured(ib_cases(methods=methods, subsets=[1, 2], repeats=[1]))


def test_no_claim_on_class_noise_is_refuted(on_classes):
    claims = ib_claims(on_classes)

    assert len(claims) == 2 * (4 + 2 + 3 + 1)
    assert [str(claim) for claim in claims if claim.clear and not claim.holds] == []


def test_guided_noise_on_classes_keeps_more_than_noise_anywhere(on_classes):
    found = IbFigures(on_classes)
    for dataset in found.datasets:
        for figure in ("recall", "soft_jaccard"):
            guided, drawn, anywhere = (
                found.of(dataset, name, figure).mean
                for name in ("random", "probabilistic", "all leaves")
            )
            assert min(guided, drawn) > anywhere + 3


def test_no_record_moves(on_attributes):
    assert {row.moved for row in on_attributes} == {0}
    assert {row.changed for row in on_attributes} == {0}


def test_steps_give_more_records_away_than_a_normal_share_and_a_permutation_fewest(on_attributes):
    found = IbFigures(on_attributes)

    assert found.of("boston", "TIA", "linked").mean > 90
    for dataset in found.datasets:
        steps, normal = (found.of(dataset, m, "linked").mean for m in ("TIA", "TIA, normal"))
        noisy, dealt = (found.of(dataset, m, "nearest").mean for m in ("TIA", "permutation"))
        assert steps > normal
        assert dealt < noisy / 2
        assert found.values(dataset, "LIA", "nearest") == []


def test_who_knows_more_finds_more(on_attributes):
    found = IbFigures(on_attributes)

    for dataset in found.datasets:
        some, all_innocent = (
            found.of(dataset, "TIA + LIA, normal", figure).mean
            for figure in ("linked", "linked_leaf")
        )
        assert all_innocent > some + 3
        for method in ("TIA + LIA", "TIA + LIA, normal", "permutation"):
            few, every = (found.of(dataset, method, f).mean for f in ("nearest", "nearest_all"))
            assert every > few
        assert found.values(dataset, "TIA", "linked_leaf") == []
        assert found.values(dataset, "permutation", "linked_leaf") == []


def test_linkage_may_be_left_out(on_attributes):
    cases = ib_cases(datasets=["boston"], methods=["TIA + LIA"], subsets=[1], repeats=[1])

    (row,) = _measured(cases, linkage=False)

    (full,) = [other for other in on_attributes if other.case == row.case]
    assert full.linked_leaf is not None
    assert row == replace(full, linked=None, nearest=None, linked_leaf=None, nearest_all=None)


def test_as_in_the_trial_no_sample_misses_a_value_and_grades_stay_grades():
    try:
        records = ib_table("breast cancer", subset=1, complete=True)
    except DatasetError as error:
        pytest.skip(str(error))
    noise = InnocentNoise(scope="all", law="discrete")

    released = treated(records, noise, seed=1, domains=records.whole)

    assert len(records) == 350
    assert sum(column.null_count for column in records.X.columns) == 0
    assert list(records.whole) == records.attributes == list(IbTable(released.table).whole)
    assert list(IbTable(treated(records, noise, seed=1).table).whole) != records.attributes


def test_as_in_the_trial_fewer_records_of_grades_are_found(on_attributes):
    cases = ib_cases(datasets=["breast cancer"], methods=["TIA + LIA"], subsets=[1, 2], repeats=[1])

    whole = _measured(cases, as_trial=True)

    steps = [row for row in on_attributes if row.case in cases]
    for figure in ("linked_leaf", "nearest_all"):
        fewer, more = (np.mean([getattr(row, figure) for row in rows]) for rows in (whole, steps))
        assert fewer < more
    assert {row.moved for row in whole} == {0}


def test_as_many_classes_change_as_stated():
    try:
        rows = ib_changes(subsets=[1, 2], draws=400)
    except DatasetError as error:
        pytest.skip(str(error))

    # Five standard errors: see tests/statistical/test_class_noise.py.
    assert max(abs(row.mean_off) for row in rows) < 5
    assert max(abs(row.variance_off) for row in rows) < 5
    assert all(row.homogeneous == 1 for row in rows if row.technique != "all-leaves")


def _generated(seed):
    """Return a table of which a tree tests some attributes, in some places; some are missing."""
    rng = np.random.default_rng(seed)
    columns = {f"a{j}": rng.normal(5, 2, 240) for j in range(6)}
    columns["kind"] = np.array(list("pqr"))[rng.integers(0, 3, 240)]
    label = np.where(columns["kind"] == "p", columns["a0"] > 5, columns["a1"] + columns["a2"] > 10)
    columns["class"] = np.where(label ^ (rng.random(240) < 0.1), "yes", "no")
    columns["a3"][rng.random(240) < 0.1] = np.nan
    columns["a1"][rng.random(240) < 0.05] = np.nan
    return IbTable(pa.table({k: pa.array(v, from_pandas=True) for k, v in columns.items()}))


def _moved(records, treatment, seed):
    """Return how many records leave their leaf, and how many values differ."""
    names = [name for name in records.attributes if name != "kind"] + [
        name for name in ["kind"] if "categorical" in treatment.kinds
    ]
    table = IbTable(records.table.select([*names, "class"]))
    released = treated(table, treatment, seed=seed)
    original = C45Classifier().fit(table.X, table.y)
    differ = sum(table.X[name] != released.X[name] for name in names)
    moved = np.count_nonzero(original.apply(table.X) != original.apply(released.X))
    return moved, differ


INNOCENT = [
    *(
        InnocentNoise(scope=s, law=law)
        for s in ("all", "total", "leaf")
        for law in ("normal", "discrete")
    ),
    *(InnocentShuffle(scope=s) for s in ("all", "total", "leaf")),
]


@pytest.mark.parametrize("treatment", INNOCENT, ids=repr)
def test_what_is_innocent_never_moves_a_record_to_another_leaf(treatment):
    results = [_moved(_generated(seed), treatment, seed) for seed in range(DRAWS)]

    assert [moved for moved, _ in results] == [0] * DRAWS
    # Of some tables the tree tests everything, or everything on each path.
    assert sum(differ > 0 for _, differ in results) > DRAWS / 2


def test_a_shuffle_that_no_tree_guides_does():
    assert all(_moved(_generated(seed), Shuffle(), seed)[0] > 20 for seed in range(3))


def _keeps_every_test(tree, grown):
    """Tell whether a tree has the tests of another, each at its place; it may go on below."""
    pairs = [(0, 0)]
    for node, place in pairs:  # grows while it is read
        if tree.attribute[node] < 0:
            continue
        same = tree.attribute[node] == grown.attribute[place] and (
            tree.threshold[node] == grown.threshold[place] or np.isnan(tree.threshold[node])
        )
        if not same:
            return False
        pairs.extend(zip(tree.children(node), grown.children(place), strict=True))
    return True


def _grown(records, *, pruned):
    return C45Classifier(pruned=pruned, subtree_raising=False).fit(records.X, records.y).tree_


def test_a_permutation_within_leaf_and_class_keeps_every_test(monkeypatch):
    """Every count by which a test was chosen is the same: only below the leaves it may differ."""
    kept, spoilt = [], []
    for seed in range(DRAWS):
        records = IbTable(_generated(seed).table.drop_columns(["a1", "a3"]))
        original = _grown(records, pruned=True)
        with monkeypatch.context() as patch:
            patch.setattr(mining, "C45Classifier", partial(C45Classifier, subtree_raising=False))
            released = treated(records, InnocentShuffle(), seed=seed)
        other = treated(records, Shuffle(within=["class"]), seed=seed)
        kept.append(_keeps_every_test(original, _grown(released, pruned=False)))
        spoilt.append(_keeps_every_test(original, _grown(other, pruned=False)))
        assert released.X != records.X

    assert all(kept)
    assert not all(spoilt)


def test_a_run_that_is_broken_off_is_taken_up_again(tmp_path):
    cases = ib_cases(
        datasets=["boston"], methods=["random", "subsample"], subsets=[1], repeats=[1, 2]
    )
    path = tmp_path / "rows.jsonl"
    part = _measured(cases[:2], resume=path)
    kept = path.read_text()

    rows = _measured(cases, resume=path)

    assert rows[:2] == part
    assert path.read_text().startswith(kept)
    assert _measured(cases, resume=path) == rows == _measured(cases)


def test_a_foreign_file_is_refused(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"experiment": "dice"}\n')

    with pytest.raises(TableError, match="heading"):
        ib_similarity([], resume=path)


def test_an_unknown_method_is_refused():
    assert "permutation" in IB_METHODS
    with pytest.raises(SpecificationError, match="method: expected one of random"):
        IbCase("boston", "mixing", 1, 1)
