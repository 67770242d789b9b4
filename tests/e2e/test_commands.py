"""Every command, on a table as people have them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from odd_table import CLASS, HEADER, write_odd_table

import scumble
from scumble import Specification, disguise
from scumble.cli import run
from scumble.engines import read_table, truth_types


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a table, a specification, reports and a model."""
    folder = tmp_path_factory.mktemp("commands")
    write_odd_table(folder / "odd.csv")
    at = {name: str(folder / name) for name in ("odd.csv", "odd.toml", "reports.csv", "model.json")}
    plan = ["plan", at["odd.csv"], "--class", CLASS, "--disguise", "-o", at["odd.toml"]]
    assert run(plan) == 0
    assert run(["disguise", at["odd.csv"], "--spec", at["odd.toml"], "-o", at["reports.csv"]]) == 0
    grow = ["grow", at["reports.csv"], "--spec", at["odd.toml"], "--method", "byclass"]
    assert run([*grow, "-o", at["model.json"]]) == 0
    return folder


@pytest.fixture
def inside(folder, monkeypatch):
    monkeypatch.chdir(folder)
    return folder


def test_a_plan_proposes_a_specification_that_can_be_read(inside, capsys):
    assert run(["plan", "odd.csv", "--class", CLASS, "--withheld", "remark, if any, Town/City",
                "--public", "smoker?", "--json"]) == 0  # fmt: skip

    spec = Specification.from_dict(json.loads(capsys.readouterr().out))
    assert tuple(spec) == HEADER
    assert spec["remark, if any"].sensitivity == "withheld"


def test_a_plan_says_what_to_do_next(inside, capsys):
    assert run(["plan", "odd.csv", "--class", CLASS, "-o", "release.toml"]) == 0

    said = capsys.readouterr()
    assert "discretize" in said.out
    assert "scumble release odd.csv --spec release.toml -o odd-released.csv" in said.err


def test_reports_are_those_of_the_library(inside, capsys):
    run(["disguise", "odd.csv", "--spec", "odd.toml", "-o", "seeded.parquet", "--seed", "7"])

    spec = Specification.from_toml("odd.toml")
    whole = disguise(read_table("odd.csv", types=truth_types(spec)), spec, seed=7)
    written = read_table("seeded.parquet")
    for name in spec:
        own = written[name].combine_chunks()
        assert own.equals(whole[name].combine_chunks().cast(own.type)), name
    assert "seeded noise is for experiments" in capsys.readouterr().err


def test_the_whole_chain_by_pipes(folder):
    command = f"{sys.executable} -m scumble"
    done = subprocess.run(
        f"cat odd.csv | {command} disguise - --spec odd.toml | "
        f"{command} reconstruct - --spec odd.toml --attribute member --json",
        shell=True, capture_output=True, text=True, cwd=folder, check=True,
    )  # fmt: skip

    shares = json.loads(done.stdout)["member"]["shares"]
    assert sum(row["share"] for row in shares) == pytest.approx(1)


@pytest.mark.parametrize("ending", ["csv.gz", "parquet"])
def test_the_name_of_a_file_says_what_it_is(inside, ending):
    name = f"again.{ending}"

    assert run(["disguise", "odd.csv", "--spec", "odd.toml", "-o", name]) == 0
    assert run(["reconstruct", name, "--spec", "odd.toml", "--attribute", "smoker?"]) == 0
    assert read_table(name).num_rows == 600


def test_noise_that_is_fixed_is_the_same_again(inside):
    (inside / "secret").write_bytes(b"sixteen bytes or more")
    fixed = ["--secret-file", "secret", "--entity", "Person ID"]

    for name in ("one.csv", "two.csv"):
        assert run(["disguise", "odd.csv", "--spec", "odd.toml", "-o", name, *fixed]) == 0

    assert (inside / "one.csv").read_bytes() == (inside / "two.csv").read_bytes()
    assert (inside / "one.csv").read_bytes() != (inside / "reports.csv").read_bytes()


