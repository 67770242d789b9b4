import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from matplotlib import pyplot

from scumble import Criteria, Date, Numeric, Specification, Text
from scumble.datasets import load_breast_cancer_wisconsin, load_pima
from scumble.errors import (
    DatasetError,
    DomainError,
    ScumbleWarning,
    SpecificationError,
    TableError,
)
from scumble.release import disguised_specification, plan, release


def _people(size=400):
    rng = np.random.default_rng(0)
    ill = rng.random(size) < 0.4
    born = rng.integers(0, 9000, size) - 3000 * ill
    return pd.DataFrame(
        {
            "person": np.arange(size) + 7000,
            "note": [f"seen by doctor {place}" for place in range(size)],
            "born": pd.Timestamp("1960-05-01") + pd.to_timedelta(born, unit="D"),
            "pulse": rng.normal(70, 8, size) + 12 * ill,
            "shoe, size": rng.integers(36, 47, size).astype(float),
            "town": np.where(ill, "Oslo", rng.choice(["Rome", "Bern"], size)),
            "smokes": rng.random(size) < 0.2 + 0.5 * ill,
            "country": "NO",
            "ill": np.where(ill, "yes", "no"),
        }
    )


@pytest.fixture
def people():
    table = _people()
    table.loc[::9, "pulse"] = None
    table.loc[:1, "town"] = "Nice"
    return table


def test_relevance_stands_against_sensitivity(people):
    found = plan(people, class_attribute="ill", public=["town", "shoe, size"], withheld=["smokes"])

    assert found.contingency() == {
        ("identifier", ""): ("person", "note"),
        ("private", "relevant"): ("born", "pulse"),
        ("public", "irrelevant"): ("shoe, size",),
        ("public", "relevant"): ("town",),
        ("withheld", "relevant"): ("smokes",),
        ("private", "irrelevant"): ("country",),
    }


def test_each_cell_of_the_table_has_its_proposal(people):
    found = plan(people, class_attribute="ill", public=["town", "shoe, size"], withheld=["smokes"])

    assert {row.name: row.proposal for row in found} == {
        "person": "remove",
        "note": "remove",
        "born": "discretize",
        "pulse": "discretize",
        "shoe, size": "remove",
        "town": "group-rare",
        "smokes": "remove",
        "country": "remove",
    }
    assert isinstance(found.specification["born"], Date)
    assert isinstance(found.specification["note"], Text)


@pytest.mark.parametrize("make", [lambda d: d, pl.from_pandas, pa.Table.from_pandas])
def test_what_is_proposed_can_be_released_at_once(people, make, tmp_path):
    found = plan(make(people), class_attribute="ill")
    found.specification.to_toml(tmp_path / "people.toml")

    spec = Specification.from_toml(tmp_path / "people.toml")

    assert spec == found.specification
    released = release(make(people), spec)
    assert set(
        pa.table(released.table).column_names
        if make is not pl.from_pandas
        else released.table.columns
    ) == {"born", "pulse", "smokes", "town", "ill"}


def test_a_plan_of_a_file_is_that_of_its_table(people, tmp_path):
    people.to_csv(tmp_path / "people.csv", index=False)

    found = plan(tmp_path / "people.csv", class_attribute="ill")

    proposals = [row.proposal for row in plan(people, class_attribute="ill")]
    assert [row.proposal for row in found] == proposals


def test_bounds_do_not_tell_the_extreme_values(people):
    spec = plan(people, class_attribute="ill").specification

    pulse = spec["pulse"]
    assert isinstance(pulse, Numeric)
    assert (pulse.low, pulse.high) != (people["pulse"].min(), people["pulse"].max())
    assert pulse.low % 10 == pulse.high % 10 == 0


def test_a_class_of_one_record_cannot_be_planned_for():
    table = pd.DataFrame({"age": [20, 30, 40, 50] * 5, "ill": ["no"] * 19 + ["yes"]})

    with pytest.raises(TableError, match="got 1 with one"):
        plan(table, class_attribute="ill")


def test_notes_of_which_many_have_their_own_do_not_count_as_telling():
    """As many values as that gain a lot by chance, and would be shuffled and published."""
    rng = np.random.default_rng(3)
    notes = [f"letter {k}" if k % 4 == 0 else "ok" for k in range(600)]
    table = pd.DataFrame({"note": notes, "ill": rng.choice(["no", "yes"], 600)})

    found = plan(table, class_attribute="ill")["note"]

    assert found.relevance.gain > 0.05
    assert (found.proposal, found.why) == ("remove", "gains mostly by chance")


