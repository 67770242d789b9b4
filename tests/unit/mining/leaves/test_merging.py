import numpy as np
import pyarrow as pa
import pytest

from scumble import Numeric, Specification, disguise
from scumble.mechanisms import GaussianNoise
from scumble.mining.leaves import Box, counted, finer, simplified, start_leaves, worth
from scumble.mining.leaves._merging import _ROUNDING, merged, union
from scumble.mining.leaves._splits import is_tree
from scumble.population import code_reports
from scumble.tables import Table

SPEC = Specification(
    {
        "age": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
        "salary": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
    }
)


@pytest.fixture(scope="module", params=range(1, 9))
def patterns(request):
    """Return reports of people of whom the young and rich are of the second class."""
    age, salary = np.random.default_rng(request.param).uniform(0, 100, (2, 20_000))
    label = ((age < 40) & (salary > 60)).astype(np.int64)
    table = Table(disguise(pa.table({"age": age, "salary": salary}), SPEC, seed=request.param))
    return counted(finer(code_reports(table, SPEC, names=["age", "salary"], labels=label)))


def _quarters():
    low, high = Box().cut(0, 40.0)
    return [*low.cut(1, 60.0), *high.cut(1, 60.0)]


def test_leaves_that_say_the_same_become_one(patterns):
    model = start_leaves(patterns, _quarters()).model

    found = merged(model)

    assert len(found.boxes) == 3
    assert worth(found) >= worth(model) - _ROUNDING
    assert found.shares.sum() == pytest.approx(1)
    assert simplified(model).boxes != model.boxes


def test_leaves_that_say_another_thing_stay_two(patterns):
    model = start_leaves(patterns, _quarters()).model

    sure = next(box for box in merged(model).boxes if box.bounds.get(1, (0, 0))[0] > 50)

    assert sure.bounds[0][1] == pytest.approx(40, abs=3)


def test_values_are_joined():
    first, rest = Box().cut(0, (True, False, False))
    second, third = rest.cut(0, (False, True, False))

    assert union(first, third).values == {0: (True, False, True)}
    assert union(second, Box()) is None
    assert union(rest, first).values == {}


def test_boxes_that_are_not_side_by_side_are_not_one():
    low, high = Box().cut(0, 40.0)

    assert union(low.cut(1, 3.0)[0], high.cut(1, 4.0)[0]) is None
    assert union(low, high).bounds == {}


def test_a_wheel_of_boxes_is_no_tree():
    bounds = [
        ((0, 1), (0, 2)),
        ((1, 3), (0, 1)),
        ((2, 3), (1, 3)),
        ((0, 2), (2, 3)),
        ((1, 2), (1, 2)),
    ]
    wheel = [
        Box({j: tuple(_ends(end) for end in ends) for j, ends in enumerate(box)}) for box in bounds
    ]

    assert not is_tree(wheel)
    assert is_tree(_quarters())


def _ends(end):
    return {0: -np.inf, 3: np.inf}.get(end, float(end))
