import numpy as np
import pytest

from scumble.mining.leaves import Box
from scumble.mining.leaves._box import share_below, thresholds
from scumble.schema import Cells

CELLS = Cells.between([0.0, 10.0, 20.0]).with_points([0.0])


def test_a_cut_gives_two_parts_that_share_the_cells():
    low, high = Box().cut(0, 12.0)

    inside = low.inside(0, CELLS) + high.inside(0, CELLS)

    assert inside == pytest.approx([1, 1, 1])
    assert low.inside(0, CELLS) == pytest.approx([1, 1, 0.2])


def test_values_are_shared_too_and_cut_again():
    some, others = Box().cut(1, (True, False, True))
    one, two = some.cut(1, (True, False, False))

    assert others.values[1] == (False, True, False)
    assert one.values[1] == (True, False, False)
    assert two.values[1] == (False, False, True)


def test_a_threshold_moves_in_every_box_that_ends_there():
    boxes = Box().cut(0, 5.0)

    moved = [box.moved(0, 5.0, 7.0) for box in boxes]

    assert moved[0].bounds[0] == (-np.inf, 7.0)
    assert moved[1].bounds[0] == (7.0, np.inf)
    assert Box().moved(0, 5.0, 7.0) == Box()


def test_a_box_squeezed_to_nothing_is_empty():
    low, high = Box().cut(0, 5.0)
    inner, _ = high.cut(0, 8.0)

    assert not inner.empty
    assert inner.moved(0, 8.0, 5.0).empty
    assert not low.empty


def test_a_point_lies_below_a_threshold_or_not():
    assert share_below(CELLS, 0.0).tolist() == [0, 0, 0]
    assert share_below(CELLS, np.nextafter(0.0, 1)).tolist()[0] == 1


def test_thresholds_between_whole_numbers_do_not_move():
    boxes = [*Box().cut(0, 5.0), *Box().cut(1, 2.5)]
    cells = [CELLS, Cells.points([1, 2, 3])]

    assert thresholds(boxes, cells) == {(0, 5.0): [0, 1]}
