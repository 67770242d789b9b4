import numpy as np
import pytest

from scumble.experiments._ib_linkage import linked_by_law, linked_to_nearest
from scumble.treatments._proportional import noise_of

RECORDS, ATTRIBUTES = 120, 4


def _truths():
    return np.exp(np.random.default_rng(1).normal(size=(RECORDS, ATTRIBUTES)))


def _noisy(truths, law):
    uniform = np.random.default_rng(2).random(truths.shape)
    return truths * (1 + noise_of(uniform, law=law, sd=0.276))


def test_steps_of_ten_percent_give_every_record_away():
    truths = _truths()

    assert linked_by_law(truths, _noisy(truths, "discrete"), law="discrete", sd=0.276) == 1


def test_a_normal_share_gives_away_few():
    truths = _truths()
    linked = linked_by_law(truths, _noisy(truths, "normal"), law="normal", sd=0.276)

    assert 0.1 < linked < 0.9


def test_a_normal_share_looked_at_as_steps_gives_away_none():
    truths = _truths()

    assert linked_by_law(truths, _noisy(truths, "normal"), law="discrete", sd=0.276) == 0


def test_the_law_finds_more_than_the_distance():
    truths = _truths()
    released = _noisy(truths, "normal")

    by_law = linked_by_law(truths, released, law="normal", sd=0.276)
    assert by_law > linked_to_nearest(truths, released) > 1 / RECORDS


def test_values_that_are_dealt_out_anew_link_no_better_than_chance():
    truths = _truths()
    rng = np.random.default_rng(3)
    dealt = np.column_stack([rng.permutation(column) for column in truths.T])

    # The chance is 1 in 120; 8 of 120 have a probability below 1e-4.
    assert linked_to_nearest(truths, dealt) < 8 / RECORDS
    assert linked_to_nearest(truths, truths) == 1


def test_records_that_look_alike_are_a_draw():
    truths = np.array([[1.0], [1.0], [2.0]])

    assert linked_to_nearest(truths, truths) == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert linked_by_law(truths, truths, law="discrete", sd=0.276) == pytest.approx(2 / 3)


@pytest.mark.parametrize("law", ["normal", "discrete"])
def test_zero_and_missing_get_no_noise_and_are_known_by_it(law):
    truths = np.array([[0.0], [np.nan], [5.0], [-5.0]])
    released = np.array([[0.0], [np.nan], [5.5], [-5.5]])

    assert linked_by_law(truths, released, law=law, sd=0.276) == 1
    assert linked_to_nearest(truths, released) == 1
