import numpy as np
import pandas as pd
import pytest

from scumble.entropy import Seeded
from scumble.errors import SpecificationError
from scumble.schema import Treatment
from scumble.treatments import ClassNoise, Treat, expected_changes
from scumble.treatments._class_noise import drawn_within

LEAVES = np.repeat([3, 5, 8], [40, 30, 10])
CLASSES = np.concatenate(
    [np.repeat([0, 1], [30, 10]), np.repeat([0, 1], [3, 27]), np.zeros(10, int)]
)


def _released(technique, seed=0):
    noise = ClassNoise(technique=technique)
    return CLASSES[noise.donors(LEAVES, CLASSES, Seeded(seed).stream("classes"))]


@pytest.mark.parametrize("seed", range(5))
def test_random_keeps_how_many_of_each_class_a_leaf_holds(seed):
    released = _released("random", seed)

    assert (released != CLASSES).any()
    for leaf in set(LEAVES.tolist()):
        assert sorted(released[leaf == LEAVES]) == sorted(CLASSES[leaf == LEAVES])


@pytest.mark.parametrize("technique", ["random", "probabilistic"])
def test_a_leaf_of_one_class_stays_as_it_is(technique):
    for seed in range(20):
        assert (_released(technique, seed)[LEAVES == 8] == 0).all()


def test_all_leaves_reaches_leaves_of_one_class_too():
    changed = [(_released("all-leaves", seed)[LEAVES == 8] != 0).sum() for seed in range(50)]

    # 500 records, each changed with a chance of about a quarter.
    assert 50 < sum(changed) < 250


def test_a_change_by_all_leaves_is_one_to_another_class():
    noise = ClassNoise(technique="all-leaves")
    classes = np.arange(300) % 3
    leaves = np.zeros(300, dtype=int)

    donors = noise.donors(leaves, classes, Seeded(1).stream("classes"))

    moved = donors != np.arange(300)
    assert moved.any()
    assert (classes[donors[moved]] != classes[moved]).all()


def test_expected_changes_are_those_of_the_formula():
    m, n = np.array([30, 27]), np.array([10, 3])

    assert expected_changes(LEAVES, CLASSES) == pytest.approx((2 * m * n / (m + n)).sum())


def test_several_classes_change_as_often_as_two_draws_differ():
    classes = np.array([0, 0, 1, 2])

    assert expected_changes(np.zeros(4, dtype=int), classes) == pytest.approx(4 - (4 + 1 + 1) / 4)


def test_a_drawn_record_is_of_the_same_group():
    groups = np.array([7, 1, 7, 1, 9, 7])

    drawn = np.array([drawn_within(groups, Seeded(seed).stream("x")) for seed in range(100)])

    assert (groups[drawn] == groups).all()
    assert set(drawn[:, 0]) == {0, 2, 5}
    assert set(drawn[:, 4]) == {4}


@pytest.mark.parametrize("technique", ["random", "probabilistic"])
def test_within_a_leaf_the_released_class_tells_nothing(technique):
    """The best guess is the frequent class of the leaf, whatever is released."""
    exposure = ClassNoise(technique=technique)._exposure(LEAVES, CLASSES, _released(technique))

    assert exposure.identified == pytest.approx((30 + 27 + 10) / 80)
    assert exposure.base == pytest.approx(43 / 80)
    assert exposure.disclosed == 10


def test_it_is_for_the_class_alone():
    people = pd.DataFrame({"age": ["old", "young"] * 20, "ill": ["yes", "no"] * 20})

    with pytest.raises(SpecificationError, match="is for the class"):
        Treat({"age": ClassNoise()}, class_attribute="ill").fit_transform(people)
    with pytest.raises(SpecificationError, match="did you mean 'random'"):
        ClassNoise(technique="randon")


def test_it_has_a_name_in_a_specification():
    noise = ClassNoise(technique="probabilistic")

    assert Treatment.from_dict(noise.to_dict()) == noise
