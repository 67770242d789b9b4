import numpy as np
import pandas as pd
import pytest

from scumble import DisguisedTreeClassifier, Numeric, Specification, disguise
from scumble.audit import membership_inference
from scumble.audit._membership import best_threshold
from scumble.errors import TableError
from scumble.mechanisms import GaussianNoise
from scumble.mining import C45Classifier


def _people(n, seed):
    """Records of which three in four have the class that their first number tells."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.uniform(0, 1, (n, 3)), columns=["a", "b", "c"])
    return X, (X["a"].to_numpy() > 0.5) ^ (rng.random(n) < 0.25)


MEMBERS, OTHERS = _people(4000, 1), _people(4000, 2)


def _attack(tree):
    return membership_inference(tree, members=MEMBERS, others=OTHERS, seed=1)


def test_a_deep_tree_gives_its_members_away():
    tree = DisguisedTreeClassifier(pruning=None).fit(*MEMBERS)

    confidence, leaves = _attack(tree)

    # A tree that fits everyone is sure of every member, and of about six others in ten: the
    # class of another leaf that is right is 0.75 ** 2 + 0.25 ** 2.
    assert confidence.success == pytest.approx(1 - (0.75**2 + 0.25**2) / 2, abs=0.05)
    assert confidence.beats_base
    assert leaves.low > 0.6
    assert (confidence.base, confidence.records) == (0.5, 4000)


@pytest.mark.parametrize(
    "tree",
    [DisguisedTreeClassifier(), C45Classifier(confidence=0.01)],
    ids=["description length", "error-based"],
)
def test_a_pruned_tree_hardly_does(tree):
    confidence, _ = _attack(tree.fit(*MEMBERS))

    assert confidence.success < 0.56


def test_a_tree_from_reports_hardly_does_either():
    spec = Specification(
        {name: Numeric(0, 1, mechanism=GaussianNoise(privacy=1.0)) for name in "abc"}
    )
    X, y = MEMBERS
    tree = DisguisedTreeClassifier(spec, method="byclass", pruning=None)
    tree.fit(disguise(X, spec, seed=1), y)

    confidence, leaves = _attack(tree)

    assert confidence.success < 0.56
    assert leaves.success < 0.56


def test_people_who_are_alike_cannot_be_told_apart():
    tree = DisguisedTreeClassifier(pruning=None).fit(*MEMBERS)

    (confidence, _) = membership_inference(tree, members=OTHERS, others=_people(4000, 3), seed=1)

    # Neither group was in training: beyond half by five standard errors once in a million.
    assert abs(confidence.success - 0.5) < 5 * 0.5 / np.sqrt(4000)


def test_the_share_of_members_alone_in_a_leaf_is_told():
    # Everyone is alone where classes alternate.
    X = pd.DataFrame({"a": np.arange(40.0)})
    y = np.arange(40) % 2
    tree = DisguisedTreeClassifier(pruning=None).fit(X, y)

    _, leaves = membership_inference(tree, members=(X, y), others=(X + 0.1, 1 - y), seed=1)

    assert "100.0 % of the members are in a leaf of one record" in leaves.explanation
    assert leaves.success == 1.0


def test_a_class_that_the_model_does_not_know_is_not_one_of_a_member():
    X = pd.DataFrame({"a": np.arange(40.0)})
    tree = DisguisedTreeClassifier(pruning=None).fit(X, ["no"] * 20 + ["yes"] * 20)

    found = membership_inference(
        tree, members=(X, ["no"] * 20 + ["yes"] * 20), others=(X, ["perhaps"] * 40), seed=1
    )

    assert [result.success for result in found] == [1.0, 1.0]


def test_any_classifier_can_be_attacked():
    from sklearn.tree import DecisionTreeClassifier

    model = DecisionTreeClassifier(random_state=0).fit(*MEMBERS)

    (found,) = membership_inference(model, members=MEMBERS, others=OTHERS, seed=1)

    assert found.beats_base


def test_a_threshold_that_helps_nobody_says_nobody():
    assert best_threshold(np.array([0.1, 0.1]), np.array([0.9, 0.9])) in (0.1, np.inf)


def test_a_few_people_are_too_few():
    X, y = MEMBERS
    tree = C45Classifier().fit(X, y)

    with pytest.raises(TableError, match="at least 4 people"):
        membership_inference(tree, members=(X[:3], y[:3]), others=OTHERS)
    with pytest.raises(TableError, match="3999 and 4000 classes"):
        membership_inference(tree, members=(X, y[1:]), others=OTHERS)
