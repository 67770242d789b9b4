import io

import pyarrow as pa
import pytest
from pyarrow import csv

from scumble import Categorical, Coding, Date, Numeric, Specification, Text, disguise, provenance
from scumble.engines import disguise_file, read_reports, read_table
from scumble.errors import EntropyError, TableError
from scumble.mechanisms import (
    GaussianNoise,
    RandomizedResponse,
    SquareWave,
    UnrelatedQuestion,
    Warner,
)

SPEC = Specification(
    {
        "age": Numeric(0, 100, mechanism=GaussianNoise(privacy=1.0)),
        "pulse": Numeric(0, 200, mechanism=SquareWave(epsilon=1)),
        "town": Categorical(["Oslo", "Rome"], mechanism=UnrelatedQuestion(keep=0.5)),
        "grade": Categorical([1, 2, 3], mechanism=RandomizedResponse(keep=0.5)),
        "a": Categorical([False, True], mechanism=Warner(keep=0.7, group="coin")),
        "b": Categorical([False, True], mechanism=Warner(keep=0.7, group="coin")),
        "born": Date("1900-01-01", "2020-12-31", mechanism=GaussianNoise(privacy=1.0)),
        "tall": Categorical(["no", "yes"], coding=Coding(cuts=[170])),
        "remark": Text(),
        "name": Text(sensitivity="withheld"),
    }
)
ROWS = 250
TABLE = pa.table(
    {
        "age": [float(i % 90) if i % 7 else None for i in range(ROWS)],
        "pulse": [60.0 + i % 50 for i in range(ROWS)],
        "town": [("Oslo", "Rome", None)[i % 3] for i in range(ROWS)],
        "grade": [(1, 2, 3, None)[i % 4] for i in range(ROWS)],
        "a": [i % 2 == 0 for i in range(ROWS)],
        "b": [i % 3 == 0 for i in range(ROWS)],
        "born": [f"19{i % 90 + 10}-05-01" for i in range(ROWS)],
        "tall": [150.0 + i % 40 for i in range(ROWS)],
        "remark": [f"said {i}" for i in range(ROWS)],
        "name": [f"person {i}" for i in range(ROWS)],
    }
)


def _csv():
    buffer = io.BytesIO()
    csv.write_csv(TABLE, buffer)
    return io.BytesIO(buffer.getvalue())


def _plain(table):
    return {name: [str(v) if v is not None else None for v in own.to_pylist()]
            for name, own in zip(table.column_names, table.columns, strict=True)}  # fmt: skip


@pytest.mark.parametrize("rows", [3, 100, 1000])
def test_reports_are_those_of_the_whole_table(tmp_path, rows):
    path = tmp_path / "reports.parquet"

    assert disguise_file(_csv(), SPEC, output=path, seed=4, rows=rows) == ROWS

    assert _plain(read_table(path)) == _plain(disguise(TABLE, SPEC, seed=4))


def test_without_a_seed_no_noise_is_used_twice(tmp_path):
    one, two = io.BytesIO(), io.BytesIO()
    for output in (one, two):
        disguise_file(_csv(), SPEC, output=output, rows=10)
    table = csv.read_csv(io.BytesIO(one.getvalue()))

    assert one.getvalue() != two.getvalue()
    noise = [r - t for r, t in zip(table["pulse"].to_pylist(), TABLE["pulse"].to_pylist(),
                                   strict=True)]  # fmt: skip
    assert len({round(own, 6) for own in noise}) > 0.9 * ROWS


def test_fixed_noise_does_not_depend_on_the_parts(tmp_path):
    texts = []
    for rows in (7, 1000):
        output = io.BytesIO()
        disguise_file(
            _csv(), SPEC, output=output, secret=b"sixteen bytes or more", entity="name", rows=rows
        )
        texts.append(output.getvalue())

    assert texts[0] == texts[1]


def test_an_entity_that_is_not_declared_is_left_out():
    spec = Specification({"age": Numeric(0, 100, mechanism=GaussianNoise(privacy=1.0))})
    output = io.BytesIO()

    disguise_file(
        io.BytesIO(b"id,age\n1,30\n2,40\n"), spec, output=output,
        secret=b"sixteen bytes or more", entity="id",
    )  # fmt: skip

    assert output.getvalue().splitlines()[0] == b'"age"'
    with pytest.raises(TableError, match="did you mean 'id'"):
        disguise_file(
            io.BytesIO(b"id,age\n1,30\n"), spec, output=output,
            secret=b"sixteen bytes or more", entity="idd",
        )  # fmt: skip


def test_a_seed_and_a_secret_do_not_go_together():
    with pytest.raises(EntropyError, match="either fixed"):
        disguise_file(_csv(), SPEC, output=io.BytesIO(), secret=b"x" * 16, seed=1, entity="name")


@pytest.mark.parametrize("name", ["r.csv", "r.csv.gz", "r.parquet"])
def test_reports_of_another_specification_are_refused(tmp_path, name):
    disguise_file(_csv(), SPEC, output=tmp_path / name, seed=1)
    other = Specification(dict(SPEC.attributes), class_attribute="town")

    assert provenance(read_reports(tmp_path / name, SPEC)).seeded
    with pytest.raises(TableError, match="disguised under another specification"):
        read_reports(tmp_path / name, other)
    assert read_reports(tmp_path / name, other, other=True).num_rows == ROWS


def test_a_part_that_is_all_missing_has_the_type_of_the_others(tmp_path):
    spec = Specification({"town": Categorical(["Oslo", "Rome"], mechanism=Warner(keep=0.7))})
    text = b"town\n" + b"NA\n" * 10 + b"Rome\n" * 10

    disguise_file(io.BytesIO(text), spec, output=tmp_path / "r.parquet", rows=5)

    assert read_table(tmp_path / "r.parquet")["town"].type == pa.string()
