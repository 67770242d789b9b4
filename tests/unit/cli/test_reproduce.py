"""`scumble reproduce`, as a user calls it."""

import json

import pytest

click_testing = pytest.importorskip("click.testing", reason="click is not installed")

from scumble.cli._reproduce import reproduce  # noqa: E402
from scumble.errors import DatasetError  # noqa: E402
from scumble.experiments import EXPERIMENTS, Experiment, _registry  # noqa: E402


def _called(*words):
    return click_testing.CliRunner().invoke(reproduce, list(map(str, words)))


def test_the_list_has_every_experiment_with_its_paper_and_duration():
    lines = _called("--list").stdout.splitlines()

    assert [line.split()[0] for line in lines[1 : len(EXPERIMENTS) + 1]] == list(EXPERIMENTS)
    assert "as-figure-5           AS        3 min  Figure 5" in "\n".join(lines)


def test_the_list_as_json():
    listed = json.loads(_called("--list", "--json").stdout)

    assert [each["name"] for each in listed] == list(EXPERIMENTS)
    assert {"paper", "shows", "minutes"} <= listed[0].keys()


def test_an_experiment_is_printed_and_written(tmp_path):
    done = _called("as-table-1", "-o", tmp_path / "out", "--page", tmp_path / "page.md")

    assert done.exit_code == 0
    assert "does not agree: Gaussian, 99.9 % confidence (paper: 6.8 sigma;" in done.stdout
    assert "as-table-1: in full, seconds" in done.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "as-table-1.csv",
        "as-table-1.json",
    ]
    assert "6.581 sigma" in (tmp_path / "page.md").read_text()


def test_json_is_all_that_is_printed():
    (found,) = json.loads(_called("as-table-1", "--json").stdout)

    assert (found["name"], len(found["rows"])) == ("as-table-1", 9)


def test_a_wrong_name_is_answered_in_one_line():
    done = _called("as-tabel-1")

    assert done.exit_code == 1
    assert done.stderr.strip().endswith("did you mean 'as-table-1'?")
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("words", [(), ("as-table-1", "--all"), ("as-table-1", "--resume")])
def test_wrong_use_is_told(words):
    assert _called(*words).exit_code == 2


def test_what_is_left_out_makes_the_command_fail(monkeypatch):
    def without_data(asked):
        raise DatasetError("pima: not found")

    monkeypatch.setitem(
        _known(monkeypatch), "no data", Experiment("no data", "own", "w", 1, "", without_data, ())
    )

    done = _called("no data", "as-table-1")

    assert done.exit_code == 1
    assert "warning: no data is left out: pima: not found" in done.stderr
    assert "8 of 9" in done.stdout


def _known(monkeypatch):
    """Return a registry that can be added to."""
    known = dict(EXPERIMENTS)
    monkeypatch.setattr(_registry, "EXPERIMENTS", known)
    return known


def test_help_shows_examples_without_loading_the_experiments():
    done = _called("--help")

    assert done.exit_code == 0
    assert "scumble reproduce as-figure-5 --fast" in done.stdout


def test_a_shell_can_complete_names():
    (names,) = [p for p in reproduce.params if p.name == "names"]

    assert [each.value for each in names.shell_complete(None, "lsl-")] == [
        "lsl-table-1",
        "lsl-table-2",
    ]