def test_stricter_criteria_ask_for_other_treatments(people):
    strict = Criteria(identification=0.01, minimum_group=100)

    found = plan(people, class_attribute="ill", criteria=strict)

    assert found["pulse"].proposal == "shuffle"
    assert release(people, found.specification).manifest.checks


def test_the_text_fits_a_terminal(people):
    lines = plan(people, class_attribute="ill").to_text().splitlines()

    assert max(map(len, lines)) <= 80
    assert any(line.startswith("identifier: person, note") for line in lines)


def test_the_picture_names_every_attribute(people):
    ax = plan(people, class_attribute="ill").plot()

    names = [tick.get_text() for tick in ax.get_yticklabels()]
    assert len(names) == 8
    assert "shoe, size (private)" in names
    pyplot.close(ax.figure)


def test_what_is_not_there_is_named(people):
    with pytest.raises(TableError, match="no column 'il' for the class; did you mean 'ill'"):
        plan(people, class_attribute="il")
    with pytest.raises(SpecificationError, match="public: no column 'towns'; did you mean 'town'"):
        plan(people, class_attribute="ill", public=["towns"])
    with pytest.raises(SpecificationError, match="attribute: unknown 'twn'"):
        plan(people, class_attribute="ill")["twn"]


def test_a_record_that_stands_where_the_header_should_is_not_shown(tmp_path):
    source = tmp_path / "people.csv"
    source.write_text("34,Oslo,asthma,yes\n51,Rome,gout,no\n")

    with pytest.raises(TableError, match="it has 4 columns, check the name, the header") as caught:
        plan(source, class_attribute="income")
    with pytest.raises(SpecificationError, match="it has 4 columns") as other:
        plan(source, class_attribute="yes", public=["town"])

    assert not any(value in str(e.value) for e in (caught, other) for value in ("Oslo", "asthma"))


@pytest.mark.parametrize(
    "column",
    [
        [f"{place % 24:02}:{place % 60:02}:00" for place in range(120)],
        2**62 + np.arange(120) % 7,
        10**16 * np.arange(120),
        [None] * 120,
        [1] * 120,
        pd.Categorical(np.arange(120) % 3 / 2),
    ],
    ids=["times of day", "long numbers", "far apart", "missing", "constant", "float categories"],
)
def test_an_odd_column_is_planned_and_released(tmp_path, column):
    table = pd.DataFrame({"odd": column, "ill": np.arange(120) % 2})
    table.to_csv(tmp_path / "people.csv", index=False)

    for source in (table, tmp_path / "people.csv"):
        proposed = plan(source, class_attribute="ill", threshold=-1)
        assert len(release(source, proposed.specification).table) == 120


def test_a_class_of_whole_floats_is_planned():
    table = pd.DataFrame({"age": np.arange(90) % 30, "ill": np.arange(90) % 2.0})

    proposed = plan(table, class_attribute="ill", threshold=-1)

    assert proposed.specification["ill"].values == (0, 1)
    assert len(release(table, proposed.specification).table) == 90


def test_what_cannot_be_planned_is_refused_with_what_to_do():
    table = pd.DataFrame({"age": [20.0, np.inf, 30.0], "ill": [0, 1, 1]})
    with pytest.raises(DomainError, match="column 'age': 1 of 3 values are infinite; give them"):
        plan(table, class_attribute="ill")
    with pytest.raises(TableError, match="class 'ill': expected at least two classes, got one"):
        plan(table[2:], class_attribute="ill")
    with pytest.raises(TableError, match="names of columns that are text"):
        plan(table.rename(columns={"age": 0}), class_attribute="ill")


def test_pima_is_planned_as_the_paper_does():
    """Pregnancies are sensitive and irrelevant, the age is sensitive and relevant."""
    try:
        X, y = load_pima(backend="pandas")
    except DatasetError:
        pytest.skip("the data set was not found")
    others = [name for name in X if name not in ("pregnancies", "age")]

    found = plan(X.assign(diabetes=y), class_attribute="diabetes", public=others)

    assert found["pregnancies"].proposal == "remove"
    assert found["age"].proposal == "discretize"
    assert found["glucose"].proposal == "as it is"


