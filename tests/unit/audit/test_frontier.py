import json
import math

import matplotlib as mpl
import pandas as pd
import pytest

from scumble import Categorical, Numeric, Specification
from scumble.audit import FrontierRow, frontier, plot_frontier, scaled_noise
from scumble.datasets import make_quest, quest_specification
from scumble.errors import SpecificationError
from scumble.mechanisms import GaussianNoise, Warner

mpl.use("agg")


def test_more_noise_hides_more_and_costs_accuracy():
    X, y = make_quest(function=1, n=4_000, seed=1)
    spec = quest_specification(GaussianNoise(privacy=0.5))

    clear, some, much = frontier(spec, X, y, factors=[0, 1, 8], seeds=[1, 2])

    assert (clear.interval, clear.epsilon) == (None, math.inf)
    assert (some.interval, much.interval) == (pytest.approx(0.5), pytest.approx(4))
    assert clear.accuracy > some.accuracy > much.accuracy
    assert len(some.accuracies) == 2
    assert some.spread == pytest.approx(abs(some.accuracies[0] - some.accuracies[1]) / math.sqrt(2))
    assert "50 % of the range" in some.explanation
    json.dumps(much.to_dict(), allow_nan=False)


def test_the_class_is_taken_in_clear_and_its_column_may_be_there():
    X, y = make_quest(function=1, n=1_000, seed=1)
    own = quest_specification(GaussianNoise(privacy=0.5))
    labels = sorted(set(y))
    spec = Specification(
        {**own.attributes, "group": Categorical(labels, mechanism=Warner(keep=0.9))},
        class_attribute="group",
    )
    table = pd.DataFrame(X.to_pandas() if hasattr(X, "to_pandas") else X)

    with_class = frontier(spec, table.assign(group=y), y, factors=[1], seeds=[1])

    assert with_class == frontier(own, table, y, factors=[1], seeds=[1])


def test_noise_is_scaled_attribute_by_attribute():
    spec = Specification(
        {
            "age": Numeric(0, 1, mechanism=GaussianNoise(sd=1)),
            "ill": Categorical(["no", "yes"], mechanism=Warner(keep=0.9)),
            "town": Categorical(["x", "y"]),
            "pay": Numeric(0, 1, sensitivity="withheld"),
        }
    )

    twice, clear = scaled_noise(spec, factor=2), scaled_noise(spec, factor=0)

    assert (twice["age"].mechanism.sd, twice["ill"].mechanism.keep) == (2, pytest.approx(0.8))
    assert [clear[name].sensitivity for name in clear] == ["public"] * 3 + ["withheld"]
    with pytest.raises(SpecificationError, match="factor"):
        scaled_noise(spec, factor=-1)


def test_nothing_to_compare_is_refused():
    spec = Specification({"age": Numeric(0, 1, mechanism=GaussianNoise(sd=1))})
    table = pd.DataFrame({"age": [0.1, 0.2]})

    with pytest.raises(SpecificationError, match="frontier: expected"):
        frontier(spec, table, [0, 1], factors=[])
    with pytest.raises(SpecificationError, match="y: expected"):
        frontier(spec, table, [0])


def test_levels_with_a_finite_epsilon_are_marked_in_the_picture():
    given = {"accuracy": 0.8, "spread": 0.01, "accuracies": (0.8,)}
    rows = [
        FrontierRow(factor=0.0, interval=None, epsilon=math.inf, **given),
        FrontierRow(factor=1.0, interval=0.5, epsilon=2.0, **given),
    ]

    ax = plot_frontier(rows)

    assert [text.get_text() for text in ax.texts] == ["epsilon 2"]
    assert "range" in ax.get_xlabel()
    assert "factor" in plot_frontier(rows[:1]).get_xlabel()
