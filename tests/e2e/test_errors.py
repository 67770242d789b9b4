"""Every mistake ends in one line that says what to do, and leaves files as they were."""

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from odd_table import CLASS, write_odd_table

from scumble.cli import run

SECRET = "SECRET"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("errors")
    write_odd_table(folder / "odd.csv", records=300)
    plan = ["plan", str(folder / "odd.csv"), "--class", CLASS, "--disguise"]
    assert run([*plan, "-o", str(folder / "odd.toml")]) == 0
    other = (folder / "odd.toml").read_text().replace("privacy = 1.0", "privacy = 0.5")
    (folder / "other.toml").write_text(other)
    (folder / "typo.toml").write_text(other.replace("gaussian", "gausian"))
    (folder / "bad.toml").write_text("class = \n")
    for ending in ("csv", "parquet"):
        disguise = ["disguise", str(folder / "odd.csv"), "--spec", str(folder / "odd.toml")]
        assert run([*disguise, "-o", str(folder / f"reports.{ending}")]) == 0
    return folder


@pytest.fixture
def inside(folder, monkeypatch):
    monkeypatch.chdir(folder)
    return folder


def _said(capsys, args, code=1):
    """Return the one line on stderr."""
    assert run(args) == code
    out, err = capsys.readouterr()
    assert err.count("\n") == 1, err
    assert err.startswith("scumble: error: ")
    assert SECRET not in out + err
    return err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["disguise", "none.csv", "--spec", "odd.toml"], "none.csv: there is no such file"),
        (["disguise", "odd.csv", "--spec", "none.toml"], "none.toml: cannot be read"),
        (["disguise", "odd.csv", "--spec", "bad.toml"], "bad.toml: not a valid file"),
        (["disguise", "odd.csv", "--spec", "typo.toml"], "did you mean 'gaussian'?"),
        (["disguise", "odd.csv", "--spec", "odd.toml", "-o", "x.xlsx"], "ends in .csv"),
        (["disguise", "odd.csv", "--spec", "odd.toml", "-o", "no/x.csv"], "folder no: no such"),
        (["disguise", "odd.csv", "--spec", "odd.toml", "-o", "odd.csv"], "is the table itself"),
        (["plan", "odd.csv", "--class", CLASS, "-o", "."], ".: is a directory"),
        (["plan", "odd.csv", "--class", "Diagnose"], f"did you mean '{CLASS}'?"),
        (["plan", "odd.csv", "--class", CLASS, "--public", "Town"], "did you mean 'Town/City'?"),
        (["reconstruct", "reports.csv", "--spec", "odd.toml", "--attribute", "income"],
         "did you mean 'income $'?"),
        (["reconstruct", "reports.csv", "--spec", "odd.toml", "--plot", "x.txt"], "ends in .png"),
        (["reconstruct", "reports.csv", "--spec", "other.toml"], "another specification"),
        (["grow", "reports.parquet", "--spec", "other.toml"], "another specification"),
        (["audit", "--spec", "odd.toml", "--reports", "reports.csv", "--fail-if", "gues > 1"],
         "did you mean 'guess'?"),
        (["grow", "odd.csv"], "class: missing"),
        (["grow", "odd.csv", "--class", "Diagnose"], f"did you mean '{CLASS}'?"),
        (["test", "odd.toml", "reports.csv"], "is it a model?"),
        (["predict", "none.json", "odd.csv"], "none.json: cannot be read"),
    ],
)  # fmt: skip
def test_a_mistake_gets_one_line(inside, capsys, args, said):
    assert said in _said(capsys, args)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("foreign.csv", "a,b\n1,\u3001 SECRET\n".encode("shift-jis"), "encoding is not known"),
        ("colons.csv", b"a:b\n1:SECRET\n", "column"),
        ("rows.csv", b"a,b\n1,2\n3,4,SECRET\n", "has 3 cells and the header 2"),
        ("empty.csv", b"", "it is empty"),
        ("noise.csv", bytes(range(256)) + b"SECRET", "expected a CSV file"),
        ("cut.csv.gz", b"\x1f\x8b\x08SECRET", "its end is missing"),
        ("packed.csv.gz", b"a,b\n1,SECRET\n", "not compressed by gzip"),
        ("cut.parquet", b"PAR1SECRET", "its end is missing"),
        ("column.csv", b"SECRET,b\n1,2\n", "declare every column"),
    ],
)
@pytest.mark.parametrize("command", ["disguise", "reconstruct"])
def test_a_file_that_is_none_gets_one_line(inside, capsys, name, content, said, command):
    (inside / name).write_bytes(content)

    line = _said(capsys, [command, name, "--spec", "odd.toml"])

    assert said in line or name == "column.csv"


def test_a_value_of_another_type_names_the_column_only(inside, capsys):
    text = (inside / "odd.csv").read_text().replace("P00009,", "P00009,SECRET", 1)
    (inside / "text.csv").write_text(text)

    line = _said(capsys, ["disguise", "text.csv", "--spec", "odd.toml", "-o", "x.csv"])

    assert "column 2 should hold numbers" in line
    assert not (inside / "x.csv").exists()


