"""Which learners are tried."""

import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.mechanisms import GaussianNoise, Warner, grouped
from scumble.mining._choice import learners_for
from scumble.population import code_reports
from scumble.tables import Table

ANSWER = Categorical([False, True])
NAMES = ["a", "b", "c", "class"]


def _tried(n, *, class_in="group", with_a_number=False):
    rng = np.random.default_rng(1)
    people = pd.DataFrame(rng.random((n, len(NAMES))) < 0.3, columns=NAMES)
    spec = grouped(
        Specification(dict.fromkeys(NAMES, ANSWER), class_attribute="class"),
        groups=2,
        keep=0.7,
        class_in=class_in,
        seed=1,
    )
    names = NAMES[:-1]
    if with_a_number:
        people["size"] = rng.random(n)
        size = Numeric(0, 1, mechanism=GaussianNoise(privacy=0.5))
        spec = Specification(
            {**{name: spec[name] for name in spec}, "size": size}, class_attribute="class"
        )
        names = [*names, "size"]
    reports = disguise(people, spec, seed=2)
    labels = reports["class"].to_numpy().astype(np.int64)
    matrix = Warner(keep=0.7).channel(ANSWER).matrix if class_in == "group" else np.eye(2)
    coded = code_reports(Table(reports), spec, names=names, labels=labels, label_matrix=matrix)
    return learners_for(coded)


def test_where_the_class_shares_a_coin_latent_classes_are_drawn_and_need_no_rivals():
    assert list(_tried(2_500)) == ["drawn latent classes"]


@pytest.mark.parametrize(
    "otherwise",
    [{"n": 1_500}, {"n": 2_500, "class_in": "clear"}, {"n": 2_500, "with_a_number": True}],
    ids=["few records", "a class in clear", "a number"],
)
def test_else_populations_compete(otherwise):
    tried = _tried(**otherwise)

    assert len(tried) > 2
    assert "drawn latent classes" not in tried
