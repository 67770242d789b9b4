import datetime
import json

import pyarrow as pa
import pytest
from matplotlib import pyplot

from scumble.errors import SpecificationError
from scumble.relevance import MEASURES, relevance


@pytest.fixture
def found():
    table = pa.table(
        {
            "noise": [1, 2] * 20,
            "age": [20] * 20 + [60] * 20,
            "day": [datetime.date(2020, 1, 1)] * 20 + [datetime.date(2021, 1, 1)] * 20,
            "low": [9.5] * 18 + [1.5] * 22,
            "a name that is far too long for any column of text, first": ["u", "v"] * 20,
            "a name that is far too long for any column of text, second": ["u"] * 40,
            "id": [f"person {i}" for i in range(40)],
        }
    )
    return relevance(table, [0] * 20 + [1] * 20)


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


def test_rows_are_looked_up_by_name_and_ranked_by_a_measure(found):
    assert [row.name for row in found][:2] == ["noise", "age"]
    assert found["low"].correlation < 0
    assert [row.name for row in found.ranked(measure="correlation")][:3] == ["age", "day", "low"]
    with pytest.raises(SpecificationError, match="unknown 'aeg'; did you mean 'age'"):
        found["aeg"]
    with pytest.raises(SpecificationError, match="measure: unknown 'gian'; did you mean 'gain'"):
        found.ranked(measure="gian")


def test_what_is_relevant_is_above_the_threshold_and_no_identifier(found):
    assert found["id"].gain == pytest.approx(1)
    assert found.relevant() == ("age", "day", "low")
    assert found.relevant(threshold=0.9) == ("age", "day")


def test_the_class_has_its_counts_and_its_entropy(found):
    assert (found.classes, found.class_counts) == ((0, 1), (20, 20))
    assert found.class_entropy == pytest.approx(1)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_text_fits_80_columns(found, measure):
    lines = found.to_text(measure=measure).splitlines()

    assert max(map(len, lines)) <= 80
    assert [line for line in lines if "person" in line] == []
    assert any(line.startswith("id ") and line.endswith(" unique") for line in lines)
    assert "  age: 40" in lines
    assert "  day: 2020-07-02" in lines
    # Names that differ at the end only can still be told apart.
    assert sum(line.startswith("a name") for line in lines) == 2
    assert len({line[:19] for line in lines if line.startswith("a name")}) == 2


def test_the_text_of_no_attributes_is_its_head():
    assert len(relevance(pa.table({"class": [0, 1]}), "class").to_text().splitlines()) == 1


def test_everything_goes_to_json(found):
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))

    assert told["discretization"] == "mdlp"
    row = next(row for row in told["attributes"] if row["name"] == "age")
    assert row["cuts"] == [40.0]
    assert set(MEASURES) < set(row)


def test_classes_that_json_does_not_know_go_as_text():
    days = [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)]
    found = relevance(pa.table({"x": [1, 2]}), days)

    assert found.to_dict()["classes"] == ["2020-01-01", "2020-01-02"]


@pytest.mark.parametrize("measure", MEASURES)
def test_the_picture_has_a_bar_for_each_and_the_threshold(found, measure):
    ax = found.plot(measure=measure, threshold=0.25)

    widths = [bar.get_width() for bar in ax.patches]
    assert widths == sorted(widths, reverse=True)
    assert len(widths) == len(found)
    assert ax.lines[0].get_xdata()[0] == 0.25
    assert "id (unique)" in [label.get_text() for label in ax.get_yticklabels()]
    ax.figure.canvas.draw()


def test_a_picture_can_be_drawn_on_given_axes(found):
    given = pyplot.figure().add_subplot()

    assert found.plot(ax=given) is given


def test_names_with_dollars_are_no_formulas():
    found = relevance(pa.table({"$a$": [1, 1], "b$^": [1, 2]}), [0, 1])

    found.plot().figure.canvas.draw()
    assert "$a$" in found.to_text()


def test_a_figure_that_rounds_to_zero_has_no_sign():
    n = 5000
    found = relevance(pa.table({"x": ["u", "u", "v", "v"] * n}), [0, 1] * (2 * n))

    assert -0.0005 < found["x"].corrected_gain < 0
    assert "-0.000" not in found.to_text()
