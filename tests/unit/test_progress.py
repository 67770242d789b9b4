import gzip
import time

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet

from scumble import (
    Categorical,
    DisguisedTreeClassifier,
    Numeric,
    Specification,
    disguise,
    progress,
)
from scumble.audit import audit
from scumble.engines import read_table
from scumble.errors import ReleaseError, SpecificationError, TableError
from scumble.mechanisms import GaussianNoise, Warner
from scumble.release import plan, release
from scumble.report import reconstruct_all


@pytest.fixture
def shown(monkeypatch, capsys):
    """Show bars at once; what is called returns what they show."""
    monkeypatch.setattr(progress, "_DELAY", 0.0)
    return lambda: capsys.readouterr().err


@pytest.fixture
def people(tmp_path):
    rng = np.random.default_rng(0)
    age = rng.integers(20, 80, 3000)
    path = tmp_path / "people.csv"
    ill = np.where((age > 50) ^ (rng.random(3000) < 0.1), "yes", "no")
    pd.DataFrame({"age": age, "ill": ill}).to_csv(path, index=False)
    return path


def test_a_bar_waits_until_the_work_takes_long(capsys):
    with progress.bar("short", shown=True, total=2) as bar:
        bar.update()

    assert "short" not in capsys.readouterr().err


def test_a_bar_appears_while_a_step_takes_long(shown, monkeypatch):
    monkeypatch.setattr(progress, "_TICK", 0.01)
    with progress.bar("long", shown=True, total=2):
        time.sleep(0.2)

        text = shown()
    assert "long:   0%" in text
    assert shown().endswith("\n")


def test_of_a_compressed_file_the_time_left_is_told(shown, people, tmp_path):
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(people.read_bytes()))

    read_table(path, progress=True)

    assert "read people.csv.gz: 100%" in shown()


def test_of_parquet_too(shown, people, tmp_path):
    path = tmp_path / "people.parquet"
    parquet.write_table(read_table(people), path, row_group_size=1000)

    assert read_table(path, progress=True).num_rows == 3000
    assert "read people.parquet: 100%" in shown()


@pytest.mark.parametrize("method", ["inversion", "byclass", "likelihood"])
def test_growing_and_testing_tell_how_far_they_are(shown, people, method):
    answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.9))
    spec = Specification({"old": answer, "ill": answer}, class_attribute="ill")
    table = read_table(people).to_pandas()
    truths = pd.DataFrame({"old": np.where(table["age"] > 50, "yes", "no"), "ill": table["ill"]})
    reports = disguise(truths, spec, seed=1)
    if method == "byclass":
        spec = Specification(
            {"old": answer, "ill": Categorical(["no", "yes"])}, class_attribute="ill"
        )
        reports = disguise(truths, spec, seed=1)
    tree = DisguisedTreeClassifier(spec, method=method, random_state=0, verbose=True).fit(reports)

    assert "100%" in shown()
    tree.score_disguised(reports)
    assert "weighed an accuracy: 100%" in shown()


def test_reading_and_planning_and_releasing_tell_how_far_they_are(shown, people, tmp_path):
    proposed = plan(people, class_attribute="ill", progress=True)
    release(people, proposed.specification, output=tmp_path / "r.csv", progress=True)

    text = shown()
    for what in ("read people.csv", "relevance", "plan", "release"):
        assert f"{what}:" in text


def test_reconstruction_tells_how_far_it_is(shown, people):
    spec = Specification({"age": Numeric(20, 80, mechanism=GaussianNoise(privacy=0.5))})
    reports = disguise(read_table(people).select(["age"]), spec, seed=1)

    reconstruct_all(reports, spec, progress=True)

    assert "reconstruct: 100%" in shown()


def test_nothing_is_shown_unasked(shown, people):
    plan(people, class_attribute="ill")

    assert shown() == ""


@pytest.fixture
def bars(monkeypatch):
    """Keep every bar that is made."""
    made, tqdm_bar = [], progress.bar

    def kept(*args, **kwargs):
        made.append(tqdm_bar(*args, **kwargs))
        return made[-1]

    for home in ("release._plan", "release._release", "audit._audit"):
        monkeypatch.setattr(f"scumble.{home}.bar", kept)
    return made


def _release_names(people):
    table = read_table(people).to_pandas()
    table["name"] = [f"person {place}" for place in range(len(table))]
    spec = {"name": Categorical(tuple(table["name"])), "ill": Categorical(["no", "yes"])}
    release(table[["name", "ill"]], Specification(spec), progress=True)


def _audit_nobody(people):
    spec = Specification({"age": Numeric(20, 80, mechanism=GaussianNoise(privacy=0.5))})
    nobody = read_table(people).select(["age"]).slice(0, 0)
    audit(spec, reports=disguise(nobody, spec, seed=1), progress=True)


@pytest.mark.parametrize(
    ("work", "error"), [(_release_names, ReleaseError), (_audit_nobody, SpecificationError)]
)
def test_a_bar_is_closed_where_a_check_raises(shown, bars, people, work, error):
    with pytest.raises(error):
        work(people)

    assert [bar.disable for bar in bars] == [True]  # so tqdm says that a bar is closed


def test_the_bar_of_a_plan_is_closed_where_it_breaks(shown, bars, people, monkeypatch):
    def breaks(*_):
        raise TableError("table: cannot be planned")

    monkeypatch.setattr("scumble.release._plan._proposed", breaks)
    with pytest.raises(TableError):
        plan(people, class_attribute="ill", progress=True)

    assert [bar.disable for bar in bars] == [True]
