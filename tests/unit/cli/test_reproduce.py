"""`scumble reproduce`, as a user calls it."""

import json

import pytest

from scumble.errors import DatasetError
from scumble.experiments import EXPERIMENTS, Experiment, experiment

pytest.importorskip("scumble.cli.terminal", reason="the command line is not there")

from scumble.cli import run
from scumble.cli._reproduce import command


@pytest.fixture
def called(capsys):
    """Return what a command line gives: its exit code, and what it prints."""

    def call(*words):
        code = run(["reproduce", *map(str, words)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def test_the_list_has_every_experiment_with_its_paper_and_duration(called):
    code, out, _ = called("--list")
    lines = out.splitlines()

    assert code == 0
    assert [line.split()[0] for line in lines[1 : len(EXPERIMENTS) + 1]] == list(EXPERIMENTS)
    assert "as-figure-5           AS        3 min  Figure 5" in out


def test_the_list_as_json(called):
    listed = json.loads(called("--list", "--json")[1])

    assert [each["name"] for each in listed] == list(EXPERIMENTS)
    assert {"paper", "shows", "minutes"} <= listed[0].keys()


def test_an_experiment_is_printed_and_written(called, tmp_path):
    code, out, err = called("as-table-1", "-o", tmp_path / "o", "--page", tmp_path / "page.md")

    assert code == 0
    assert "does not agree: Gaussian, 99.9 % confidence (paper: 6.8 sigma;" in out
    assert "as-table-1: in full, seconds" in err
    assert sorted(path.name for path in (tmp_path / "o").iterdir()) == [
        "as-table-1.csv",
        "as-table-1.json",
    ]
    assert "6.581 sigma" in (tmp_path / "page.md").read_text()


def test_json_is_all_that_is_printed(called):
    (found,) = json.loads(called("as-table-1", "--json")[1])

    assert (found["name"], len(found["rows"])) == ("as-table-1", 9)


def test_a_wrong_name_is_answered_in_one_line(called):
    code, out, err = called("as-tabel-1")

    assert (code, out) == (1, "")
    assert err.strip().endswith("did you mean 'as-table-1'?")
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("words", [(), ("as-table-1", "--all"), ("as-table-1", "--resume")])
def test_wrong_use_is_told(called, words):
    assert called(*words)[0] == 2


@pytest.fixture
def without_data(monkeypatch):
    return _added(monkeypatch, DatasetError("pima: not found"))


@pytest.fixture
def broken_off(monkeypatch):
    return _added(monkeypatch, KeyboardInterrupt())


def _added(monkeypatch, error):
    """Add an experiment that ends in an error, and return its name."""

    def fail(asked):
        raise error

    added = Experiment("broken", "own", "w", 1, "", fail, ())
    # Where the function looks: a doctest may have loaded its file a second time.
    found = {**EXPERIMENTS, "broken": added}
    monkeypatch.setitem(experiment.__globals__, "EXPERIMENTS", found)
    return "broken"


@pytest.mark.filterwarnings("always::scumble.errors.ScumbleWarning")
def test_what_is_left_out_makes_the_command_fail(called, without_data):
    code, out, err = called(without_data, "as-table-1")

    assert code == 1
    assert "broken is left out: pima: not found" in err
    assert "8 of 9" in out


def test_what_was_finished_is_kept_when_a_run_is_broken_off(called, broken_off, tmp_path):
    code, _, err = called("as-table-1", broken_off, "-o", tmp_path)

    assert code == 130
    assert "what was finished is kept" in err
    assert (tmp_path / "as-table-1.csv").is_file()


def test_help_shows_examples(called):
    code, out, _ = called("--help")

    assert code == 0
    assert "scumble reproduce as-figure-5 --fast" in out


def test_a_shell_can_complete_names():
    (names,) = [parameter for parameter in command.params if parameter.name == "names"]

    assert [each.value for each in names.shell_complete(None, "lsl-")] == [
        "lsl-table-1",
        "lsl-table-2",
    ]
