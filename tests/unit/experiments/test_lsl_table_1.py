import pytest

from scumble.errors import DatasetError
from scumble.experiments import lsl_table_1, lsl_table_1_text

PAPER = [0.061825, 0.304201, 0.059310, 0.081664, 0.232564, 0.123164, 0.010896, 0.140941]


@pytest.fixture(scope="module")
def rows():
    try:
        return lsl_table_1()
    except DatasetError:
        pytest.skip("the data set was not found")


def test_all_figures_agree_with_the_paper(rows):
    assert [row.paper for row in rows] == PAPER
    assert [row.as_bytes for row in rows] == pytest.approx(PAPER, abs=1e-6)
    assert all(row.agrees for row in rows)


def test_three_of_them_are_no_gains_of_the_true_values(rows):
    other = {row.attribute: row.of_values for row in rows if abs(row.paper - row.of_values) > 1e-6}

    assert other == pytest.approx(
        {"insulin": 0.277095, "bmi": 0.343811, "pedigree": 0.650918}, abs=1e-6
    )


def test_most_of_the_gain_of_pedigree_is_chance(rows):
    (pedigree,) = [row for row in rows if row.attribute == "pedigree"]

    assert pedigree.mdlp < 0.03
    assert pedigree.corrected < 0.03


def test_the_text_has_a_line_for_each(rows):
    lines = lsl_table_1_text(rows).splitlines()

    assert len(lines) == 9
    assert lines[1].split()[:3] == ["pregnancies", "0.061825", "0.061825"]


def test_a_missing_data_set_is_an_error_of_ours(tmp_path):
    with pytest.raises(DatasetError):
        lsl_table_1(directory=tmp_path)
