from itertools import product

import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.audit import coin_inference
from scumble.audit._coin_parts import coin_parts
from scumble.audit._coins import likeliest_records
from scumble.errors import SpecificationError, TableError
from scumble.mechanisms import GaussianNoise, UnrelatedQuestion, grouped

ANSWERS = Specification(dict.fromkeys("abcdef", Categorical([0, 1])))


def _truths(n=2000, chances=(0.1, 0.2, 0.9, 0.3, 0.8, 0.5)):
    rng = np.random.default_rng(1)
    common = rng.random((n, 1)) < 0.3
    return (np.where(common, rng.random((n, 6)) < 0.2, rng.random((n, 6)) < chances)).astype(int)


@pytest.mark.parametrize("groups", [1, 2, 3, "each"])
@pytest.mark.parametrize("keep", [0.3, 0.51, 0.8])
def test_the_guess_is_the_likeliest_of_all_ways_the_coins_may_fall(groups, keep):
    truths = _truths()
    spec = grouped(ANSWERS, keep=keep, groups=groups, seed=1)
    known, counts = np.unique(truths, axis=0, return_counts=True)
    reports = np.unique(disguise(truths, spec, seed=1).astype(int), axis=0)
    parts = coin_parts(spec, list(spec), known=known, counts=counts, reports=reports)
    guesses = likeliest_records(parts, known, counts)

    frequency = {tuple(r): c for r, c in zip(known.tolist(), counts.tolist(), strict=True)}
    places = [[list(spec).index(n) for n in own] for own in spec.groups.values()]
    for report, guess in zip(reports.tolist(), guesses.tolist(), strict=True):
        scores = {}
        for coins in product([True, False], repeat=len(places)):
            truth, chance = list(report), 1.0
            for kept, own in zip(coins, places, strict=True):
                chance *= keep if kept else 1 - keep
                for place in own:
                    truth[place] = report[place] if kept else 1 - report[place]
            scores[tuple(truth)] = chance * frequency.get(tuple(truth), 0)
        # What was never seen counts for a record spread over all: that may tip a near tie.
        assert scores[tuple(guess)] >= 0.9 * max(scores.values())


def test_groups_are_told_apart_from_single_attributes():
    truths = _truths()
    few, many = (
        coin_inference(truths, disguise(truths, spec, seed=1), spec, seed=1)
        for spec in (grouped(ANSWERS, keep=0.51, groups=g, seed=1) for g in (1, "each"))
    )

    assert few.low > many.high
    assert not many.beats_base
    assert "told with 1 coin," in few.explanation
    assert "told with 6 coins," in many.explanation


def test_a_coin_that_always_tells_the_truth_hides_nothing():
    truths = _truths(500)
    spec = grouped(ANSWERS, keep=1.0, groups=2, seed=1)

    assert coin_inference(truths, disguise(truths, spec, seed=1), spec, seed=1).success == 1


def test_who_knows_other_people_recovers_records_never_seen():
    rng = np.random.default_rng(1)
    answers = Specification(dict.fromkeys("abcdefghijklmnop", Categorical([0, 1])))
    truths, others = (rng.random((2, 1000, 16)) < 0.25).astype(int)
    spec = grouped(answers, keep=0.51, groups=1)
    found = coin_inference(truths, disguise(truths, spec, seed=1), spec, known=others, seed=1)

    seen = {tuple(row) for row in others.tolist()}
    share_seen = np.mean([tuple(row) in seen for row in truths.tolist()])
    assert share_seen < 0.3
    assert found.success > 0.95


def test_harmless_answers_and_values_in_clear_are_attacked_too():
    rng = np.random.default_rng(1)
    group = UnrelatedQuestion(keep=0.5, group="g")
    spec = Specification(
        {
            "a": Categorical(list("xyz"), mechanism=group),
            "b": Categorical(list("xyz"), mechanism=group),
            "town": Categorical(list("xyz")),
            "age": Numeric(0, 1, mechanism=GaussianNoise(sd=1)),
        }
    )
    letters = rng.choice(list("xyz"), 2000)
    truths = pd.DataFrame({"a": letters, "b": letters, "town": letters, "age": rng.random(2000)})
    found = coin_inference(truths, disguise(truths, spec, seed=1), spec, seed=1)

    # The town gives the rest away.
    assert found.success == 1
    assert found.base < 0.5


def test_records_with_a_missing_value_are_left_out():
    truths = _truths(300).astype(object)
    truths[::3, 0] = None
    spec = grouped(ANSWERS, keep=0.7, groups=2, seed=1)

    assert coin_inference(truths, disguise(truths, spec, seed=1), spec, seed=1).records == 200


def test_without_a_coin_there_is_nothing_to_guess():
    with pytest.raises(SpecificationError, match="no coin to guess"):
        coin_inference(_truths(10), _truths(10), ANSWERS)


def test_known_records_must_be_whole():
    truths = _truths(10).astype(object)
    spec = grouped(ANSWERS, keep=0.7, groups=2, seed=1)
    with pytest.raises(TableError, match="known"):
        coin_inference(
            truths, disguise(truths, spec, seed=1), spec, known=np.full((2, 6), None), seed=1
        )
