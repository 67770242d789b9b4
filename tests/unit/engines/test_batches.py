import io

import pyarrow as pa
import pytest

from scumble.engines import BatchWriter, read_table, table_batches
from scumble.errors import TableError


def test_parts_together_are_the_table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,word\n" + "1,a\n" * 5000 + '2,"two\nlines"\n')

    parts = list(table_batches(path, rows=1000))

    assert [part.num_rows for part in parts] == [1000] * 5 + [1]
    assert pa.concat_tables(parts).equals(read_table(path))


def test_a_table_without_records_is_one_part_without_rows(tmp_path):
    (part,) = table_batches(io.BytesIO(b"a,b\n"))
    assert part.column_names == ["a", "b"]
    assert part.num_rows == 0


def test_types_hold_from_the_first_row_to_the_last():
    text = b"x\n" + b"1\n" * 2_000_000 + b"2.5\n"

    *_, last = table_batches(io.BytesIO(text), types={"x": pa.float64()})
    assert last["x"][-1].as_py() == 2.5
    with pytest.raises(TableError, match="standard input: expected a CSV file"):
        list(table_batches(io.BytesIO(text)))
    assert read_table(io.BytesIO(text))["x"][-1].as_py() == 2.5


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_an_error_of_the_file_reaches_who_writes(kind):
    class Full(io.RawIOBase):
        def writable(self):
            return True

        def write(self, data):
            raise OSError(28, "No space left on device")

    table = pa.table({"x": list(range(100_000))})

    def write():
        with BatchWriter(Full(), table.schema, kind=kind) as writer:
            for _ in range(50):
                writer.write(table)

    with pytest.raises(OSError, match="No space left"):
        write()


def test_a_parquet_file_that_is_cut_gets_one_line(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1")

    with pytest.raises(TableError, match=r"^t.parquet: expected a Parquet file"):
        list(table_batches(path))
