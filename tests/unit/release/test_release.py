import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scumble import Categorical, Coding, Criteria, Date, Numeric, Specification, Text
from scumble.engines import disguise_file, read_table
from scumble.errors import DomainError, ReleaseError, SpecificationError, TableError
from scumble.mechanisms import GaussianNoise, Warner
from scumble.release import release
from scumble.treatments import Discretize, Distribution, GroupRare, InnocentShuffle, Shuffle

TOWNS = ("Oslo", "Rome", "Bern", "Nice")


def _people(size=400):
    rng = np.random.default_rng(0)
    ill = rng.random(size) < 0.4
    return pd.DataFrame(
        {
            "name": [f"person {place}" for place in range(size)],
            "age": rng.integers(20, 80, size) + 10 * ill,
            "income": rng.lognormal(3, 0.5, size).clip(1, 200),
            "town": np.array(TOWNS)[rng.integers(0, 4, size)],
            "ill": np.where(ill, "yes", "no"),
        }
    )


def _spec(release=None, **changed):
    attributes = {
        "name": Categorical(["a", "b"], sensitivity="withheld"),
        "age": Numeric(20, 90, step=1, treatment=Shuffle(within=["ill"])),
        "income": Numeric(0, 200, mechanism=GaussianNoise(privacy=0.5)),
        "town": Categorical(TOWNS),
        "ill": Categorical(["no", "yes"]),
    }
    return Specification(attributes | changed, class_attribute="ill", release=release)


def test_each_attribute_is_protected_as_declared():
    people = _people()

    released = release(people, _spec())

    assert list(released.table.columns) == ["age", "income", "town", "ill"]
    for label, rows in people.groupby("ill"):
        assert sorted(released.table["age"][released.table["ill"] == label]) == sorted(rows["age"])
    assert not set(released.table["income"]) & set(people["income"])


def test_a_class_of_one_record_is_refused():
    people = _people()
    people.loc[people["ill"] == "yes", "ill"] = "no"
    people.loc[7, "ill"] = "yes"

    with pytest.raises(ReleaseError, match=r"class 'ill': .* got 1 with one, which it names; drop"):
        release(people, _spec(age=Numeric(20, 90, step=1, treatment=Shuffle())))


def test_rows_are_shuffled_together():
    people = _people()

    table = release(people, _spec()).table

    assert not (table["town"].to_numpy() == people["town"].to_numpy()).all()
    pairs = [sorted(zip(t["town"], t["ill"], strict=True)) for t in (table, people)]
    assert pairs[0] == pairs[1]


def test_rows_stay_where_the_criteria_say_so():
    people = _people()

    table = release(people, _spec(Criteria(shuffle_rows=False))).table

    assert table["town"].tolist() == people["town"].tolist()


@pytest.mark.parametrize("make", [lambda d: d, pl.from_pandas, pa.Table.from_pandas])
def test_any_table_comes_back_as_the_same_kind(make):
    table = make(_people())

    released = release(table, _spec()).table

    assert type(released) is type(table)
    assert len(released) == len(table)


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_a_file_is_read_and_released(tmp_path, ending):
    people = _people()
    source = tmp_path / f"people.{ending}"
    people.to_parquet(source) if ending == "parquet" else people.to_csv(source, index=False)
    target = tmp_path / f"out.{ending}"

    release(source, _spec(age=Numeric(20, 90, treatment=Discretize(method="mdlp"))), output=target)

    table = read_table(target)
    assert table.column_names == ["age", "income", "town", "ill"]
    assert len(table) == len(people)
    assert all(" " in label for label in table["age"].unique().to_pylist())
    manifest = json.loads((tmp_path / "out.manifest.json").read_text())
    assert manifest["records"] == 400
    assert manifest["file"]["bytes"] == target.stat().st_size


def test_the_manifest_says_what_was_done_and_holds_no_record(tmp_path):
    people = _people()
    spec = _spec(age=Numeric(20, 90, step=1, treatment=Discretize(method="mdlp")))

    released = release(people, spec, output=tmp_path / "out.csv")

    text = (tmp_path / "out.manifest.json").read_text()
    manifest = json.loads(text)
    methods = {row["name"]: row["method"].get("name") for row in manifest["attributes"]}
    assert methods == {
        "name": "removed",
        "age": "discretize",
        "income": "gaussian",
        "town": None,
        "ill": None,
    }
    assert manifest["specification"]["digest"] == spec.digest
    assert all(check["passed"] for check in manifest["criteria"])
    assert "seed" not in text
    assert "person" not in text
    assert not any(str(income) in text for income in people["income"])
    assert max(map(len, released.manifest.to_text().splitlines())) <= 80


