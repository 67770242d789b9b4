import numpy as np
import pytest

from scumble import Categorical, Specification
from scumble.audit._coin_kernels import likeliest_known
from scumble.audit._coin_parts import coin_parts
from scumble.mechanisms import RandomizedResponse, UnrelatedQuestion, Warner, joint_channel


def _all(sizes):
    return np.stack(np.meshgrid(*(np.arange(s) for s in sizes), indexing="ij"), -1).reshape(
        -1, len(sizes)
    )


def _channel(part):
    """P(report | known record), by the loop, one record at a time."""
    found = np.full((len(part.known), len(part.told)), -np.inf)
    for row, known in zip(found, part.known, strict=True):
        likeliest_known(
            part.told[:, None],
            part.other[:, None],
            part.logs[:, None],
            np.array([[known]]),
            np.zeros(1),
            row,
            np.full(len(row), -1),
        )
    return np.exp(found)


@pytest.mark.parametrize(
    ("mechanism", "values"),
    [
        (Warner(keep=0.7, group="g"), [2, 2, 2]),
        (UnrelatedQuestion(keep=0.6, group="g"), [2, 3, 2]),
        (UnrelatedQuestion(keep=0.6, group="g", shares=(0.2, 0.8)), [2, 2]),
    ],
)
def test_a_shared_coin_is_the_channel_of_the_group(mechanism, values):
    spec = Specification(
        {f"x{j}": Categorical(range(size), mechanism=mechanism) for j, size in enumerate(values)}
    )
    every = _all(values)
    (part,) = coin_parts(spec, list(spec), known=every, counts=np.ones(len(every)), reports=every)

    assert _channel(part) == pytest.approx(joint_channel(spec, group="g").matrix)


@pytest.mark.parametrize("mechanism", [RandomizedResponse(keep=0.6), Warner(keep=0.3), None])
def test_an_attribute_alone_is_its_own_channel(mechanism):
    attribute = Categorical([0, 1], mechanism=mechanism)
    spec = Specification({"x": attribute})
    every = _all([2])
    (part,) = coin_parts(spec, ["x"], known=every, counts=np.ones(2), reports=every)

    expected = np.eye(2) if mechanism is None else mechanism.channel(attribute).matrix
    assert _channel(part) == pytest.approx(expected)


def test_alone_the_likelier_of_two_truths_is_chosen():
    spec = Specification({"x": Categorical([0, 1], mechanism=Warner(keep=0.6))})
    every = _all([2])
    (part,) = coin_parts(spec, ["x"], known=every, counts=np.array([90, 10]), reports=every)

    best, score = part.alone()
    assert part.values[best].ravel().tolist() == [0, 0]
    assert np.exp(score) == pytest.approx([0.9 * 0.6, 0.9 * 0.4], rel=0.01)
