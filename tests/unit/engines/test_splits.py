import numpy as np

from scumble.engines import Splits


def test_splits_in_two_send_what_does_not_go_left_to_the_second_child():
    splits = Splits.in_two(np.array([0, -1]), np.array([[1, 0, 1], [0, 0, 0]]))

    assert splits.branch[0].tolist() == [0, 1, 0]
    assert splits.left.tolist() == [[1, 0, 1], [0, 0, 0]]
    assert splits.children.tolist() == [2, 0]


def test_children_of_several_nodes_follow_each_other():
    branch = np.zeros((4, 2), dtype=np.int16)

    splits = Splits(np.array([2, -1, 0, 1]), branch, np.array([3, 5, 2, 4]))

    assert splits.children.tolist() == [3, 0, 2, 4]
    assert splits.first.tolist() == [0, 3, 3, 5]