@pytest.mark.parametrize(
    ("changed", "criterion"),
    [
        ({"age": Numeric(20, 90, treatment=Distribution())}, "disclosure"),
        ({"age": Numeric(20, 90, treatment=Discretize(cuts=[20.5]))}, "disclosure"),
        ({"age": Numeric(20, 90, treatment=Discretize(cuts=[84.5]))}, "minimum_group"),
        ({"town": Categorical(TOWNS, treatment=GroupRare())}, "disclosure"),
        ({"ill": Categorical(["no", "yes"], mechanism=Warner(keep=0.9))}, "identification"),
        ({"age": Numeric(20, 90, treatment=Shuffle(within=["ill", "town"]))}, "minimum_group"),
    ],
)
def test_a_table_that_fails_a_criterion_is_not_written(tmp_path, changed, criterion):
    limits = Criteria(minimum_group=60) if criterion == "minimum_group" else None

    with pytest.raises(ReleaseError, match=rf"^release: '.*expected {criterion} of .*got .*; "):
        release(_people(), _spec(limits, **changed), output=tmp_path / "out.csv")

    assert list(tmp_path.iterdir()) == []


def test_a_public_attribute_may_be_coarsened():
    people = _people()
    people.loc[:2, "town"] = "Nice"
    people.loc[people["town"] == "Bern", "town"] = "Rome"
    people.loc[:3, "town"] = "Bern"
    spec = _spec(town=Categorical(TOWNS, treatment=GroupRare(minimum=5), sensitivity="public"))

    table = release(people, spec).table

    assert table["town"].value_counts().min() >= 5


def test_a_public_column_that_names_records_is_refused():
    people = _people()
    spec = _spec(name=Categorical(people["name"].tolist()))

    with pytest.raises(ReleaseError, match="'name' is public and its values are unique"):
        release(people, spec)


def test_what_does_not_fit_is_refused_in_one_line(tmp_path):
    people = _people()
    with pytest.raises(TableError, match="1 of its own missing: 'town'"):
        release(people.drop(columns="town"), _spec())
    with pytest.raises(DomainError, match=r"column 'age': .* outside the declared domain"):
        release(people, _spec(age=Numeric(20, 30, treatment=Shuffle())))
    with pytest.raises(TableError, match="at least one record"):
        release(people[:0], _spec())
    with pytest.raises(SpecificationError, match=r"attributes.age.treatment: no attribute 'il'"):
        _spec(age=Numeric(20, 90, treatment=Shuffle(within=["il"])))
    with pytest.raises(TableError, match="no such file; check the path"):
        release(tmp_path / "none.csv", _spec())
    with pytest.raises(TableError, match="expected a name that ends in"):
        release(people, _spec(), output=tmp_path / "out.txt")
    one = people.assign(town=["Oslo"] + ["Rome"] * 399)
    with pytest.raises(TableError, match="1 records are alone in their stratum"):
        release(one, _spec(age=Numeric(20, 90, step=1, treatment=Shuffle(within=["town"]))))


