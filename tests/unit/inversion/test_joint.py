"""The joint distribution of a few attributes."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Numeric, Specification, disguise, probability, reconstruct
from scumble.errors import SpecificationError, TableError
from scumble.inversion import joint_table
from scumble.mechanisms import RandomizedResponse, Warner
from scumble.reconstruction import EM

ANSWERS, COLOURS = ["no", "yes"], ["red", "green", "blue"]
SPEC = Specification(
    {
        "a": Categorical(ANSWERS, mechanism=Warner(keep=0.7, group="g")),
        "colour": Categorical(COLOURS, mechanism=RandomizedResponse(keep=0.6)),
        "b": Categorical(ANSWERS, mechanism=Warner(keep=0.7, group="g")),
    }
)


def _people(n=3000):
    rng = np.random.default_rng(5)
    a = rng.random(n) < 0.2
    b = np.where(rng.random(n) < 0.95, a, ~a)
    colour = np.array(COLOURS)[rng.choice(3, n, p=[0.7, 0.29, 0.01])]
    return pd.DataFrame(
        {"a": np.array(ANSWERS)[a * 1], "colour": colour, "b": np.array(ANSWERS)[b * 1]}
    )


def test_the_solution_is_made_of_probabilities():
    reports = disguise(_people(), SPEC, seed=1)
    table = joint_table(reports, SPEC, list(SPEC))

    for place in product(range(2), range(3), range(2)):
        wanted = {name: SPEC[name].values[v] for name, v in zip(table.names, place, strict=True)}
        found = probability(reports, SPEC, wanted)
        assert table.solution[place] == pytest.approx(found.probability, abs=1e-12)
        assert table.errors[place] == pytest.approx(found.error, abs=1e-12)


@pytest.mark.parametrize("method", ["inversion", "projection", "likelihood"])
def test_shares_are_a_distribution(method):
    table = joint_table(disguise(_people(), SPEC, seed=1), SPEC, ["b", "colour"], method=method)

    assert table.shares.shape == (2, 3)
    assert table.shares.min() >= 0
    assert table.shares.sum() == pytest.approx(1)


def test_inversion_cuts_at_zero_and_scales_as_published():
    table = joint_table(disguise(_people(200), SPEC, seed=4), SPEC, list(SPEC), method="inversion")
    clipped = np.maximum(table.solution, 0)

    assert (table.solution < 0).any()
    assert np.allclose(table.shares, clipped / clipped.sum())


def test_likelihood_is_that_of_the_joint_channel():
    answer = Categorical(ANSWERS, mechanism=Warner(keep=0.7))
    spec = Specification({"a": answer})
    reports = disguise(_people()[["a"]], spec, seed=3)

    table = joint_table(reports, spec, ["a"])

    other = reconstruct(reports["a"], spec["a"], method=EM(tolerance=1e-9))
    assert np.allclose(table.shares, other.shares, atol=1e-4)


def test_likelihood_is_nearer_to_the_truth_than_what_was_published():
    people = _people(400)
    truth = pd.crosstab(people["a"], people["b"], normalize=True).to_numpy()
    errors = {}
    for method in ("inversion", "likelihood"):
        tables = [
            joint_table(disguise(people, SPEC, seed=s), SPEC, ["a", "b"], method=method).shares
            for s in range(20)
        ]
        errors[method] = np.mean([((shares - truth) ** 2).sum() for shares in tables])

    assert errors["likelihood"] <= errors["inversion"]


def test_records_with_a_missing_answer_are_left_aside():
    reports = disguise(_people(), SPEC, seed=1)
    holes = reports.copy()
    holes.loc[:99, "a"] = None

    table = joint_table(holes, SPEC, ["a", "b"])

    assert table.records == 2900
    assert np.allclose(table.shares, joint_table(reports[100:], SPEC, ["a", "b"]).shares)


def test_what_makes_no_table_is_refused():
    reports = disguise(_people(50), SPEC, seed=1)
    number = Specification({"age": Numeric(0, 1)})

    with pytest.raises(SpecificationError, match="unknown 'clip'"):
        joint_table(reports, SPEC, ["a"], method="clip")
    with pytest.raises(SpecificationError, match="each once"):
        joint_table(reports, SPEC, ["a", "a"])
    with pytest.raises(SpecificationError, match="expected a categorical attribute"):
        joint_table(pd.DataFrame({"age": [0.5]}), number, ["age"])
    with pytest.raises(TableError, match="without a missing answer"):
        joint_table(reports.assign(a=None), SPEC, ["a"])


def test_a_table_that_would_not_fit_is_refused():
    wide = {f"a{j}": Categorical(ANSWERS) for j in range(20)}
    reports = pd.DataFrame({name: ["yes"] for name in wide})

    with pytest.raises(SpecificationError, match="at most 1,000,000 cells"):
        joint_table(reports, Specification(wide), list(wide))
