import numpy as np
import pandas as pd
import pytest

from scumble.audit import class_security, link_records, rank_attack
from scumble.audit._paired_rows import goes_together
from scumble.audit._two_tables import TwoTables
from scumble.errors import ScumbleWarning, TableError

RNG = np.random.default_rng(7)
TRUTH = pd.DataFrame(
    {
        "age": RNG.normal(50, 10, 500),
        "sex": RNG.choice(["f", "m"], 500),
        "ill": RNG.choice(["no", "yes"], 500, p=[0.8, 0.2]),
    }
)
SHUFFLED = TRUTH.sample(frac=1, random_state=1).reset_index(drop=True)


def test_rows_that_were_shuffled_are_told_from_those_that_were_not():
    assert goes_together(TwoTables(TRUTH, TRUTH))
    assert not goes_together(TwoTables(TRUTH, SHUFFLED))


@pytest.mark.parametrize(
    "treated",
    [
        TRUTH.assign(age=TRUTH["age"] + RNG.normal(0, 20, 500), sex="f", ill="no"),
        TRUTH.assign(age=-TRUTH["age"], sex="f", ill="no"),
        TRUTH.assign(age=0.0, ill=np.where(RNG.random(500) < 0.3, "yes", TRUTH["ill"]), sex="f"),
    ],
)
def test_one_column_that_keeps_something_shows_the_order(treated):
    assert goes_together(TwoTables(TRUTH, treated))


def test_matches_of_categories_vary_as_those_of_a_random_order_do():
    """The deviation that chance is measured by, against permutations."""
    from scumble.audit._paired_rows import _of_codes

    truth = RNG.integers(0, 4, 300).astype(float)
    other = np.minimum(RNG.integers(0, 8, 300), 3).astype(float)

    drawn = [_of_codes(truth, RNG.permutation(other)) for _ in range(4000)]

    # The errors of mean and deviation over 4,000 draws are 0.016 and 0.011.
    assert np.mean(drawn) == pytest.approx(0, abs=0.1)
    assert np.std(drawn) == pytest.approx(1, abs=0.07)


def test_attacks_that_pair_rows_warn_of_shuffled_ones():
    with pytest.warns(ScumbleWarning, match="shuffle_rows = false"):
        class_security(TRUTH, SHUFFLED, class_attribute="ill")
    with pytest.warns(ScumbleWarning, match="shuffle_rows = false"):
        rank_attack(TRUTH, SHUFFLED)
    with pytest.warns(ScumbleWarning, match="shuffle_rows = false"):
        link_records(TRUTH, SHUFFLED, known=["age"])


def test_an_alignment_says_where_shuffled_rows_went():
    rows = np.argsort(TRUTH.sample(frac=1, random_state=1).index.to_numpy())

    found = link_records(TRUTH, SHUFFLED, known=["age"], alignment=rows)

    # But for ages that lie too near to each other.
    assert found.success > 0.98


def test_tables_of_other_length_are_refused():
    with pytest.raises(TableError, match="the 500 records of the truth"):
        class_security(TRUTH, TRUTH.head(20), class_attribute="ill")
