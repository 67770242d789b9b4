from scumble.cli.terminal import names

COLUMNS = ["age", " pulse", "remark, if any", "town"]


def test_names_with_commas_and_spaces_are_told_apart():
    assert names(["age, town"], COLUMNS) == ["age", "town"]
    assert names(["remark, if any, town"], COLUMNS) == ["remark, if any", "town"]
    assert names([" pulse,age"], COLUMNS) == [" pulse", "age"]


def test_a_name_that_is_not_there_is_left_to_whom_it_concerns():
    assert names(["agee ,, town"], COLUMNS) == ["agee", "town"]