def test_a_reconstruction_is_a_picture_of_80_columns(inside, capsys):
    assert run(["reconstruct", "reports.csv", "--spec", "odd.toml", "--plot", "all.png"]) == 0

    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert "█" in out
    assert re.search(r"mean \d+.*, median \d+", out)
    assert (inside / "all.png").stat().st_size > 10_000


def test_a_tree_is_grown_by_likelihood_and_says_so(inside, capsys):
    assert run(["grow", "reports.csv", "--spec", "odd.toml", "--seed", "1", "--json"]) == 0

    found = json.loads(capsys.readouterr().out)
    assert found["classes"] == ["ill", "well"]
    assert any(row["chosen"] for row in found["selection"])
    assert found["rules"][0].startswith("if ")


def test_another_class_may_be_grown(inside, capsys):
    assert run(["grow", "reports.csv", "--spec", "odd.toml", "--class", "Town/Citi"]) == 1
    assert "did you mean 'Town/City'?" in capsys.readouterr().err


def test_a_model_is_tested_on_reports_and_truths(inside, capsys):
    args = ["test", "model.json", "reports.csv", "--truth", "odd.csv", "--json"]

    assert run(args) == 0

    found = json.loads(capsys.readouterr().out)
    assert found["truth"]["accuracy"] > 0.6
    assert found["reports"]["records"] == 600


def test_a_model_is_applied_to_truths(inside, capsys):
    assert run(["predict", "model.json", "odd.csv", "-o", "classes.csv"]) == 0

    answers = read_table(inside / "classes.csv")
    assert answers.column_names == ["predicted", "chance"]
    assert answers.num_rows == 600
    assert set(answers["predicted"].to_pylist()) <= {"ill", "well"}


def test_a_table_in_clear_is_mined_without_a_specification(inside, capsys):
    assert run(["plan", "odd.csv", "--class", CLASS, "-o", "release.toml"]) == 0
    assert run(["release", "odd.csv", "--spec", "release.toml", "-o", "published/"]) == 0
    assert (inside / "published" / "odd.manifest.json").exists()

    assert run(["grow", "published/odd.csv", "--class", CLASS, "-o", "clear.json"]) == 0
    assert run(["test", "clear.json", "--truth", "published/odd.csv", "--class", CLASS]) == 0
    assert run(["predict", "clear.json", "published/odd.csv", "-o", "clear.csv"]) == 0

    assert "accuracy on truths" in capsys.readouterr().out


def test_what_was_disguised_can_be_released(inside, capsys):
    assert (
        run(["release", "odd.csv", "--spec", "odd.toml", "-o", "released.parquet", "--json"]) == 0
    )

    assert json.loads(capsys.readouterr().out)["records"] == 600


def test_an_audit_ends_with_3_where_a_condition_holds(inside, capsys):
    files = ["--truth", "odd.csv", "--reports", "reports.csv", "-o", "audit.html"]
    args = ["audit", "--spec", "odd.toml", *files, "--json", "audit.json", "--seed", "1"]

    assert run([*args, "--fail-if", "guess > 2"]) == 0
    assert run(["audit", "--spec", "odd.toml", "--fail-if", "epsilon > 4"]) == 3

    assert "failed: epsilon > 4: got inf" in capsys.readouterr().err
    assert (inside / "audit.html").read_text().startswith("<!doctype html>")
    assert json.loads((inside / "audit.json").read_text())["records"] == 600


def test_data_sets_and_the_installation_are_listed(inside, capsys):
    assert run(["datasets"]) == 0
    assert "load_NAME" in capsys.readouterr().out
    assert run(["doctor", "--json"]) == 0
    assert {"scumble", "numba", "terminal"} <= {
        own["what"] for own in json.loads(capsys.readouterr().out)
    }


