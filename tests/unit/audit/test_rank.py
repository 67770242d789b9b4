import datetime

import numpy as np
import pandas as pd
import pytest

from scumble.audit import rank_attack
from scumble.audit._rank import most_in_window, rank_guesses
from scumble.errors import SpecificationError, TableError
from scumble.treatments import Distribution, Shuffle, Treat

INCOMES = pd.DataFrame(
    {
        "income": np.random.default_rng(1).lognormal(3, 0.5, 4000),
        # Released as it is, so that the rows are seen to be in the same order.
        "sex": np.random.default_rng(3).choice(["f", "m"], 4000),
    }
)


def _released(treatment):
    return Treat({"income": treatment}, seed=1).fit_transform(INCOMES)


def test_ranks_that_are_kept_give_every_value_away():
    (found,) = rank_attack(INCOMES, _released(Distribution()), tolerance=0)

    assert found.success == 1.0
    assert found.rank_correlation == 1.0
    assert found.base == 1 / 4000


def test_who_knows_the_population_alone_finds_most_values():
    others = pd.DataFrame({"income": np.random.default_rng(2).lognormal(3, 0.5, 4000)})

    (found,) = rank_attack(INCOMES, _released(Distribution()), population=others, tolerance=0.02)

    assert found.success > 0.9
    assert found.low > found.base


def test_against_a_shuffle_the_attack_fails():
    (found,) = rank_attack(INCOMES, _released(Shuffle()), tolerance=0.01)

    # A guess that has nothing to do with the truth is worse than the best one for all.
    assert found.success < found.base
    # The standard error is 1 / sqrt(4000): off by five of them once in a million.
    assert abs(found.rank_correlation) < 5 / np.sqrt(4000)


def test_the_success_on_a_shuffle_is_that_of_a_drawn_value():
    values = INCOMES["income"].to_numpy()
    near = 0.05 * np.ptp(values)
    expected = np.mean(np.abs(values[:, None] - values[None, :]) <= near)

    (found,) = rank_attack(INCOMES, _released(Shuffle()), tolerance=0.05)

    assert found.success == pytest.approx(expected, abs=5 * 0.5 / np.sqrt(4000))


def test_dates_and_missing_values_are_attacked_too():
    days = [datetime.date(2000, 1, 1) + datetime.timedelta(days=7 * k) for k in range(50)]
    truth = pd.DataFrame({"born": [*days, None], "size": ["s"] * 51})

    (found,) = rank_attack(truth, truth, tolerance=0)

    assert (found.attribute, found.records, found.success) == ("born", 50, 1.0)


def test_equal_values_have_their_mean_rank():
    guesses = rank_guesses(np.array([5.0, 5.0, 9.0]), np.array([1.0, 2.0, 3.0]))

    assert guesses.tolist() == [1.0, 1.0, 3.0]


def test_the_best_guess_for_all_is_where_most_values_are():
    assert most_in_window(np.array([0.0, 5.0, 5.0, 5.0]), 0.0) == 0.75
    assert most_in_window(np.empty(0), 1.0) == 0.0


def test_categories_have_no_ranks():
    sizes = pd.DataFrame({"size": ["s", "m"]})

    assert rank_attack(sizes, sizes) == []
    with pytest.raises(SpecificationError, match="no ranks"):
        rank_attack(sizes, sizes, names=["size"])
    with pytest.raises(TableError, match="same order"):
        rank_attack(INCOMES, INCOMES[:10])