def test_the_number_of_a_sample_is_an_identifier():
    try:
        X, y = load_breast_cancer_wisconsin(backend="pandas", identifiers=True)
    except DatasetError:
        pytest.skip("the data set was not found")

    found = plan(X.assign(kind=y), class_attribute="kind")

    assert found["sample_id"].proposal == "remove"
    assert found.contingency()["identifier", ""] == ("sample_id",)


def test_values_that_nobody_is_to_see_are_not_listed(people):
    rng = np.random.default_rng(1)
    towns = [f"town{number}" for number in rng.integers(0, 5, len(people))]
    streets = [f"street{number}" for number in rng.integers(0, 150, len(people))]
    table = people.assign(town=towns, street=streets)

    proposed = plan(table, class_attribute="ill", withheld=["town"])
    disguised = disguised_specification(proposed)

    assert "town1" not in proposed.specification.to_toml() + disguised.to_toml()
    assert "street1" not in disguised.to_toml()
    assert disguised["street"].sensitivity == "withheld"


def test_values_that_are_to_be_removed_are_not_listed(people):
    rng = np.random.default_rng(1)
    names = [f"name{number}" for number in range(len(people))]
    streets = [f"street{number}" for number in rng.integers(0, 150, len(people))]
    eyes = rng.choice(["blue", "brown"], len(people))

    proposed = plan(people.assign(name=names, street=streets, eyes=eyes), class_attribute="ill")

    assert {proposed[name].proposal for name in ("name", "street", "eyes")} == {"remove"}
    text = proposed.specification.to_toml() + proposed.to_text() + repr(proposed)
    for value in ("name1", "street1", "blue", "doctor"):
        assert value not in text
    assert "Oslo" in text


def test_what_tells_little_may_still_be_disguised(people):
    eyes = np.random.default_rng(1).choice(["blue", "brown"], len(people))

    proposed = plan(people.assign(eyes=eyes), class_attribute="ill")

    assert isinstance(proposed.specification["eyes"], Text)
    assert disguised_specification(proposed)["eyes"].values == ("blue", "brown")


def test_what_people_wrote_is_no_list_of_values(people):
    long = ["x" * (90 + number % 20) for number in range(len(people))]

    proposed = plan(people.assign(remark=long), class_attribute="ill")

    assert isinstance(proposed.specification["remark"], Text)


@pytest.mark.parametrize(
    ("write", "said"),
    [
        (lambda n: f"{1000 + n:,}", "numbers"),
        (lambda n: f"{n}%", "numbers"),
        (lambda n: f"$ {n}.50", "numbers"),
        (lambda n: f"{1000 + n} kg", "numbers"),
        (lambda n: f"{1 + n % 12}/{1 + n % 28}/1990", "dates"),
        (lambda n: f"{1 + n % 28} March {1950 + n % 50}", "dates"),
    ],
)
def test_numbers_and_dates_in_another_notation_are_told(people, write, said):
    table = people.assign(other=[write(number) for number in range(len(people))])

    with pytest.warns(ScumbleWarning, match=f"'other': read as text, but .* look like {said}"):
        plan(table, class_attribute="ill")


def test_numbers_with_a_few_typing_errors_are_told(people):
    other = [str(number) for number in range(len(people) - 2)]

    with pytest.warns(ScumbleWarning, match=f"'other': .* all but 2 of its {len(people)} values"):
        plan(people.assign(other=[*other, "4o", "thirty"]), class_attribute="ill")


@pytest.mark.parametrize(
    "write",
    [
        lambda n: f"{n:05d}",
        lambda n: f"room {n}",
        lambda n: f"{n % 5} kg",
        lambda n: f"{n:04d}" if n % 50 else "none",
        lambda n: str(n % 7) if n % 50 else "-",
    ],
)
def test_codes_and_names_are_no_other_notation(people, write, recwarn):
    plan(people.assign(other=[write(n) for n in range(len(people))]), class_attribute="ill")

    assert not [own for own in recwarn if "read as text" in str(own.message)]


@pytest.mark.parametrize(
    "categories", [["Bern", "Oslo", "Rome"], ["Atlantis", "Bern", "Oslo", "Rome"]]
)
def test_a_category_that_does_not_occur_is_not_rare(categories):
    table = _people()
    table["town"] = pd.Categorical(table["town"], categories=categories)

    found = plan(table, class_attribute="ill", public=["town"])

    assert found.specification["town"].treatment is None