def test_a_killed_release_leaves_nothing_behind(tmp_path):
    """Whatever the signal: stopped in the middle of writing."""
    _people().to_csv(tmp_path / "people.csv", index=False)
    _spec().to_toml(tmp_path / "people.toml")
    out = tmp_path / "out"
    out.mkdir()
    script = textwrap.dedent(
        """
        import sys, time
        import scumble.release._release as module
        from scumble import Specification
        write = module.write_table
        def slow(table, file, **options):
            write(table, file, **options)
            file.flush()
            print("writing", flush=True)
            time.sleep(60)
        module.write_table = slow
        module.release(sys.argv[1], Specification.from_toml(sys.argv[2]), output=sys.argv[3])
        """
    )
    for sent in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        arguments = [tmp_path / "people.csv", tmp_path / "people.toml", out / "table.csv"]
        process = subprocess.Popen(
            [sys.executable, "-c", script, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdout.readline() == b"writing\n"
        time.sleep(0.1)
        process.send_signal(sent)
        process.wait(timeout=30)
        process.stdout.close()

        if hasattr(os, "O_TMPFILE") or sent == signal.SIGINT:
            assert list(out.iterdir()) == []


@pytest.mark.parametrize("treatment", [Shuffle(), InnocentShuffle()])
def test_values_that_no_record_has_stay_behind(tmp_path, treatment):
    """A list of categories outlives the records that were dropped."""
    towns = pa.array([*TOWNS * 100, "Hiddenville"]).dictionary_encode()[:400]
    table = pa.table({"town": towns, "x": np.arange(400) % 7, "ill": ["no", "yes"] * 200})
    spec = Specification(
        {
            "town": Categorical(TOWNS, treatment=treatment),
            "x": Numeric(0, 6, step=1),
            "ill": Categorical(["no", "yes"]),
        },
        class_attribute="ill",
        release=Criteria(identification=1, disclosure=1, minimum_group=1),
    )

    release(table, spec, output=tmp_path / "out.parquet")
    framed = release(table.to_pandas(), spec).table

    assert b"Hiddenville" not in (tmp_path / "out.parquet").read_bytes()
    assert "Hiddenville" not in getattr(framed["town"].dtype, "categories", ())


def test_notes_beside_a_table_stay_behind():
    people = _people().set_index("name", drop=False)
    people.attrs = {"owner": "Ada"}

    table = release(people, _spec()).table

    assert table.attrs == table["age"].attrs == {}
    assert table.index.tolist() == list(range(400))


def test_a_shuffled_date_has_no_time_of_day():
    seconds = np.random.default_rng(0).integers(0, 300 * 86400, 400)
    seen = pd.Timestamp("2020-01-01") + pd.to_timedelta(seconds, unit="s")
    for times in (pd.Series(seen), pd.Series(seen).dt.tz_localize("Europe/Oslo")):
        spec = _spec(seen=Date("2020-01-01", "2020-12-31", treatment=Shuffle()))

        table = release(_people().assign(seen=times)[list(spec)], spec).table

        assert table["seen"].dtype == times.dtype
        assert (table["seen"] == table["seen"].dt.normalize()).all()


def test_a_value_that_is_not_declared_is_not_shuffled_into_the_release():
    people = _people()
    people.loc[0, "town"] = "Hiddenville"

    with pytest.raises(DomainError, match="column 'town': 1 of 400 values are not among the 4"):
        release(people, _spec(town=Categorical(TOWNS, treatment=Shuffle())))


def test_a_column_is_judged_by_what_is_released_of_it():
    """Times are unique and days are not; whole numbers are, and what they count as is not."""
    people = _people()
    people["seen"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(400) * 7, unit="h")
    people["income"] = np.arange(400) + 1
    coded = Categorical(["low", "high"], coding=Coding(cuts=[200]))
    spec = _spec(income=coded, seen=Date("2020-01-01", "2020-12-31"))

    table = release(people[list(spec)], spec).table

    assert set(table["income"]) == {"low", "high"}


def test_the_manifest_leaves_out_what_the_table_leaves_out():
    people = _people()
    people.loc[:1, "town"] = "Hiddenville"
    rare = Categorical((*TOWNS, "Hiddenville"), sensitivity="public", treatment=GroupRare())
    spec = _spec(name=Categorical(["kuru", "flu"], sensitivity="withheld"), town=rare)

    text = release(people, spec).manifest.to_json()

    assert "kuru" not in text
    assert "Hiddenville" not in text
    assert spec.digest in text


def test_two_releases_of_similar_names_have_manifests_of_their_own(tmp_path):
    for year in (2023, 2024):
        release(_people(), _spec(), output=tmp_path / f"people.{year}.csv")

    assert len(list(tmp_path.glob("*.manifest.json"))) == 2


def test_an_output_that_cannot_be_written_is_refused_before_the_work(tmp_path):
    source = tmp_path / "people.csv"
    _people().to_csv(source, index=False)
    before = source.read_bytes()
    with pytest.raises(TableError, match=r"people.csv: is the table itself that is read"):
        release(source, _spec(), output=source)
    with pytest.raises(TableError, match="there is no folder to write it to"):
        release(source, _spec(), output=tmp_path / "none" / "out.csv")
    (tmp_path / "out.manifest.json").mkdir()
    with pytest.raises(TableError, match=r"out.manifest.json: is a folder"):
        release(source, _spec(), output=tmp_path / "out.csv")
    with pytest.raises(ReleaseError, match="all are withheld"):
        release(
            pd.DataFrame({"age": [1, 2]}),
            Specification({"age": Numeric(0, 9, sensitivity="withheld")}),
        )

    assert source.read_bytes() == before
    assert not (tmp_path / "out.csv").exists()


def test_names_that_are_shuffled_are_still_names():
    people = _people()
    spec = _spec(name=Text(treatment=Shuffle()))

    with pytest.raises(ReleaseError, match="'name' is shuffled and its values are unique"):
        release(people, spec)


def test_declared_numbers_may_have_leading_zeros_as_in_disguise(tmp_path):
    people, source = _people(), tmp_path / "people.csv"
    padded = people.assign(age=[f"{age:04d}" for age in people["age"]])
    padded.to_csv(source, index=False)

    release(source, _spec(), output=tmp_path / "released.csv")

    assert sorted(pd.read_csv(tmp_path / "released.csv")["age"]) == sorted(people["age"])
    disguise_file(source, _spec(age=Numeric(20, 90)), output=tmp_path / "reports.csv", seed=1)
    assert pd.read_csv(tmp_path / "reports.csv")["age"].tolist() == people["age"].tolist()
