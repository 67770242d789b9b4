import numpy as np
import pandas as pd
import pytest

from scumble import DisguisedTreeClassifier, Numeric, Specification, disguise
from scumble.audit._kept_accuracy import kept_accuracy
from scumble.audit._two_tables import TwoTables
from scumble.errors import TableError
from scumble.mechanisms import GaussianNoise


def _people(n, seed):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.uniform(0, 1, (n, 2)), columns=["a", "b"])
    return table.assign(ill=np.where((table["a"] > 0.5) ^ (rng.random(n) < 0.1), "yes", "no"))


TRUTH = _people(4000, 1)


def _kept(other, **options):
    both = TwoTables(TRUTH, other)
    return kept_accuracy(both, ["a", "b"], class_attribute="ill", seed=1, **options)


def test_the_truth_itself_loses_nothing():
    found = _kept(TRUTH)

    assert found.loss == 0.0
    assert found.error == 0.0
    assert found.truth == pytest.approx(0.9, abs=0.04)
    assert found.records == 2000


def test_classes_that_were_shuffled_lose_all_there_is():
    shuffled = TRUTH.assign(ill=np.random.default_rng(2).permutation(TRUTH["ill"]))

    found = _kept(shuffled)

    assert found.loss > 0.25
    assert found.other == pytest.approx(found.frequent, abs=0.08)
    assert found.loss > 5 * found.error


def test_people_who_test_have_not_taught():
    # Noise that a deep tree would know by heart is of no use to it.
    rng = np.random.default_rng(1)
    noise = TRUTH.assign(ill=rng.choice(["no", "yes"], len(TRUTH)))
    both = TwoTables(noise, noise)
    deep = DisguisedTreeClassifier(pruning=None)

    found = kept_accuracy(both, ["a", "b"], class_attribute="ill", seed=1, model=deep, miner=deep)

    assert found.truth == pytest.approx(0.5, abs=5 * 0.5 / np.sqrt(2000))


def test_where_rows_were_shuffled_it_is_said_that_some_may_have_taught():
    shuffled = TRUTH.sample(frac=1, random_state=1)

    assert _kept(TRUTH).held_out
    assert not _kept(shuffled).held_out
    # A tree that knows its records by heart does better on those that taught it.
    noise = TRUTH.assign(ill=np.random.default_rng(1).choice(["no", "yes"], len(TRUTH)))
    both = TwoTables(noise, noise.sample(frac=1, random_state=1))
    deep = DisguisedTreeClassifier(pruning=None)
    found = kept_accuracy(both, ["a", "b"], class_attribute="ill", seed=1, model=deep, miner=deep)
    assert found.other > found.truth + 0.15


def test_another_number_of_records_teaches_as_a_whole():
    assert _kept(_people(1000, 3)).loss == pytest.approx(0, abs=0.03)


def test_a_miner_corrects_for_the_disguise():
    spec = Specification(
        {name: Numeric(0, 1, mechanism=GaussianNoise(privacy=1.0)) for name in "ab"}
    )
    reports = disguise(TRUTH[["a", "b"]], spec, seed=1).assign(ill=TRUTH["ill"].to_numpy())

    found = _kept(reports, miner=DisguisedTreeClassifier(spec, method="byclass"))

    assert found.other > 0.8


def test_records_without_a_class_are_left_out():
    part = TRUTH.assign(ill=TRUTH["ill"].where(np.arange(len(TRUTH)) % 2 == 0, None))

    assert _kept(part).loss == pytest.approx(0, abs=0.03)
    with pytest.raises(TableError, match="got none"):
        _kept(TRUTH.assign(ill=None))
