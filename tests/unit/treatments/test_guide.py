import numpy as np
import pandas as pd
import pytest

from scumble.errors import TableError
from scumble.tables import Table
from scumble.treatments._records import Records

RNG = np.random.default_rng(4)
AGE, WEIGHT = RNG.uniform(20, 80, 400), RNG.uniform(50, 100, 400)
PEOPLE = pd.DataFrame(
    {
        "age": AGE,
        "weight": WEIGHT,
        "height": RNG.integers(150, 200, 400),
        "ill": np.where((AGE > 50) & (WEIGHT > 75), "yes", "no"),
    }
)


def _guide(table=PEOPLE):
    return Records(Table(table), class_name="ill").guide


def test_the_tree_asks_what_the_class_depends_on():
    guide = _guide()

    assert guide.anywhere == {"age", "weight"}
    assert len(set(guide.leaves.tolist())) == 3
    # Its leaves are of one class, and each record lies in one.
    for leaf in set(guide.leaves.tolist()):
        assert len(set(guide.classes[guide.leaves == leaf])) == 1


def test_an_attribute_that_is_tested_nowhere_is_innocent_everywhere():
    guide = _guide()

    assert "height" not in guide.anywhere
    assert guide.innocent("height", total=True, leaf=False).all()
    assert not guide.innocent("height", total=False, leaf=True).any()


def test_an_attribute_is_innocent_in_the_leaves_that_are_reached_without_it():
    guide = _guide()
    free = {name: guide.innocent(name, total=True, leaf=True) for name in ("age", "weight")}

    # One of the two is the root, which is on every way; the other is asked of some.
    assert sorted(bool(own.any()) for own in free.values()) == [False, True]
    for name, innocent in free.items():
        on_the_way = [name in guide.tested[leaf] for leaf in guide.leaves.tolist()]
        assert (innocent == ~np.array(on_the_way)).all()
        assert not guide.innocent(name, total=True, leaf=False).any()


def test_who_misses_a_value_that_is_tested_is_not_taken_for_innocent():
    """Such a record goes several ways, so that noise might move it between leaves."""
    gap = PEOPLE.copy()
    gap.loc[5, "age"] = np.nan

    again = _guide(gap)

    assert not again.certain[5]
    assert again.certain.sum() == len(gap) - 1
    for own in again.anywhere:
        assert not again.innocent(own, total=True, leaf=True)[5]


def test_a_tree_needs_an_attribute_beside_the_class():
    with pytest.raises(TableError, match="an attribute beside the class"):
        _guide(PEOPLE[["ill"]])


def test_records_without_a_class_do_not_teach_the_tree_but_have_a_leaf():
    gap = PEOPLE.copy()
    gap.loc[:4, "ill"] = None

    guide = _guide(gap)

    assert (guide.classes[:5] == -1).all()
    assert len(guide.leaves) == len(gap)
