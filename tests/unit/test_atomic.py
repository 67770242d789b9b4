import os

import pytest

from scumble.atomic import whole_files, write_whole


def test_a_file_is_replaced_whole(tmp_path):
    target = tmp_path / "spec.toml"
    target.write_text("old")

    write_whole(target, "new")

    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path, monkeypatch):
    target = tmp_path / "spec.toml"
    target.write_text("old")

    def fail(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_whole(target, "new")

    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_new_file_has_the_permissions_of_any_other(tmp_path):
    (tmp_path / "ordinary").write_text("")
    write_whole(tmp_path / "ours", b"")

    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "ordinary").stat().st_mode


def test_files_appear_together_or_not_at_all(tmp_path):
    (tmp_path / "a").write_text("old")

    def interrupted():
        with whole_files(tmp_path / "a", tmp_path / "b") as (first, _):
            first.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert (tmp_path / "a").read_text() == "old"
    assert list(tmp_path.iterdir()) == [tmp_path / "a"]


def test_a_file_in_the_making_has_no_name(tmp_path):
    """So that even a process that is killed leaves nothing behind."""
    with whole_files(tmp_path / "a") as (file,):
        file.write(b"half")
        file.flush()
        if hasattr(os, "O_TMPFILE"):
            assert list(tmp_path.iterdir()) == []

    assert (tmp_path / "a").read_bytes() == b"half"


def test_where_files_need_a_name_it_is_a_hidden_one_that_goes_away(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)

    def broken():
        with whole_files(tmp_path / "a") as (file,):
            file.write(b"half")
            assert [path.name[0] for path in tmp_path.iterdir()] == ["."]
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        broken()
    assert list(tmp_path.iterdir()) == []

    write_whole(tmp_path / "a", "whole")
    assert (tmp_path / "a").read_text() == "whole"


def test_nothing_is_published_beside_a_folder_of_that_name(tmp_path):
    (tmp_path / "b").mkdir()

    with (
        pytest.raises(IsADirectoryError),
        whole_files(tmp_path / "a", tmp_path / "b") as (first, _),
    ):
        first.write(b"x")

    assert [path.name for path in tmp_path.iterdir()] == ["b"]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_one_and_its_target_is_written(tmp_path, there):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    if there:
        (folder / "target").write_text("old")
    (tmp_path / "link").symlink_to("elsewhere/target")

    write_whole(tmp_path / "link", "new")

    assert (tmp_path / "link").is_symlink()
    assert (folder / "target").read_text() == "new"
    assert [path.name for path in folder.iterdir()] == ["target"]
