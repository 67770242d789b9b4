import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.audit import audit, best_guess
from scumble.audit._evidence import evidence_of
from scumble.errors import TableError
from scumble.mechanisms import GaussianNoise, LaplaceNoise, RandomizedResponse, UniformNoise, Warner

RNG = np.random.default_rng(11)
AGES = pd.DataFrame({"x": RNG.uniform(20, 80, 2000)})
ANSWERS = pd.DataFrame({"x": RNG.choice(["a", "b"], 2000, p=[0.7, 0.3])})
CASES = [
    (AGES, Numeric(20, 80, mechanism=GaussianNoise(privacy=1.0))),
    (AGES, Numeric(20, 80, mechanism=UniformNoise(privacy=1.0))),
    (AGES, Numeric(20, 80, mechanism=LaplaceNoise(epsilon=3))),
    (AGES, Numeric(20, 80)),
    (ANSWERS, Categorical(["a", "b"], mechanism=Warner(keep=0.8))),
    (ANSWERS, Categorical(["a", "b"], mechanism=RandomizedResponse(epsilon=2))),
    (ANSWERS, Categorical(["a", "b"])),
]


@pytest.mark.parametrize(("truth", "attribute"), CASES)
def test_reports_beside_their_truths_are_taken(truth, attribute):
    spec = Specification({"x": attribute})

    evidence = evidence_of(truth, disguise(truth, spec, seed=1), spec, records=10, seed=1)

    assert len(evidence.rows) == 10


@pytest.mark.parametrize(("truth", "attribute"), CASES)
def test_shuffled_reports_are_refused(truth, attribute):
    spec = Specification({"x": attribute})
    shuffled = disguise(truth, spec, seed=1).sample(frac=1, random_state=1)

    with pytest.raises(TableError, match="shuffle_rows = false"):
        evidence_of(truth, shuffled, spec, records=10, seed=1)


def test_more_noise_than_declared_is_no_other_order():
    """The attacks go on, and show what such reports tell."""
    made = Specification({"x": Numeric(20, 80, mechanism=GaussianNoise(sd=20))})
    declared = Specification({"x": Numeric(20, 80, mechanism=GaussianNoise(sd=4))})
    reports = disguise(AGES, made, seed=1)

    evidence_of(AGES, reports, declared, records=10, seed=1)
    with pytest.raises(TableError, match="in the same order"):
        evidence_of(AGES, reports.sample(frac=1, random_state=1), declared, records=10, seed=1)


def test_a_coin_that_mostly_lies_is_seen_to_be_in_order():
    spec = Specification({"x": Categorical(["a", "b"], mechanism=Warner(keep=0.2))})

    evidence_of(ANSWERS, disguise(ANSWERS, spec, seed=1), spec, records=10, seed=1)


def test_reports_that_tell_nothing_are_taken_in_any_order():
    spec = Specification({"x": Categorical(["a", "b"], mechanism=RandomizedResponse(epsilon=1e-6))})
    shuffled = disguise(ANSWERS, spec, seed=1).sample(frac=1, random_state=1)

    assert best_guess(ANSWERS, shuffled, spec, seed=1)[0].success < 0.75


def test_a_value_that_was_corrected_since_is_no_other_order():
    spec = Specification({"x": Categorical(["a", "b"])})
    told = ANSWERS.copy()
    told.loc[:3, "x"] = np.where(told.loc[:3, "x"] == "a", "b", "a")

    evidence_of(ANSWERS, told, spec, records=10, seed=1)


def test_an_audit_does_not_take_a_release_for_reports_in_order():
    spec = Specification({"x": Numeric(20, 80, mechanism=GaussianNoise(sd=1))})
    shuffled = disguise(AGES, spec, seed=1).sample(frac=1, random_state=1)

    with pytest.raises(TableError, match="in the same order"):
        audit(spec, reports=shuffled, truth=AGES, seed=1)


def test_attributes_that_lie_together_are_no_other_order():
    """Fifty answers on one coin: by their sum, one draw in seven seemed to be shuffled."""
    mechanism = Warner(keep=0.55, group="coin")
    names = [f"x{place}" for place in range(50)]
    spec = Specification(dict.fromkeys(names, Categorical(["a", "b"], mechanism=mechanism)))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        truth = pd.DataFrame({name: rng.choice(["a", "b"], 100) for name in names})

        evidence_of(truth, disguise(truth, spec, seed=seed), spec, records=10, seed=1)
