from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Specification, disguise
from scumble.mechanisms import UnrelatedQuestion, Warner
from scumble.population import Population, code_reports, mean_log_likelihood
from scumble.population._fit import averaged
from scumble.population._mirror import image_chances, images, turned
from scumble.tables import Table

NAMES = ["a", "b", "c", "d"]


def _population():
    """Return two components, one for each class, of four answers."""
    answer = Categorical([False, True])
    shares = [np.array([[1 - p, p], [p, 1 - p]]) for p in (0.1, 0.2, 0.85, 0.7)]
    return Population(
        dict.fromkeys(NAMES, answer),
        [answer] * 4,
        np.array([0.7, 0.3]),
        np.array([0, 1]),
        shares,
        2,
    )


def _reports(mechanism, n=2000):
    codes, classes = _population().sample(n, seed=1)
    table = pd.DataFrame(codes == 2, columns=NAMES).assign(**{"class": classes == 1})
    spec = Specification(
        {
            name: Categorical([False, True], mechanism=replace(mechanism, group=group))
            for name, group in zip(table, "xxyyx", strict=True)
        },
        class_attribute="class",
    )
    reports = disguise(table, spec, seed=2)
    matrix = spec["class"].mechanism.channel(spec["class"]).matrix
    labels = reports["class"].to_numpy().astype(np.int64)
    own = Table(reports.drop(columns="class"))
    return code_reports(own, spec, names=NAMES, labels=labels, label_matrix=matrix)


@pytest.mark.parametrize("reversed_groups", ["x", "y", "xy"])
@pytest.mark.parametrize("keep", [0.6, 0.4])
def test_a_population_the_wrong_way_round_is_turned(keep, reversed_groups):
    reports, right = _reports(Warner(keep=keep)), _population()
    shares = [
        share[:, ::-1] if group in reversed_groups else share
        for share, group in zip(right.shares, "xxyy", strict=True)
    ]
    classes = 1 - right.classes if "x" in reversed_groups else right.classes
    wrong = replace(right, shares=shares, classes=classes)

    found = turned(wrong, reports)

    assert mean_log_likelihood(wrong, reports) < mean_log_likelihood(right, reports)
    assert found.classes.tolist() == right.classes.tolist()
    for own, true in zip(found.shares, right.shares, strict=True):
        assert own.tolist() == true.tolist()


def test_the_right_one_and_harmless_answers_are_left_alone():
    right = _population()

    assert turned(right, _reports(Warner(keep=0.6))) is right
    assert turned(right, _reports(UnrelatedQuestion(keep=0.6))) is right


def test_records_that_tell_which_way_round_leave_no_other_image():
    right, reports = _population(), _reports(Warner(keep=0.6))

    found = images(right, reports, np.random.default_rng(1))

    assert len(found) == 1
    assert found[0] is right


def test_few_records_leave_several_images_each_as_probable_as_it_is_likely():
    right, reports = _population(), _reports(Warner(keep=0.6), n=100)

    found = images(right, reports, np.random.default_rng(1))
    chances = image_chances(found, reports, np.random.default_rng(2))

    assert len(found) > 1
    assert chances.sum() == pytest.approx(1)
    likelihoods = [mean_log_likelihood(own, reports) for own in found]
    assert np.argsort(chances).tolist() == np.argsort(likelihoods).tolist()


def test_images_are_less_sure_of_each_other_than_the_likelihood_is():
    right, reports = _population(), _reports(Warner(keep=0.6), n=400)
    shares = [share[:, ::-1] if place >= 2 else share for place, share in enumerate(right.shares)]
    both = [right, replace(right, shares=shares)]

    chances = image_chances(both, reports, np.random.default_rng(1))

    levels = np.array([len(reports) * mean_log_likelihood(own, reports) for own in both])
    sure = np.exp(levels - levels.max())
    assert (sure / sure.sum()).min() < chances.min() < 0.5
    assert chances.argmax() == levels.argmax()


def test_an_average_of_images_is_not_sure_of_what_they_disagree_about():
    right = _population()
    shares = [share[:, ::-1] if place >= 2 else share for place, share in enumerate(right.shares)]
    both = averaged([right, replace(right, shares=shares)], [0.5, 0.5])
    second_group = np.array([[0, 0, 1, 1], [0, 0, 2, 2]], dtype=np.uint16)

    found = both.class_probabilities(second_group)

    assert found == pytest.approx(np.tile(right.class_shares, (2, 1)), abs=0.01)


def test_where_coins_tell_nothing_a_few_of_many_images_are_followed():
    """Of 128 that are all as likely, none may be given up for being one of many."""
    names = [f"{place}{side}" for place in range(7) for side in "lr"]
    answer = Categorical([False, True])
    half = Population(
        dict.fromkeys(names, answer),
        [answer] * 14,
        np.array([1.0]),
        np.array([0]),
        [np.array([[0.5, 0.5]])] * 14,
        1,
    )
    spec = Specification(
        {
            name: Categorical([False, True], mechanism=Warner(keep=0.6, group=name[0]))
            for name in names
        }
    )
    rng = np.random.default_rng(1)
    table = pd.DataFrame({name: rng.random(20) < 0.5 for name in names})
    reports = code_reports(Table(disguise(table, spec, seed=1)), spec, names=names)

    assert len(images(half, reports, rng)) == 8
