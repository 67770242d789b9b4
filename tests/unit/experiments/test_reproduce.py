"""Experiments are run by name, and what came of them is written whole."""

import csv
import json

import pytest

from scumble.errors import DatasetError, ScumbleWarning, SpecificationError, TableError
from scumble.experiments import (
    EXPERIMENTS,
    Experiment,
    Finding,
    Measured,
    Reproduction,
    experiment,
    reproduce,
    reproduction_page,
    run_experiment,
    write_reproduction_page,
)

PNG = b"\x89PNG"


def _result(name, *, fast, ours="1"):
    finding = Finding("a | b", "2", ours, agrees=False)
    return Reproduction(
        name=name, fast=fast, date="2026-01-01", version="1", seconds=1.0, findings=(finding,)
    )


@pytest.fixture
def stubs(monkeypatch):
    """Two experiments that note what they are asked."""
    asked = []

    def run(each):
        asked.append(each)
        return Measured([{"x": float("nan")}], [Finding("c", "1", "1", agrees=True)])

    def without_data(each):
        raise DatasetError("pima: not found")

    made = {
        "slow": Experiment(
            "slow", "own", "w", 30, "less", run, (), full={"n": 9}, fast={"n": 1}, kept="k"
        ),
        "quick": Experiment("quick", "own", "w", 1, "less", run, (), full={"n": 5}, fast={"n": 2}),
        "no data": Experiment("no data", "own", "w", 1, "", without_data, ()),
    }
    # Where the function looks: a doctest may have loaded its file a second time.
    monkeypatch.setitem(experiment.__globals__, "EXPERIMENTS", made)
    return asked


def test_rows_everything_and_the_picture_are_written(tmp_path):
    list(reproduce(["as-table-1", "as-figure-2"], output=tmp_path / "new"))

    with (tmp_path / "new" / "as-table-1.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 9
    given = json.loads((tmp_path / "new" / "as-figure-2.json").read_text())
    assert [len(given["rows"]), len(given["findings"])] == [4, 4]
    assert (tmp_path / "new" / "as-figure-2.png").read_bytes()[:4] == PNG
    assert not (tmp_path / "new" / "as-table-1.png").exists()


def test_a_name_that_there_is_not_is_told_before_anything_is_run(tmp_path):
    with pytest.raises(SpecificationError, match="unknown 'as-table-9'"):
        next(reproduce(["as-table-1", "as-table-9"], output=tmp_path))

    assert not list(tmp_path.iterdir())


def test_what_takes_longer_than_asked_is_looked_at(stubs):
    found = list(reproduce(["slow", "quick"], full_within=2))

    assert [each.fast for each in found] == [True, False]
    assert [each.settings for each in stubs] == [{"n": 1}, {"n": 5}]


def test_finished_rows_are_forgotten_unless_the_run_is_taken_up(stubs, tmp_path):
    kept = tmp_path / "finished-k.jsonl"
    for resume in (True, False):
        kept.write_text("rows")
        list(reproduce(["slow", "quick"], output=tmp_path, resume=resume))
        assert kept.exists() == resume

    assert [each.resume for each in stubs] == [str(kept), None] * 2


def test_other_settings_make_a_look(stubs):
    assert run_experiment("quick", settings={"n": 7}).fast
    assert not run_experiment("quick").fast


def test_an_experiment_without_its_data_is_left_out_with_a_warning(stubs):
    with pytest.warns(ScumbleWarning, match="no data is left out: pima"):
        found = list(reproduce(["no data", "quick"]))

    assert [each.name for each in found] == ["quick"]


def test_what_is_no_number_is_none_in_json(stubs):
    found = run_experiment("quick")

    assert json.loads(found.to_json())["rows"] == [{"x": None}]


def test_a_file_where_the_folder_should_be_is_told(tmp_path):
    (tmp_path / "taken").write_text("")

    with pytest.raises(TableError, match="expected a folder"):
        next(reproduce(["as-table-1"], output=tmp_path / "taken"))


def test_a_page_lists_every_experiment_also_those_not_run():
    page = reproduction_page({"as-table-1": _result("as-table-1", fast=True)})

    for name in EXPERIMENTS:
        assert f"### {name}\n" in page
    assert page.count("Not measured yet") == len(EXPERIMENTS) - 1
    assert r"| a \| b | 2 | 1 | **does not agree** |  |" in page


def test_a_look_does_not_take_the_place_of_a_full_run_on_the_page(tmp_path):
    page = tmp_path / "page.md"
    runs = [("first", True), ("second", False), ("third", True), ("fourth", False)]
    seen = []
    for ours, fast in runs:
        found = write_reproduction_page(page, [_result("as-table-1", fast=fast, ours=ours)])
        seen.append(found["as-table-1"].findings[0].ours)

    assert seen == ["first", "second", "second", "fourth"]
    assert "| fourth |" in page.read_text()


def test_results_of_other_experiments_stay_on_the_page(tmp_path):
    page = tmp_path / "page.md"
    for name in ("lsl-table-1", "as-table-1"):
        found = write_reproduction_page(page, [_result(name, fast=True)])

    assert list(found) == ["as-table-1", "lsl-table-1"]


def test_a_page_that_cannot_be_written_is_told_before_anything_is_run(stubs, tmp_path):
    (tmp_path / "page.json").write_text("[{}]")
    for page, text in (
        (tmp_path / "none" / "page.md", "expected its folder"),
        (tmp_path / "page.txt", r"ends in \.md"),
        (tmp_path / "page.md", "expected the results beside a page"),
    ):
        with pytest.raises(TableError, match=text):
            next(reproduce(["quick"], page=page))

    assert not stubs
