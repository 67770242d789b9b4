import math

import numpy as np
import pytest

from scumble.audit._claim import Claim
from scumble.audit._events import Counts, weighed

EPSILON = Claim(np.array([1.0]), np.array([0.0]))
NO_CLAIM = Claim(np.empty(0), np.empty(0))


def _same(one, other):
    counts = np.array([one, other])
    return Counts(counts, counts, counts)


def test_the_codes_that_tell_most_make_the_event():
    counts = _same([5000, 4000, 1000], [1000, 4000, 5000])

    event = weighed(counts, NO_CLAIM, ordered=False, alpha=1e-6)[0]

    assert 0.45 < event.low < 0.5
    assert event.bound == pytest.approx(math.log(5), abs=0.3)


def test_an_event_is_weighed_on_reports_that_did_not_choose_it():
    """What was seen by chance in the search does not count."""
    seen = np.array([[50, 9950], [0, 10_000]])
    flat = np.array([[20, 9980], [20, 9980]])

    events = weighed(Counts(seen, seen, flat), EPSILON, ordered=False, alpha=1e-6)

    assert all(event.bound < 0 for event in events)


def test_an_ordered_event_is_a_tail_of_either_side():
    for row in ([10, 10, 980], [980, 10, 10]):
        event = weighed(_same(row, [500, 490, 10]), NO_CLAIM, ordered=True, alpha=1e-3)[0]

        assert event.bound > 0.3


def test_what_one_truth_never_gives_is_named():
    event = weighed(_same([900, 9100], [0, 10_000]), EPSILON, ordered=False, alpha=1e-6)[1]

    assert event.never
    assert event.excess > 0


def test_codes_that_were_never_ranked_belong_to_no_event():
    rank = np.array([[0, 100], [0, 100]])
    test = np.array([[9000, 1000], [0, 10_000]])

    events = weighed(Counts(rank, rank, test), EPSILON, ordered=False, alpha=1e-6)

    assert all(event.excess < 0 for event in events)
