import pytest

from scumble.engines._dialect import Dialect, dialect_of


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_that_parts_the_lines(sign):
    head = "\n".join(sign.join(row) for row in (["a", "b", "c"], ["1", "x y", "2"]))

    assert dialect_of(head.encode()) == Dialect(sign, columns=("a", "b", "c"))


@pytest.mark.parametrize(
    ("head", "delimiter"),
    [
        (b"id;remark, if any;x\n1;a, b;2\n2;c;3\n", ";"),  # commas in text that is not quoted
        (b'a,"b;c;d"\n1,"2;3;4"\n', ","),  # semicolons in cells
        (b"a;b\n1\n2\n", ","),  # a column whose name has a semicolon
        (b"a,b;c\n1,2;3\n", ";"),  # either: a comma may be a decimal one
        (b"age;income, EUR;ill\n25;1375,20;yes\n", ";"),
        (b"age\tincome, EUR\n34\t1234,50\n", "\t"),
        (b"a,b\n1,2\n3,4,5\n", ","),  # uneven, to be told so
        (b"a;b\n1;2\n3;4;5\n", ";"),
        (b"age\n34\n", ","),
        (b"", ","),
        (b"\n\n", ","),
        (b'a;b\n1;2\n"1;2;3\n', ";"),  # a quote that is not closed
    ],
)
def test_the_delimiter_where_it_is_not_plain(head, delimiter):
    assert dialect_of(head).delimiter == delimiter


@pytest.mark.parametrize(
    ("cells", "decimal"),
    [
        (["1,5", "2,25"], ","),
        (["1.5", "2.25"], "."),
        (["1,234", "12,345,678"], "."),  # thousands, perhaps
        (["1,234", "0,5"], ","),
        (["31.12.1999", "0,5"], ","),
        (["a", "b"], "."),
        (["1,3", "2,4", "0.5"], "."),  # what has points for certain has no commas
    ],
)
def test_decimal_commas_are_told_by_the_cells(cells, decimal):
    text = "x;y\n" + "".join(f"{cell};z\n" for cell in cells)

    assert dialect_of(text.encode()).decimal == decimal


def test_digits_with_leading_zeros_are_codes():
    header = b"code,month,n,share,minus,day\n"
    rows = b"0071,01,0,0.5,-0,2000-01-01\n9712,12,10,0.25,-1,2000-02-01\n"

    assert dialect_of(header + rows).texts == ("code", "month")


@pytest.mark.parametrize("cell", ["12/10/05", "1.2.20", "01-02-03"])
def test_a_date_whose_year_has_two_digits_is_text(cell):
    assert dialect_of(f"born,n\n{cell},1\n".encode()).texts == ("born",)
    assert dialect_of(b"born,n\n31.12.1999,1\n").texts == ()


def test_a_point_before_three_digits_is_not_read_as_one_where_nothing_tells():
    assert dialect_of(b"town;people\nOslo;1.234\nBergen;950\n").texts == ("people",)
    assert dialect_of(b"town;people;x\nOslo;1.234;0.5\n").texts == ()
    assert dialect_of(b"town,people\nOslo,1.234\n").texts == ()


def test_a_row_that_the_head_cuts_off_does_not_count():
    text = b"a,b\n" + b"1,2\n" * 300_000

    assert dialect_of(text[: (1 << 18) + 2]).delimiter == ","
    assert dialect_of(b"a;b\n1;" + b"x" * (1 << 19)).delimiter == ";"
