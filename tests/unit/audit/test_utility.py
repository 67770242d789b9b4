import json

import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Numeric, disguise, reconstruct
from scumble.audit import utility
from scumble.errors import SpecificationError
from scumble.mechanisms import GaussianNoise, RandomizedResponse
from scumble.schema import Specification
from scumble.treatments import Discretize, Shuffle, Treat

RNG = np.random.default_rng(1)
AGE = RNG.uniform(20, 80, 2000)
TRUTH = pd.DataFrame(
    {
        "age": AGE,
        "income": 1000 * AGE + RNG.normal(0, 5000, 2000),
        "sport": np.where(RNG.random(2000) < 0.5, "yes", "no"),
        "ill": np.where(AGE > 50, "yes", "no"),
    }
)


def _shuffled(**within):
    return Treat({"age": Shuffle(**within)}, seed=1).fit_transform(TRUTH)


def test_the_truth_keeps_everything():
    found = utility(TRUTH, TRUTH, class_attribute="ill", seed=1)

    assert found.greatest_change == found.mean_change == found.information_loss == 0.0
    assert found["age"].wasserstein == found["age"].kolmogorov_smirnov == 0.0
    assert found["sport"].total_variation == 0.0
    assert found.accuracy.loss == 0.0


def test_a_shuffle_keeps_the_distribution_and_loses_the_rest():
    found = utility(TRUTH, _shuffled(), class_attribute="ill", seed=1)

    assert found["age"].wasserstein == found["age"].total_variation == 0.0
    assert found["age"].information_loss > 0.95
    assert found.greatest_change > 0.8
    assert "age" in found.correlations[0].names
    assert found["income"].information_loss == 0.0


def test_a_shuffle_within_the_class_keeps_what_tells_of_it():
    found = utility(TRUTH, _shuffled(within=["ill"]), class_attribute="ill", seed=1)

    assert found["age"].information_loss == pytest.approx(0, abs=1e-9)
    assert found.accuracy.loss == pytest.approx(0, abs=0.02)


def test_of_columns_of_another_kind_only_the_information_is_compared():
    cut = Treat({"age": Discretize(cuts=[50])}).fit_transform(TRUTH).drop(columns="sport")

    found = utility(TRUTH, cut, class_attribute="ill", seed=1)

    assert found.left_out == ("age", "sport")
    assert [row.name for row in found.attributes] == ["age", "income", "ill"]
    assert found["age"].kind == "coarsened"
    assert found["age"].wasserstein is None
    # One cut tells of the class what one cut of the truth tells, and no more than all of them.
    assert 0 < found["age"].other_gain <= found["age"].gain + 1e-9
    assert all("age" not in pair.names for pair in found.correlations)


def test_a_tree_of_intervals_is_tested_on_truths_in_the_same_intervals():
    cut = Treat({"age": Discretize(cuts=[50])}).fit_transform(TRUTH)

    blind = utility(TRUTH, cut, class_attribute="ill", seed=1)
    found = utility(TRUTH, cut, class_attribute="ill", told=cut, seed=1)

    assert blind.left_out == ("age",)
    assert found.left_out == ()
    # Age is what tells of the class here.
    assert found.accuracy.truth > blind.accuracy.truth + 0.05
    assert found.accuracy.other > blind.accuracy.other + 0.05


def test_where_no_attribute_can_be_compared_there_is_no_accuracy():
    coarse = Treat({"age": Discretize(cuts=[50])}).fit_transform(TRUTH)[["age", "ill"]]

    found = utility(TRUTH[["age", "ill"]], coarse, class_attribute="ill", seed=1)

    assert found.accuracy is None
    assert found.left_out == ("age",)


def test_an_attribute_that_tells_nothing_has_nothing_to_lose():
    found = utility(TRUTH, TRUTH, class_attribute="ill", seed=1)

    assert found["age"].information_loss == 0.0
    # By description length a number that tells nothing is not cut at all.
    noise = TRUTH.assign(age=RNG.random(2000))
    assert utility(noise, noise, class_attribute="ill", seed=1)["age"].information_loss is None


def test_without_a_class_there_is_no_accuracy():
    found = utility(TRUTH, _shuffled())

    assert found.accuracy is None
    assert found.information_loss is None


def test_reconstructed_distributions_are_nearer_than_reports():
    spec = Specification(
        {
            "age": Numeric(20, 80, mechanism=GaussianNoise(privacy=1.0)),
            "sport": Categorical(["no", "yes"], mechanism=RandomizedResponse(keep=0.4)),
        }
    )
    old = TRUTH[["age", "sport"]][(TRUTH["age"] > 40) & (TRUTH["sport"] == "yes")]
    reports = disguise(old, spec, seed=1)
    recovered = {name: reconstruct(reports[name], spec[name]) for name in spec}

    raw, found = utility(old, reports), utility(old, recovered)

    assert found["age"].wasserstein < 0.5 * raw["age"].wasserstein
    assert found["sport"].total_variation < 0.5 * raw["sport"].total_variation
    assert "distributions" in found.to_text()


def test_a_result_is_plain_json_and_narrow_text():
    other = _shuffled().assign(income=0.0)
    found = utility(
        TRUTH.assign(constant=1.0, **{"a long name of an attribute": 2.0}),
        other.assign(constant=5.0),
        class_attribute="ill",
        seed=1,
    )

    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["attributes"][4]["wasserstein"] == "inf"
    assert plain["accuracy"]["loss"] == found.accuracy.loss
    assert max(map(len, found.to_text().splitlines())) <= 80
    assert "no part of the trees: a long name of an attribute" in found.to_text()


def test_names_and_distributions_are_checked():
    with pytest.raises(SpecificationError, match="class_attribute"):
        utility(TRUTH, TRUTH, class_attribute="sick")
    with pytest.raises(SpecificationError, match="Reconstruction of 'age'"):
        utility(TRUTH, {"age": [1.0]})
    with pytest.raises(SpecificationError, match="a column of the truth"):
        utility(TRUTH, {"weight": None})
    with pytest.raises(SpecificationError, match="no attribute 'weight'"):
        utility(TRUTH, TRUTH)["weight"]