def test_the_demonstration_writes_pages_and_ends_with_three_commands(tmp_path):
    example = Path(scumble.__file__).parents[2] / "examples" / "demo.py"
    done = subprocess.run(
        [sys.executable, "-W", "error", str(example), "--records", "3000", "--seed", "1",
         "-o", "pages"],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[1] for line in lines[-3:]] == ["plan", "disguise", "grow"]
    page = (tmp_path / "pages" / "demo.html").read_text()
    assert "audit.html" in page
    assert page.count("data:image/svg+xml") >= 5


def test_a_command_is_completed_by_the_shell():
    done = subprocess.run(
        [sys.executable, "-c", "from scumble.cli import main; main()"],
        env={"_SCUMBLE_COMPLETE": "bash_complete", "COMP_WORDS": "scumble re", "COMP_CWORD": "1",
             "PYTHONPATH": ":".join(sys.path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert "plain,reconstruct" in done.stdout


def test_parts_of_any_size_give_the_same_reports(inside):
    from scumble.engines import disguise_file

    spec = Specification.from_toml("odd.toml")
    for rows in (7, 100_000):
        disguise_file("odd.csv", spec, output=f"rows-{rows}.csv", seed=3, rows=rows)

    assert (inside / "rows-7.csv").read_bytes() == (inside / "rows-100000.csv").read_bytes()


def test_a_note_stands_beside_csv_and_in_parquet(inside):
    from scumble import provenance
    from scumble.engines import read_reports

    spec = Specification.from_toml("odd.toml")
    run(["disguise", "odd.csv", "--spec", "odd.toml", "-o", "noted.csv", "--seed", "1"])
    assert provenance(read_reports("noted.csv", spec)).seeded

    with Path("noted.csv").open("a") as file:  # another file now: the note says nothing of it
        file.write("\n")
    assert provenance(read_reports("noted.csv", spec)) is None
    assert isinstance(read_reports("noted.csv", spec), pa.Table)


@pytest.fixture
def clear_model(tmp_path, monkeypatch):
    """Go to a folder with a tree of clear numbers, dates and truth values."""
    monkeypatch.chdir(tmp_path)
    lines = ["age,since,member,remark,ill"]
    for i in range(800):
        age, year, member = 20 + i % 60, 1990 + i % 31, i % 2 == 0
        ill = age > 50 if member else year > 2005
        lines.append(f"{age},{year}-03-01,{str(member).lower()},{i},{'yes' if ill else 'no'}")
    Path("people.csv").write_text("\n".join(lines))
    assert run(["grow", "people.csv", "--class", "ill", "-o", "model.json"]) == 0
    return lines


@pytest.mark.parametrize(
    "row",
    ["034,2010-03-01,true,1", "34.0,2010/03/01,1,", "34,01.03.2010,TRUE,some words"],
    ids=["leading zeros", "another notation", "text in what is not tested"],
)
def test_a_clear_tree_reads_columns_as_it_knows_them(clear_model, row, capsys):
    Path("new.csv").write_text(f"age,since,member,remark\n{row}\n")

    assert run(["predict", "model.json", "new.csv", "-o", "classes.csv"]) == 0
    assert read_table("classes.csv")["predicted"].to_pylist() == ["no"]


def test_a_clear_tree_reads_what_changes_after_the_first_part(clear_model):
    many = [clear_model[1]] * 120_000  # over 2 MB
    late = "34.5,2010-03-01,true,n/a,no"
    Path("late.csv").write_text("\n".join([clear_model[0], *many, late]))

    assert run(["predict", "model.json", "late.csv", "-o", "classes.csv"]) == 0
    assert read_table("classes.csv").num_rows == 120_001
    assert run(["test", "model.json", "--truth", "late.csv", "--class", "ill"]) == 0


def test_a_clear_tree_says_which_column_holds_no_numbers(clear_model, capsys):
    Path("new.csv").write_text("age,since,member,remark\nold,2010-03-01,true,1\n")

    assert run(["predict", "model.json", "new.csv", "-o", "classes.csv"]) == 1
    assert "column 1 should hold numbers" in capsys.readouterr().err
    assert not Path("classes.csv").exists()
