import datetime
import gzip

import pyarrow as pa
import pytest

from scumble.atomic import whole_files
from scumble.engines import read_table, table_kind, write_table
from scumble.errors import TableError

TABLE = pa.table(
    {
        "n": [1, None, 3],
        "x": [0.5, 1.5, None],
        "day": [datetime.date(2020, 1, 2), None, datetime.date(2021, 3, 4)],
        "word": pa.array(["a", "b", None]).dictionary_encode(),
    }
)


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_what_is_written_is_read_again(tmp_path, ending):
    path = tmp_path / f"table.{ending}"
    with whole_files(path) as (file,):
        write_table(TABLE, file, kind=table_kind(path), compressed=ending.endswith("gz"))

    assert read_table(path).to_pydict() == TABLE.to_pydict()


def test_a_column_that_changes_its_type_far_down_is_read(tmp_path):
    """The first rows say whole numbers, one behind a megabyte says otherwise."""
    path = tmp_path / "long.csv"
    path.write_text("x,y\n" + "1,\n" * 500_000 + "2.5,late\n")

    table = read_table(path)

    assert table["x"][-1].as_py() == 2.5
    assert table["y"][-1].as_py() == "late"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.csv", b"a,b\n1,2\n3,4,5 secret\n"),
        ("foreign.csv", "a,b\n\u3001 secret,2\n".encode("shift-jis")),
        ("wide.csv", "a,b\nsecret,2\n".encode("utf-16-le")),
        ("twice.csv", b"a,secret,secret\n1,2,3\n"),
        ("open.csv", b'a,b\n1,"secret' + b"\n2,3" * 3_000_000),
        ("empty.csv", b""),
        ("cut.parquet", b"PAR1 secret"),
        ("not.csv.gz", b"secret"),
    ],
)
def test_a_file_that_is_none_gets_one_line_without_its_content(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)

    with pytest.raises(TableError, match=rf"^{name}: expected a ") as raised:
        read_table(tmp_path / name)

    assert "secret" not in str(raised.value)
    assert raised.value.__context__ is None


def test_a_truncated_file_is_refused(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 10_000)[:-20])

    with pytest.raises(TableError, match="its end is missing"):
        read_table(path)


def test_a_name_says_what_a_file_is(tmp_path):
    assert [table_kind(name) for name in ("a.CSV", "b.csv.gz", "c.parquet")] == [
        "csv",
        "csv",
        "parquet",
    ]
    with pytest.raises(TableError, match=r"ends in \.csv, \.csv\.gz or \.parquet"):
        table_kind("people.xlsx")
    with pytest.raises(TableError, match="there is no such file"):
        read_table(tmp_path / "none.csv")
