import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, DisguisedTreeClassifier, Specification, disguise
from scumble.mechanisms import Warner
from scumble.mining._accuracy_views import SeenAccuracy, records_needed

ALL = 2_000_000


@pytest.mark.parametrize(
    ("sampled", "apart"),
    [(0.01, 0.03), (0.0004, 0.0), (0.0, 0.0), (0.001, 0.002)],
    ids=["views differ more", "below what is printed", "nothing open", "both"],
)
def test_the_first_records_suffice_where_more_would_tell_nothing(sampled, apart):
    assert records_needed(SeenAccuracy(0.9, sampled, apart, 100_000), ALL) == 100_000


@pytest.mark.parametrize(("sampled", "apart"), [(0.01, 0.0), (0.02, 0.01), (0.003, 0.001)])
def test_as_many_records_are_taken_as_tell_nearly_what_all_do(sampled, apart):
    seen = SeenAccuracy(0.9, sampled, apart, 100_000)

    needed = records_needed(seen, ALL)

    least = seen.error_of(ALL)
    assert 100_000 < needed <= ALL
    assert seen.error_of(needed) <= max(1.25 * least, least + 0.0005) * (1 + 1e-9)
    assert seen.error_of(needed - 1) > max(1.25 * least, least + 0.0005) * (1 - 1e-9)


@pytest.fixture(scope="module")
def tested():
    """Return a tree, and reports to test it on, with the accuracy on their truths."""
    answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.9))
    spec = Specification({"old": answer, "ill": Categorical(["no", "yes"])}, class_attribute="ill")
    rng = np.random.default_rng(1)
    old = rng.random(20_000) < 0.5
    ill = old ^ (rng.random(20_000) < 0.1)
    people = pd.DataFrame({"old": np.where(old, "yes", "no"), "ill": np.where(ill, "yes", "no")})
    reports = disguise(people, spec, seed=1)
    tree = DisguisedTreeClassifier(spec, method="byclass").fit(reports)
    return tree, reports, tree.score(people, people["ill"])


def test_a_sample_gives_the_same_answer_within_its_error(tested, monkeypatch):
    tree, reports, accuracy = tested
    whole = tree.score_disguised(reports)
    monkeypatch.setattr("scumble.mining._accuracy_views._FIRST", 2000)
    monkeypatch.setattr("scumble.mining._accuracy_views._LESSENED", 10.0)

    few = tree.score_disguised(reports)

    assert (whole.records, whole.drawn_from) == (20_000, None)
    assert (few.records, few.drawn_from) == (2000, 20_000)
    assert few.error > 2 * whole.error
    assert abs(few.accuracy - accuracy) < 6 * few.error
    assert abs(few.accuracy - whole.accuracy) < 6 * few.error


def test_more_records_are_taken_where_they_tell_more(tested, monkeypatch):
    tree, reports, accuracy = tested
    monkeypatch.setattr("scumble.mining._accuracy_views._FIRST", 2000)

    found = tree.score_disguised(reports)

    assert 2000 < found.records < 20_000
    assert abs(found.accuracy - accuracy) < 6 * found.error


def test_the_same_records_are_taken_again(tested, monkeypatch):
    tree, reports, _ = tested
    monkeypatch.setattr("scumble.mining._accuracy_views._FIRST", 2000)

    assert tree.score_disguised(reports) == tree.score_disguised(reports)
