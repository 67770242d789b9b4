import numpy as np

from scumble.mining.leaves._cutting import Axis, cut_boxes

NUMBER = Axis(3, np.array([10.0, 20.0]), np.empty((0, 0), dtype=bool))
TOWN = Axis(5, np.empty(0), np.array([[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]], dtype=bool))


def _cut(weights, axes, **settings):
    sizes = [len(axis) for axis in axes]
    places = np.stack(np.meshgrid(*map(np.arange, sizes), indexing="ij"), axis=-1)
    rules = {"most": 9, "least_gain": 1e-3, "least_share": 1e-3, **settings}
    return cut_boxes(places.reshape(-1, len(axes)), weights.reshape(-1, 2), axes, **rules)


def test_a_number_is_cut_at_a_threshold():
    boxes = _cut(np.array([[1.0, 0], [0, 1], [0, 1]]), [NUMBER])

    assert [box.bounds for box in boxes] == [{3: (-np.inf, 10.0)}, {3: (10.0, np.inf)}]


def test_cells_of_values_stay_together():
    boxes = _cut(np.array([[0, 1.0], [1, 0], [0, 1]]), [TOWN])

    assert {box.values[5] for box in boxes} == {
        (False, True, False, False),
        (True, False, True, True),
    }


def test_no_more_boxes_are_cut_than_allowed():
    weights = np.random.default_rng(0).random((3, 3, 2))

    assert len(_cut(weights, [NUMBER, TOWN], most=4, least_gain=0)) == 4


def test_what_gains_too_little_is_not_cut():
    weights = np.array([[1.0, 1], [1, 1], [1, 1.01]])

    assert [box.bounds for box in _cut(weights, [NUMBER])] == [{}]


def test_no_part_is_too_small():
    weights = np.array([[0.001, 0], [0, 1.0], [0, 1]])

    assert len(_cut(weights, [NUMBER], least_share=0.01)) == 1
    assert len(_cut(weights, [NUMBER], least_share=0.0001)) == 2


def test_what_two_cuts_gain_together_is_seen_by_who_looks_ahead():
    """One of two ways: no cut gains anything by itself."""
    age = Axis(4, np.array([40.0]), np.empty((0, 0), dtype=bool))
    weights = np.array([[[1.0, 0], [0, 1]], [[0, 1], [1, 0]], [[0, 1], [1, 0]]]) / [
        [[1.0], [1.0]], [[2.0], [2.0]], [[2.0], [2.0]]]  # fmt: skip

    assert [box.bounds for box in _cut(weights, [NUMBER, age])] == [{}]
    found = _cut(weights, [NUMBER, age], ahead=True)

    assert sorted(str(box.bounds) for box in found) == sorted(
        str({3: number, 4: other})
        for number in ((-np.inf, 10.0), (10.0, np.inf))
        for other in ((-np.inf, 40.0), (40.0, np.inf))
    )


def test_who_looks_ahead_sees_no_more_than_there_is():
    weights = np.array([[1.0, 1], [1, 1], [1, 1.01]])

    assert [box.bounds for box in _cut(weights, [NUMBER], ahead=True)] == [{}]


def test_who_looks_ahead_is_not_led_astray_by_rounding():
    """What gains nothing may come out a little less: one in fourteen of these stayed whole."""
    axes = [Axis(a, np.array([1.0]), np.empty((0, 0), dtype=bool)) for a in (0, 1)]
    for seed in range(100):
        one = np.random.default_rng(seed).uniform(0.6, 1)
        way = np.array([one, 1 - one])
        weights = np.array([[way, way[::-1]], [way[::-1], way]]) / 4
        weights += np.random.default_rng(seed).normal(0, 1e-17, weights.shape)

        assert len(_cut(weights, axes, ahead=True, least_gain=1e-6)) == 4
