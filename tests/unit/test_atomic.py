import os

import pytest

from scumble.atomic import write_whole


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