def test_a_value_outside_its_domain_is_counted(inside, capsys):
    text = (inside / "odd.csv").read_text().replace(",Rome,", ",SECRET,")
    (inside / "town.csv").write_text(text)

    line = _said(capsys, ["disguise", "town.csv", "--spec", "odd.toml", "-o", "x.csv"])

    assert "column 'Town/City'" in line
    assert "add them to the specification" in line


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["disguis"], "did you mean 'disguise'?"),
        (["disguise", "odd.csv"], "missing option '--spec'"),
        (["disguise", "odd.csv", "--sped", "x"], "--spec"),
        (["disguise", "odd.csv", "--spec", "odd.toml", "--entity", "a"], "go together"),
        (["grow", "odd.csv", "--method", "byclas"], "byclass"),
        (["test", "model.json"], "expected REPORTS or --truth"),
    ],
)
def test_a_command_line_that_makes_no_sense_ends_with_2(inside, capsys, args, said):
    line = _said(capsys, args, code=2)

    assert said in line
    assert "--help" in line


def test_another_specification_is_taken_if_asked_for(inside, capsys):
    args = ["reconstruct", "reports.csv", "--spec", "other.toml", "--any-spec"]

    assert run([*args, "--attribute", "member"]) == 0


def _started(args, folder, **options):
    return subprocess.Popen(
        [sys.executable, "-m", "scumble", *args], cwd=folder, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options,
    )  # fmt: skip


def test_an_interruption_leaves_no_file(folder):
    text = (folder / "odd.csv").read_bytes()
    args = ["disguise", "-", "--spec", "odd.toml", "-o", "late.csv"]
    with _started(args, folder) as process:
        process.stdin.write(text)
        process.stdin.flush()
        time.sleep(3)
        before = sorted(folder.iterdir())
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        process.stdin.close()
        err = process.stderr.read().decode()

    assert process.returncode == 130, err
    assert "interrupted" in err
    assert err.strip().count("\n") == 0
    assert sorted(folder.iterdir()) == before
    assert not (folder / "late.csv").exists()


def test_an_error_ends_what_reads_ahead(folder):
    rng = np.random.default_rng(1)
    rows = b"".join(b"%d,%d\n" % (a, b) for a, b in rng.integers(0, 10**9, (200_000, 2)).tolist())
    with gzip.open(folder / "long.csv.gz", "wb", compresslevel=1) as file:
        file.write(b"other,another\n" + 10 * rows)
    args = ["disguise", "long.csv.gz", "--spec", "odd.toml", "-o", "never.csv"]

    for _ in range(6):
        process = _started(args, folder)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 1
        assert len(said.strip().splitlines()) == 1


def test_a_full_disk_gets_one_line(folder):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "scumble", "disguise", "odd.csv", "--spec", "odd.toml"],
            cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip

    assert done.returncode == 1
    assert done.stderr == (
        "scumble: error: no space left on device; make room and try again; no file was changed\n"
    )


def test_a_file_that_may_not_grow_is_not_left(folder):
    resource = pytest.importorskip("resource")
    (folder / "kept.csv").write_text("as it was")
    process = _started(
        ["disguise", "odd.csv", "--spec", "odd.toml", "-o", "kept.csv"], folder,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000)),
    )  # fmt: skip
    err = process.communicate()[1].decode()

    assert process.returncode == 1
    assert "file too large; make room" in err
    assert (folder / "kept.csv").read_text() == "as it was"


def test_a_reader_that_leaves_is_no_error(folder):
    done = subprocess.run(
        f"{sys.executable} -m scumble disguise odd.csv --spec odd.toml | head -1",
        shell=True, cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert done.stderr == ""
    assert done.stdout.startswith('"Person ID"')


def test_a_bug_is_one_line_without_what_it_says(inside, capsys, monkeypatch):
    def broken(*args, **options):
        raise KeyError(SECRET)

    monkeypatch.setattr("scumble.engines.disguise_file", broken)

    line = _said(capsys, ["disguise", "odd.csv", "--spec", "odd.toml"])

    assert "this is a bug in scumble (KeyError in test_errors.py:" in line
    assert "SCUMBLE_DEBUG=1" in line


def test_a_bug_is_shown_to_who_asks(inside, monkeypatch):
    monkeypatch.setenv("SCUMBLE_DEBUG", "1")
    monkeypatch.setattr("scumble.engines.disguise_file", lambda *args, **options: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        run(["disguise", "odd.csv", "--spec", "odd.toml"])


@pytest.mark.parametrize("args", [["nothing"], ["doctor"]], ids=["an error", "an answer"])
@pytest.mark.parametrize("no_color", ["", "1"])
def test_colours_respect_no_color(folder, args, no_color):
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "scumble", *args], cwd=folder, stdout=theirs, stderr=theirs,
        env={**os.environ, "NO_COLOR": no_color, "TERM": "xterm"},
    ) as process:  # fmt: skip
        os.close(theirs)
        seen = os.read(ours, 60)
        process.kill()
    os.close(ours)

    assert (b"\x1b[" in seen) == (no_color == "")


@pytest.mark.parametrize(
    "args",
    [
        ["plan", "odd.csv", "--class", CLASS, "-o", "odd.csv"],
        ["grow", "odd.csv", "--class", CLASS, "-o", "odd.csv"],
        ["audit", "--spec", "odd.toml", "--truth", "odd.csv", "-o", "odd.csv"],
        ["audit", "--spec", "odd.toml", "--reports", "reports.csv", "--json", "reports.csv"],
    ],
)
def test_no_output_takes_the_place_of_what_is_read(inside, capsys, args):
    before = (inside / args[-1]).read_bytes()

    assert "is the table itself that is read; take another name" in _said(capsys, args)
    assert (inside / args[-1]).read_bytes() == before
