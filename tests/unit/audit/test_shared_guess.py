import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Specification, disguise
from scumble.audit._coded_column import coded_column
from scumble.audit._shared_guess import shared_guess
from scumble.mechanisms import UnrelatedQuestion, Warner, joint_channel
from scumble.tables import Table

VALUES = {2: ["no", "yes"], 3: ["a", "b", "c"]}


def _columns(mechanism, sizes):
    attributes = {
        f"a{i}": Categorical(VALUES[size], mechanism=mechanism) for i, size in enumerate(sizes)
    }
    spec = Specification(attributes)
    rng = np.random.default_rng(1)
    odds = {2: [0.7, 0.3], 3: [0.6, 0.3, 0.1]}
    truth = pd.DataFrame(
        {n: rng.choice(a.values, 500, p=odds[len(a)]) for n, a in attributes.items()}
    )
    reports = disguise(truth, spec, seed=2)
    return spec, reports, [coded_column(Table(reports), n, a) for n, a in attributes.items()]


@pytest.mark.parametrize(
    ("mechanism", "sizes"),
    [
        (Warner(keep=0.7, group="g"), [2, 2, 2]),
        (Warner(keep=0.2, group="g"), [2, 2]),
        (Warner(keep=1.0, group="g"), [2, 2]),
        (UnrelatedQuestion(keep=0.4, group="g"), [2, 3, 3]),
    ],
    ids=str,
)
def test_a_group_is_guessed_as_its_joint_channel_says(mechanism, sizes):
    spec, _, columns = _columns(mechanism, sizes)
    matrix = joint_channel(spec, group="g").matrix
    prior, codes = np.ones(1), np.zeros(500, dtype=int)
    for column in columns:
        prior = np.multiply.outer(prior, column.shares).ravel()
        codes = codes * len(column.shares) + column.codes
    joint = prior[:, None] * matrix

    expected = (joint.max(axis=0) / np.maximum(joint.sum(axis=0), 1e-300))[codes]

    np.testing.assert_allclose(np.exp(shared_guess(columns)), expected, rtol=1e-6)


def test_a_missing_answer_of_a_group_is_guessed_from_the_crowd():
    _, _, columns = _columns(Warner(keep=0.7, group="g"), [2, 2])
    first, second = columns
    second.codes[:] = -1

    found = np.exp(shared_guess(columns))

    alone = np.array([first.shares[0], first.shares[1]])
    told, lied = 0.7 * alone, 0.3 * alone[::-1]
    expected = np.maximum(told, lied) / (told + lied) * second.shares.max()
    np.testing.assert_allclose(found, expected[first.codes], rtol=1e-6)
