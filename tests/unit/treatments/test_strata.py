import numpy as np
import pandas as pd

from scumble.tables import Table
from scumble.treatments._records import Records
from scumble.treatments._strata import compact, strata


def _records(**columns):
    return Records(Table(pd.DataFrame(columns)))


def test_records_of_a_stratum_are_equal_in_what_was_asked_for():
    records = _records(a=["x", "y", "x", None, None], b=[1, 1, 1, 2, 2])

    found = strata(records, within=["a", "b"], like=[], block=None)

    assert found.tolist() == [found[0], found[1], found[0], found[3], found[3]]
    assert len(set(found.tolist())) == 3


def test_blocks_hold_enough_records_that_are_near_each_other():
    rng = np.random.default_rng(0)
    size = rng.normal(size=400)
    records = _records(size=size, group=rng.integers(0, 2, 400))

    found = strata(records, within=["group"], like=["size"], block=20)

    assert np.bincount(found).min() >= 20
    for stratum in np.unique(found):
        rows = found == stratum
        assert len(set(records.places("group")[rows])) == 1
        inside = (size >= size[rows].min()) & (size <= size[rows].max())
        inside &= records.places("group") == records.places("group")[rows][0]
        assert inside.sum() == rows.sum()


def test_equal_values_are_never_parted():
    records = _records(size=[1] * 30 + [2] * 50 + [3] * 20)

    found = strata(records, within=[], like=["size"], block=10)

    assert [len(set(found[rows])) for rows in (slice(30), slice(30, 80), slice(80, 100))] == [1] * 3


def test_categories_and_missing_values_can_be_alike_too():
    records = _records(town=["Oslo"] * 30 + ["Rome"] * 30 + [None] * 30, n=[1.0, None, None] * 30)

    found = strata(records, within=[], like=["town", "n"], block=5)

    assert np.bincount(found).min() >= 5
    assert len(set(found[:30]) & set(found[30:60])) == 0


def test_compact_codes_keep_their_order():
    codes = np.array([40, 3, 40, 10**12])

    assert compact(codes).tolist() == [1, 0, 1, 2]
    assert compact(np.array([2, 0, 2])).tolist() == [1, 0, 1]
