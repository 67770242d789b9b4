import numpy as np
import pandas as pd
import pytest

from scumble import Numeric, Specification, disguise, progress
from scumble.engines import read_table
from scumble.mechanisms import GaussianNoise
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
