import pytest

from scumble.errors import TableError
from scumble.experiments._finished_rows import FinishedRows

HEADING = {"experiment": "dice", "settings": {"sides": 6}}


@pytest.fixture
def path(tmp_path):
    file = FinishedRows.open(tmp_path / "rows.jsonl", HEADING)
    file.add({"eyes": 6})
    file.add({"eyes": 1})
    return tmp_path / "rows.jsonl"


def test_rows_are_found_again_in_order(path):
    assert FinishedRows.open(path, HEADING).records() == [{"eyes": 6}, {"eyes": 1}]


def test_rows_are_added_to_those_in_the_file(path):
    FinishedRows.open(path, HEADING).add({"eyes": 3})

    assert FinishedRows.open(path, HEADING).records() == [{"eyes": 6}, {"eyes": 1}, {"eyes": 3}]


def test_rows_may_wait_but_not_beyond_the_end_of_the_block(tmp_path):
    def broken_off():
        with FinishedRows.open(tmp_path / "rows", HEADING, pause=1000) as file:
            file.add({"eyes": 6})
            assert not (tmp_path / "rows").exists()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert FinishedRows.open(tmp_path / "rows", HEADING).records() == [{"eyes": 6}]


def test_nothing_is_written_at_the_end_where_nothing_was_added(tmp_path):
    with FinishedRows.open(tmp_path / "rows", HEADING, pause=1000):
        pass

    assert not (tmp_path / "rows").exists()


def test_no_file_and_an_empty_file_are_a_beginning(tmp_path):
    (tmp_path / "empty").touch()

    assert FinishedRows.open(tmp_path / "empty", HEADING).records() == []
    assert FinishedRows.open(tmp_path / "none", HEADING).records() == []
    assert not (tmp_path / "none").exists()


def test_rows_of_other_settings_are_refused_by_name(path):
    with pytest.raises(TableError, match="rows come from another settings"):
        FinishedRows.open(path, {**HEADING, "settings": {"sides": 20}})


@pytest.mark.parametrize("content", [b"a,b\n1,2\n", b"[1]\n", b'{"eyes": 6}\n', b"\xff\xfe\x00"])
def test_a_foreign_file_is_refused_in_one_line_and_left_alone(tmp_path, content):
    path = tmp_path / "people.csv"
    path.write_bytes(content)

    with pytest.raises(TableError, match=r"people\.csv") as error:
        FinishedRows.open(path, HEADING)

    assert "\n" not in str(error.value)
    assert path.read_bytes() == content


def test_a_torn_file_is_refused_with_the_line(path):
    path.write_text(path.read_text()[:-5])

    with pytest.raises(TableError, match=r"line 3: expected a finished row.*torn or foreign"):
        FinishedRows.open(path, HEADING).records()


def test_a_missing_folder_is_told_before_any_work(tmp_path):
    with pytest.raises(TableError, match="folder"):
        FinishedRows.open(tmp_path / "nowhere" / "rows.jsonl", HEADING)
