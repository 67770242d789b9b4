import pytest

from scumble.errors import DatasetError
from scumble.experiments import MrrCoinsRow, mrr_coins, mrr_coins_table, plot_mrr_coins


@pytest.fixture(scope="module")
def rows():
    try:
        return mrr_coins(datasets=["breast cancer", "votes"], keeps=[0.51], seeds=[1])
    except DatasetError:
        pytest.skip("the data sets were not found")


def test_a_few_groups_give_whole_records_away(rows):
    votes = {row.groups: row for row in rows if row.dataset == "votes"}

    assert votes[1].recovered > 0.9
    assert votes[3].recovered > 0.9
    assert votes[17].each
    assert votes[17].recovered < 0.08


def test_a_group_for_each_attribute_gives_no_more_than_no_report(rows):
    for row in rows:
        if row.each:
            assert row.recovered == pytest.approx(row.base, abs=0.03)


def test_adult_in_a_few_groups_is_recovered():
    try:
        (one, five) = mrr_coins(datasets=["adult"], keeps=[0.51], groups=[1, 5], seeds=[1])
    except DatasetError:
        pytest.skip("the data set was not found")

    assert one.recovered > 0.995
    assert 0.6 < five.recovered < 0.95


def test_who_knows_other_people_recovers_most_of_them(rows):
    (found,) = mrr_coins(
        datasets=["breast cancer"], keeps=[0.51], groups=[1], known="others", seeds=[1]
    )

    assert found.records in (349, 350)
    assert found.recovered > 0.9


def test_who_does_not_know_which_values_occur_together_recovers_less(rows):
    found = mrr_coins(datasets=["votes"], keeps=[0.51], groups=[1, 3], known="shares", seeds=[1])
    whole = {row.groups: row.recovered for row in rows if row.dataset == "votes"}

    for row in found:
        assert row.recovered < whole[row.groups] - 0.1


def test_the_table_and_the_picture_have_a_place_for_each_table(rows):
    lines = mrr_coins_table(rows).splitlines()

    assert len(lines) == 3
    assert lines[0].split()[2:4] == ["1", "group"]
    assert len(plot_mrr_coins(rows).axes) == 2


def test_a_case_that_was_not_run_is_left_blank():
    rows = [
        MrrCoinsRow("votes", 0.51, 1, False, 435, 0.93, 0.03),
        MrrCoinsRow("votes", 0.9, 2, False, 435, 0.95, 0.03),
    ]

    assert mrr_coins_table(rows).splitlines()[2].split() == ["votes", "0.9", "95.0", "3.0"]
