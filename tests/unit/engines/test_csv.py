"""CSV as people have it."""

import gzip
import io

import pytest

from scumble.engines import read_table, table_batches
from scumble.errors import ScumbleWarning, TableError

TEXT = "town;size\nTromsø;1,5\nÅlesund;2,5\n"
READ = {"town": ["Tromsø", "Ålesund"], "size": [1.5, 2.5]}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("compressed", [False, True])
def test_encodings_that_the_text_tells_are_read(tmp_path, encoding, compressed):
    path = tmp_path / ("t.csv.gz" if compressed else "t.csv")
    path.write_bytes(gzip.compress(TEXT.encode(encoding)) if compressed else TEXT.encode(encoding))

    assert read_table(path).to_pydict() == READ
    assert next(table_batches(path)).to_pydict() == READ


@pytest.mark.parametrize("read", [lambda path: [read_table(path)], table_batches])
def test_latin_1_is_read_with_a_warning(tmp_path, read):
    (tmp_path / "t.csv").write_bytes(TEXT.encode("latin-1"))

    with pytest.warns(ScumbleWarning, match=r"^t.csv: not in UTF-8, read as Windows-1252"):
        (table,) = read(tmp_path / "t.csv")

    assert table.to_pydict() == READ


def test_the_encoding_may_show_far_down():
    lines = "town,n\n" + "Oslo,1\n" * 300_000

    assert read_table(io.BytesIO((lines + "Tromsø,2\n").encode()))["town"][-1].as_py() == "Tromsø"
    with pytest.warns(ScumbleWarning, match="standard input: not in UTF-8"):
        table = read_table(io.BytesIO((lines + "Tromsø,2\n").encode("latin-1")))
    assert table["town"][-1].as_py() == "Tromsø"


def test_two_encodings_in_one_file_are_refused():
    text = "town\nTromsø\n" + "Oslo\n" * 500_000

    with pytest.raises(TableError, match="its encoding is not known"):
        read_table(io.BytesIO(text.encode() + "Tromsø\n".encode("latin-1")))


def test_codes_stay_text_wherever_they_are():
    text = b"code,n\n" + b"10,1\n" * 500_000 + b"01,1\n"

    table = read_table(io.BytesIO(text))

    assert table["code"][-1].as_py() == "01"
    assert table["n"][-1].as_py() == 1


@pytest.mark.parametrize("read", [read_table, lambda file: next(table_batches(file))])
def test_an_empty_line_in_a_file_of_one_column_is_a_missing_value(read):
    assert read(io.BytesIO(b"x\n1\n\n2\n")).to_pydict() == {"x": [1, None, 2]}
    assert read(io.BytesIO(b"x,y\n1,2\n\n3,4\n")).num_rows == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"a,b,a\n1,2,3\n", "columns 1 and 3 have the same name: rename one"),
        (b'a\n"1' + b"\n2" * 5_000_000, "check that every quote is closed"),
        (b"a,b\n1,2\n3\n", "row 3 has 1 cells and the header 2"),
    ],
)
def test_what_is_wrong_is_told(text, said):
    with pytest.raises(TableError, match=said):
        read_table(io.BytesIO(text))


OPEN = [
    'id,note\n1,"fine"\n2,"secret\n3,x\n',
    'id;note\n1;"fine"\n2;"secret',
    'note\n"fine"\n"secret\nx\n',
    'id,note\n1,"say ""hi"""\n2,"secret ""\n',
    "id,note\n" + "1,fine\n" * 400_000 + '2,"secret\n3,x\n',
    'id,note\n1,"secret\n' + "3,x\n" * 40_000,
]


@pytest.mark.parametrize("text", OPEN)
@pytest.mark.parametrize("read", [read_table, lambda file: list(table_batches(file))])
def test_a_quote_that_is_not_closed_is_refused(text, read):
    with pytest.raises(TableError, match=r"row \d+ has a quote that is not closed: close it$"):
        read(io.BytesIO(text.encode()))


@pytest.mark.parametrize(
    ("end", "cell"),
    [
        ('"two\nlines"\n', "two\nlines"),
        ('"two\r\nlines"\r\n', "two\r\nlines"),
        ('"fine"', "fine"),
        ('""""', '"'),
        ('"say ""hi"""', 'say "hi"'),
        ('5" wide', '5" wide'),
        ("plain", "plain"),
    ],
)
def test_quotes_at_the_end_that_are_closed_are_read(end, cell):
    text = "id,note\n1,x\n2," + end

    assert read_table(io.BytesIO(text.encode()))["note"].to_pylist() == ["x", cell]


def test_numbers_that_are_declared_may_have_leading_zeros():
    file = io.BytesIO(b"age,code\n0034,007\n41,008\n")

    table = read_table(file, numbers=["age"])

    assert table.to_pydict() == {"age": [34, 41], "code": ["007", "008"]}
