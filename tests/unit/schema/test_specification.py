import json
import pickle

import pytest

from scumble import Categorical, Numeric, Specification
from scumble.errors import SpecificationError
from scumble.mechanisms import (
    GaussianNoise,
    LaplaceNoise,
    RandomizedResponse,
    UnrelatedQuestion,
    ValueClasses,
    Warner,
)

TOML = """
version = 1
class = "group"

[attributes.salary]
kind = "numeric"
low = 20000
high = 150000
sensitivity = "private"
mechanism = { name = "gaussian", privacy = 1.0, confidence = 0.95 }

[attributes.smoker]
kind = "categorical"
values = ["no", "yes"]
sensitivity = "private"
mechanism = { name = "warner", keep = 0.8, group = "health" }
"""


@pytest.fixture
def spec():
    answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.8, group="health"))
    return Specification(
        {
            "salary": Numeric(20_000, 150_000, mechanism=GaussianNoise(privacy=1.0)),
            "hours": Numeric(1, 99, step=1, atoms=[40], mechanism=LaplaceNoise(epsilon=1)),
            "age": Numeric(20, 80, mechanism=ValueClasses(cuts=[30, 50])),
            "smoker": answer,
            "drinker": answer,
            "colour": Categorical(["r", "g", "b"], mechanism=RandomizedResponse(epsilon=1)),
            "party": Categorical([1, 2], mechanism=UnrelatedQuestion(keep=0.5, shares=[0.3, 0.7])),
            "name": Categorical(["x", "y"], sensitivity="withheld"),
            "town": Categorical(["s", "m", "l"], ordered=True),
            "group": Categorical(["A", "B"]),
        },
        class_attribute="group",
    )


def _written(tmp_path, text, name="people.toml"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_the_published_example_is_read(tmp_path):
    spec = Specification.from_toml(_written(tmp_path, TOML))

    assert spec["salary"] == Numeric(20_000, 150_000, mechanism=GaussianNoise(privacy=1.0))
    assert spec.groups == {"health": ["smoker"]}
    assert spec.class_attribute == "group"


def test_toml_and_json_bring_back_the_same_specification(spec, tmp_path):
    spec.to_toml(tmp_path / "a.toml")
    spec.to_json(tmp_path / "a.json")

    assert Specification.from_toml(tmp_path / "a.toml") == spec
    assert Specification.from_json(tmp_path / "a.json") == spec
    assert Specification.from_json(tmp_path / "a.json").digest == spec.digest


def test_the_digest_is_stable(tmp_path):
    # A changed digest orphans every report made before: change it only with the version.
    digest = Specification.from_toml(_written(tmp_path, TOML)).digest

    assert digest == "7fde8c56ae7ecdea846f85fc4f2d6189a070641e18d85e7fe23bbadc9a510ac6"


def test_the_digest_tells_specifications_apart(spec):
    other = Specification({**spec.attributes, "age": Numeric(20, 81)}, class_attribute="group")

    assert other.digest != spec.digest
    assert spec.digest == Specification.from_dict(json.loads(spec.to_json())).digest


def test_writing_a_number_as_whole_or_not_does_not_change_the_digest(tmp_path):
    other = TOML.replace("20000", "20000.0").replace("privacy = 1.0", "privacy = 1")

    one = Specification.from_toml(_written(tmp_path, TOML))
    two = Specification.from_toml(_written(tmp_path, other))

    assert one.digest == two.digest


def test_the_order_of_the_columns_is_part_of_the_specification(spec):
    turned = Specification(dict(reversed(spec.attributes.items())), class_attribute="group")

    assert turned != spec
    assert turned.digest != spec.digest


def test_an_infinite_bound_survives_json(tmp_path):
    spec = Specification({"x": Numeric(float("-inf"), float("inf")), "y": Numeric(-0.0, 1)})
    spec.to_json(tmp_path / "a.json")
    json.loads((tmp_path / "a.json").read_text(), parse_constant=pytest.fail)

    assert Specification.from_json(tmp_path / "a.json") == spec
    assert Specification({"x": spec["x"], "y": Numeric(0.0, 1)}).digest == spec.digest


def test_pickle_and_hash(spec):
    copy = pickle.loads(pickle.dumps(spec))

    assert copy == spec
    assert hash(copy) == hash(spec)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (("low = 20000", "low = 150000"), r"attributes\.salary\.high: expected more than low"),
        (("low = 20000", 'low = "x"'), r"attributes\.salary\.low: expected a number"),
        (("low = 20000\n", ""), r"attributes\.salary\.low: missing"),
        (('"numeric"', '"numric"'), r"attributes\.salary\.kind: .* did you mean 'numeric'"),
        (('"gaussian"', '"gausian"'), r"salary\.mechanism\.name: .* did you mean 'gaussian'"),
        (("privacy = 1.0", "privcy = 1.0"), r"mechanism\.privcy: .* did you mean 'privacy'"),
        (("privacy = 1.0", "privacy = -1"), r"mechanism\.privacy: expected a positive number"),
        (("privacy = 1.0, ", ""), r"expected exactly one of privacy, sd"),
        (("keep = 0.8", "keep = 0.5"), r"smoker\.mechanism\.keep: a fair coin .*unrelated"),
        (("keep = 0.8, ", ""), r"smoker\.mechanism\.keep: 'warner' needs this parameter"),
        (('["no", "yes"]', '["no", "yes", "?"]'), r"smoker\.mechanism: 'warner' needs two"),
        (('["no", "yes"]', '["no", "no"]'), r"smoker\.values: expected each value once"),
        (("version = 1", "version = 2"), r"version: expected 1, got 2"),
        (("class =", "clas ="), r"clas: unknown key; did you mean 'class'"),
        (('class = "group"', 'class = "salary"'), r"class: expected a categorical"),
        (("high = 150000", "high = 150000\nhihg = 3"), r"salary\.hihg: unknown key; did you mean"),
        (('group = "health"', 'group = ["x"]'), r"smoker\.mechanism\.group: expected text"),
        (('kind = "numeric"', 'kind = ["numeric"]'), r"salary\.kind: expected 'numeric', "),
        (("privacy = 1.0", "sd = 1, grid = 1e-30"), r"salary\.mechanism\.grid: expected at least"),
        (
            ('{ name = "gaussian", privacy = 1.0, confidence = 0.95 }', "5"),
            r"salary\.mechanism: expected a table with a name",
        ),
        (("version = 1", "version = true"), r"version: expected 1"),
        (('"private"\nmechanism = { name = "g', '"public"\nmechanism = { name = "g'), r"public"),
        (("[attributes.smoker]", "[attributes.salary]"), r"not a valid file"),
        (("[attributes", "[attributes"[:-3]), r"unknown key"),
    ],
)
def test_an_error_names_the_file_the_key_and_the_remedy(tmp_path, wrong, message):
    text = TOML.replace(*wrong)
    assert text != TOML

    with pytest.raises(SpecificationError, match=message) as caught:
        Specification.from_toml(_written(tmp_path, text))

    assert str(caught.value).startswith("people.toml: ")
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(SpecificationError, match=r"none\.toml: cannot be read"):
        Specification.from_toml(tmp_path / "none.toml")


def test_a_name_given_twice_in_json_is_refused(tmp_path):
    table = '{"kind": "numeric", "low": 0, "high": 1}'
    text = f'{{"attributes": {{"a": {table}, "a": {table}}}}}'

    with pytest.raises(SpecificationError, match="a: expected once, got 2 times"):
        Specification.from_json(_written(tmp_path, text, "a.json"))


def test_no_attributes_are_refused():
    with pytest.raises(SpecificationError, match="at least one"):
        Specification({})


def test_an_unknown_attribute_is_suggested(spec):
    with pytest.raises(SpecificationError, match="did you mean 'salary'"):
        spec["salery"]


def test_a_group_has_one_coin():
    one = Categorical(["no", "yes"], mechanism=Warner(keep=0.8, group="g"))
    other = Categorical(["no", "yes"], mechanism=Warner(keep=0.7, group="g"))

    with pytest.raises(SpecificationError, match="group 'g' shares one coin"):
        Specification({"a": one, "b": other})


def test_a_specification_cannot_be_changed(spec):
    with pytest.raises(TypeError):
        spec.attributes["age"] = Numeric(0, 1)


def test_a_column_without_a_name_is_not_the_class():
    spec = Specification({"": Numeric(0, 1), "age": Numeric(0, 1)})

    assert spec.declared_class is None


@pytest.mark.parametrize("text", ['{"secret": 1}', "class = 1\nsecret = 2\n"])
@pytest.mark.parametrize("read", [Specification.from_json, Specification.from_toml])
def test_a_text_in_the_place_of_a_path_is_not_shown(read, text):
    with pytest.raises(SpecificationError, match="expected the name of a file") as raised:
        read(text)

    assert "secret" not in str(raised.value)
